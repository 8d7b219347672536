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
  const { config, file, ...loaded } = await loadConfig({
    root,
    file: options.config && resolve(cwd, options.config),
    env,
    trustedOnly,
    serverIdleMs,
  });
  return {
    ...config,
    ...loaded,
    root,
    configFile: file,
    protocol: options.protocol ?? config.protocol,
    cap: options.cap ?? config.cap,
    maxBatches: options.max ?? config.maxBatches,
    maxTokens: options.maxTokens ?? config.maxTokens,
    maxCost: options.maxCost ?? config.maxCost,
    maxMinutes: options.maxMinutes ?? config.maxMinutes,
    firstTokenSeconds: options.firstToken ?? config.firstTokenSeconds,
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
