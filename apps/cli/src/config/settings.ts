import { join, resolve } from 'node:path';
import { ConfigurationError } from '@bae/core';
import type { CommandContext } from '../command-line/command.ts';
import type { CliOptions } from '../command-line/options.ts';
import { createPainter, makeLineVisible } from '../terminal/terminal-text.ts';
import type { BaeConfig } from './bae-config.ts';
import { getPathKind } from './disk.ts';
import { loadConfig, type LoadedConfig } from './load-config.ts';

/** The settings of one start of bae: of the command line first, then of the configuration. */
export interface Settings
  extends Omit<LoadedConfig, 'config' | 'file'>, Omit<LoadedConfig['config'], 'model' | 'baseUrl'> {
  /** Folder to work in, absolute. */
  readonly root: string;
  /** The configuration file, absolute. */
  readonly configFile?: string | undefined;
  /** The model and its address, from the command line. */
  readonly modelName?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly configured?: BaeConfig['model'];
  readonly configuredUrl?: string | undefined;
}

/** @throws ConfigurationError for a folder that is not there, or a bad configuration */
export async function loadSettings({ options, terminal }: SettingsSource): Promise<Settings> {
  const { cwd, env } = terminal;
  const root = resolveRoot(options, cwd);
  const given = options.config === undefined ? {} : { file: resolve(cwd, options.config) };
  const { config, file, ...loaded } = await loadConfig({ root, ...given, env });
  const { model, baseUrl, ...rest } = config;
  return {
    ...rest,
    ...loaded,
    root,
    configFile: file,
    modelName: options.model,
    baseUrl: options.baseUrl,
    ...(model !== undefined && { configured: model }),
    configuredUrl: baseUrl,
    ...(options.cap !== undefined && { cap: options.cap }),
    ...(options.max !== undefined && { maxBatches: options.max }),
  };
}

type SettingsSource = Pick<CommandContext, 'options'> & {
  readonly terminal: Pick<CommandContext['terminal'], 'cwd' | 'env'>;
};

export function resolveRoot(options: Pick<CliOptions, 'cwd'>, cwd: string): string {
  const root = resolve(cwd, options.cwd ?? '.');
  const kind = getPathKind(root);
  if (kind === 'folder') return root;
  const reason = kind === 'nothing' ? 'there is no such folder' : 'it is not a folder';
  throw new ConfigurationError(`--cwd ${options.cwd}: ${reason}.`, ['--cwd DIR with a folder that exists']);
}

/** The settings of a command; notices about them are printed beside its output. */
export async function openSettings(context: CommandContext): Promise<Settings> {
  const settings = await loadSettings(context);
  printNotices(settings, context.terminal);
  return settings;
}

/** Prints what a person has to know about the settings, one line each, beside the output. */
export function printNotices({ notices }: Settings, { err }: CommandContext['terminal']): void {
  const paint = createPainter(err);
  for (const notice of notices) err.write(`${paint('hint', makeLineVisible(notice))}\n`);
}

export function locateTasks(root: string): string {
  return join(root, '.bae', 'tasks.db');
}
