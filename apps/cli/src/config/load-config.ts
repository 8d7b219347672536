import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError } from '@bae/core';
import type { BaeConfig } from './bae-config.ts';
import { kindOfPath, readTextFile } from './disk.ts';
import { rulesOf } from './rules-of.ts';

const FOUND = 'bae.config.json';
const CODE = ['bae.config.ts', 'bae.config.js'];

/** Where to look for settings. */
export interface ConfigPlace {
  /** Folder bae works in. */
  readonly root: string;
  /** File given by `--config`, absolute. */
  readonly file?: string;
}

/** Settings, where they come from, and what is to be said about them. */
export interface LoadedConfig {
  readonly config: BaeConfig;
  /** Absolute; absent when there is no configuration. */
  readonly file?: string;
  /** One line each, for people. */
  readonly notices: readonly string[];
}

/**
 * Loads the settings of a folder.
 *
 * A file that was only found may come from anybody: code in it is not run, it cannot approve anything (it
 * can forbid more), and it cannot send what is asked to another machine. One that `--config` names may do all of that.
 *
 * @throws ConfigurationError when a file cannot be read or does not hold what it should
 */
export async function loadConfig({ root, file }: ConfigPlace): Promise<LoadedConfig> {
  if (file !== undefined) return { config: await readConfig(file), file, notices: [] };
  const found = join(root, FOUND);
  if (kindOfPath(found) !== 'nothing') {
    const { config, notices } = withoutTrust(await readConfig(found));
    return { config, file: found, notices };
  }
  const code = CODE.find((name) => kindOfPath(join(root, name)) !== 'nothing');
  return { config: {}, notices: code === undefined ? [] : [inert(code)] };
}

async function readConfig(path: string): Promise<BaeConfig> {
  const name = basename(path);
  const value = /\.[cm]?[jt]s$/.test(name) ? await importConfig(path, name) : parseConfig(path, name);
  const { checkConfig } = await import('./config-schema.ts');
  return checkConfig(value, name);
}

function parseConfig(path: string, name: string): unknown {
  const kind = kindOfPath(path);
  // Reading from a pipe or a device may never end.
  if (kind === 'folder' || kind === 'other') throw unreadable(name, new Error('it is not a file'));
  try {
    return JSON.parse(readTextFile(path)) as unknown;
  } catch (error) {
    throw unreadable(name, error);
  }
}

async function importConfig(path: string, name: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>;
    return module['default'] ?? module['config'];
  } catch (error) {
    throw unreadable(name, error);
  }
}

function unreadable(name: string, error: unknown): ConfigurationError {
  const { message, code } = error as NodeJS.ErrnoException;
  const reason =
    code === 'ENOENT' || code === 'ERR_MODULE_NOT_FOUND' ? 'there is no such file' : message.split('\n')[0];
  return new ConfigurationError(
    `${name}: cannot be read: ${reason}.`,
    [`a file like {"model": "ollama/NAME", "cap": 500}`],
    error,
  );
}

function withoutTrust(config: BaeConfig): Pick<LoadedConfig, 'config' | 'notices'> {
  const { approve, baseUrl, ...harmless } = config;
  const notices: string[] = [];
  if (approve === 'all') notices.push(untrusted('approve: "all"'));
  const rules = rulesOf(approve);
  const stricter = rules.filter(({ decision }) => decision !== 'allow');
  if (stricter.length < rules.length) notices.push(untrusted('what approve allows'));
  const kept = rules.length > 0 ? stricter : approve;
  const elsewhere = baseUrl !== undefined && !isLoopback(baseUrl);
  if (elsewhere) notices.push(untrusted('baseUrl'));
  return {
    config: {
      ...harmless,
      ...(kept !== undefined && kept !== 'all' && { approve: kept }),
      ...(baseUrl !== undefined && !elsewhere && { baseUrl }),
    },
    notices,
  };
}

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}

function untrusted(setting: string): string {
  return `${FOUND}: ${setting} is not used, because the file was only found here. To use it: --config ${FOUND}`;
}

function inert(name: string): string {
  return `${name} is code and was not run. To use it: --config ${name}`;
}
