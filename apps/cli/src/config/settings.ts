import { join, resolve } from 'node:path';
import { ConfigurationError } from '@bae/core';
import type { CliOptions } from '../arguments/parse-arguments.ts';
import type { TrustSubject } from '@bae/plugins';
import type { BaeConfig } from './bae-config.ts';
import { kindOfPath } from './disk.ts';
import type { PlaceSpaces } from './find-spaces.ts';
import { loadConfig } from './load-config.ts';

/** What one start of bae goes by: the command line first, then the configuration. */
export interface Settings extends Omit<BaeConfig, 'model' | 'baseUrl' | 'spaces' | 'discover'> {
  /** Folder to work in, absolute. */
  readonly root: string;
  /** The model asked for on the command line. */
  readonly modelName?: string;
  /** Its address, from the command line. */
  readonly baseUrl?: string;
  /** The model of the configuration. */
  readonly configured?: BaeConfig['model'];
  readonly configuredUrl?: string;
  /** The configuration file, absolute. */
  readonly configFile?: string;
  /** Makes the spaces below home. Default: bae's own. */
  readonly spaces?: PlaceSpaces;
  /** What is not used, or not all of it, before a person trusts it. */
  readonly untrusted?: readonly TrustSubject[];
  /** One line each, for people. */
  readonly notices: readonly string[];
}

/**
 * Puts the settings together.
 *
 * @param cwd folder that relative paths of the command line start from
 * @param env where the user's own settings are found
 * @throws ConfigurationError for a folder that is not there, or a bad configuration
 */
export async function loadSettings(
  options: CliOptions,
  cwd: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Settings> {
  const root = workingFolder(options, cwd);
  const given = options.config === undefined ? {} : { file: resolve(cwd, options.config) };
  const { config, file, notices, spaces, untrusted } = await loadConfig({ root, ...given, env });
  const { model, baseUrl, ...rest } = config;
  return {
    ...rest,
    root,
    notices,
    untrusted,
    ...(spaces !== undefined && { spaces }),
    ...(file !== undefined && { configFile: file }),
    ...(model !== undefined && { configured: model }),
    ...(baseUrl !== undefined && { configuredUrl: baseUrl }),
    ...(options.model !== undefined && { modelName: options.model }),
    ...(options.baseUrl !== undefined && { baseUrl: options.baseUrl }),
    ...(options.cap !== undefined && { cap: options.cap }),
    ...(options.max !== undefined && { maxBatches: options.max }),
  };
}

/** The folder to work in. */
export function workingFolder(options: Pick<CliOptions, 'cwd'>, cwd: string): string {
  const root = resolve(cwd, options.cwd ?? '.');
  const kind = kindOfPath(root);
  if (kind === 'folder') return root;
  const reason = kind === 'nothing' ? 'there is no such folder' : 'it is not a folder';
  throw new ConfigurationError(`--cwd ${options.cwd}: ${reason}.`, ['--cwd DIR with a folder that exists']);
}

/** Where the tasks of a folder are kept. */
export function tasksFile(root: string): string {
  return join(root, '.bae', 'tasks.db');
}
