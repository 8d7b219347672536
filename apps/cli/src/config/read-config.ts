import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError } from '@bae/core';
import type { BaeConfig } from './bae-config.ts';
import { kindOfPath, readTextFile } from './disk.ts';

/** True for a file of settings that is a program. */
export function isCode(path: string): boolean {
  return /\.[cm]?[jt]s$/.test(path);
}

/**
 * Reads a file of settings; one in code is run.
 *
 * @throws ConfigurationError when it cannot be read or does not hold what it should
 */
export async function readConfig(path: string): Promise<BaeConfig> {
  const name = basename(path);
  const value = isCode(name) ? await importConfig(path, name) : parseConfig(path, name);
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
