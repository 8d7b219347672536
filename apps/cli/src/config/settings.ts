import { join, resolve } from 'node:path';
import { ConfigurationError } from '@bae/core';
import type { TrustSubject } from '@bae/plugins';
import type { CommandContext } from '../command-line/command.ts';
import type { CliOptions } from '../command-line/parse-arguments.ts';
import { createPainter, visibleLine } from '../terminal/terminal-text.ts';
import type { BaeConfig } from './bae-config.ts';
import { kindOfPath } from './disk.ts';
import { loadConfig, type PlaceSpaces } from './load-config.ts';

/** The settings of one start of bae: of the command line first, then of the configuration. */
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
  const root = resolveRoot(options, cwd);
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
export function resolveRoot(options: Pick<CliOptions, 'cwd'>, cwd: string): string {
  const root = resolve(cwd, options.cwd ?? '.');
  const kind = kindOfPath(root);
  if (kind === 'folder') return root;
  const reason = kind === 'nothing' ? 'there is no such folder' : 'it is not a folder';
  throw new ConfigurationError(`--cwd ${options.cwd}: ${reason}.`, ['--cwd DIR with a folder that exists']);
}

/** The settings of a command; notices about them are printed beside its output. */
export async function openSettings({
  options,
  terminal,
}: Pick<CommandContext, 'options' | 'terminal'>): Promise<Settings> {
  const settings = await loadSettings(options, terminal.cwd, terminal.env);
  printNotices(settings, terminal);
  return settings;
}

/** Prints what a person has to know about the settings, one line each, beside the output. */
export function printNotices({ notices }: Settings, { err }: CommandContext['terminal']): void {
  const paint = createPainter(err);
  for (const notice of notices) err.write(`${paint('hint', visibleLine(notice))}\n`);
}

/** Where the tasks of a folder are kept. */
export function locateTasks(root: string): string {
  return join(root, '.bae', 'tasks.db');
}
