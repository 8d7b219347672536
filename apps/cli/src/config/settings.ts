import { join, resolve } from 'node:path';
import { ConfigurationError } from '@bae/core';
import type { CommandContext } from '../command-line/command.ts';
import type { CliOptions } from '../command-line/options.ts';
import { createPainter, makeLineVisible } from '../terminal/terminal-text.ts';
import type { BaeConfig } from './bae-config.ts';
import { capitalizeDrive, getPathKind } from './disk.ts';
import { loadConfig, type LoadedConfig } from './load-config.ts';

/** Settings for one run of bae: the configuration, with the limits of the command line. */
export interface Settings
  extends Omit<LoadedConfig, 'config' | 'file'>, Omit<BaeConfig, 'spaces' | 'discover' | 'mcpServers'> {
  /** Absolute path of the folder to work in. */
  readonly root: string;
  readonly configFile?: string | undefined;
}

export interface SettingsSource extends Pick<CommandContext, 'options'> {
  readonly terminal: Pick<CommandContext['terminal'], 'cwd' | 'env'>;
  /** True to ignore everything in the folder that the user has not trusted, including harmless settings. */
  readonly trustedOnly?: boolean;
  /** Time without a call after which a mounted server is ended, in milliseconds. Default: none. */
  readonly serverIdleMs?: number | undefined;
}

/** @throws ConfigurationError for a folder that does not exist, or a bad configuration */
export async function loadSettings({
  options,
  terminal,
  trustedOnly = false,
  serverIdleMs,
}: SettingsSource): Promise<Settings> {
  const { cwd, env } = terminal;
  const root = resolveRoot(options, cwd);
  const given = options.config === undefined ? {} : { file: resolve(cwd, options.config) };
  const { config, file, ...loaded } = await loadConfig({ root, ...given, env, trustedOnly, serverIdleMs });
  return {
    ...config,
    ...loaded,
    root,
    configFile: file,
    ...(options.protocol !== undefined && { protocol: options.protocol }),
    ...(options.cap !== undefined && { cap: options.cap }),
    ...(options.max !== undefined && { maxBatches: options.max }),
    ...(options.maxTokens !== undefined && { maxTokens: options.maxTokens }),
    ...(options.maxCost !== undefined && { maxCost: options.maxCost }),
    ...(options.maxMinutes !== undefined && { maxMinutes: options.maxMinutes }),
    ...(options.firstToken !== undefined && { firstTokenSeconds: options.firstToken }),
  };
}

export function resolveRoot(options: Pick<CliOptions, 'cwd'>, cwd: string): string {
  const root = capitalizeDrive(resolve(cwd, options.cwd ?? '.'));
  const kind = getPathKind(root);
  if (kind === 'folder') return root;
  const reason = kind === 'nothing' ? 'there is no such folder' : 'it is not a folder';
  throw new ConfigurationError(`--cwd ${options.cwd}: ${reason}.`, ['--cwd DIR with a folder that exists']);
}

/** Loads the settings of a command and prints the notices about them. */
export async function openSettings(
  context: CommandContext,
  more: Pick<SettingsSource, 'serverIdleMs'> = {},
): Promise<Settings> {
  const settings = await loadSettings({ ...context, ...more });
  printNotices(settings, context.terminal);
  return settings;
}

export function printNotices({ notices }: Settings, { err }: CommandContext['terminal']): void {
  const paint = createPainter(err);
  for (const notice of notices) err.write(`${paint('hint', makeLineVisible(notice))}\n`);
}

export function locateTasks(root: string): string {
  return join(root, '.bae', 'tasks.db');
}
