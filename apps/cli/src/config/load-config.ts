import { basename, dirname, join } from 'node:path';
import type { TrustSubject } from '@bae/plugins';
import type { BaeConfig } from './bae-config.ts';
import { kindOfPath } from './disk.ts';
import { findSpaces, type PlaceSpaces } from './find-spaces.ts';
import { isCode, readConfig } from './read-config.ts';
import { NOBODY, userTrust, type UserTrust } from './user-trust.ts';
import { howToTrust, withoutTrust } from './without-trust.ts';

/** Files of settings in the order they count; one in code only when it is trusted. */
const NAMES = ['bae.config.ts', 'bae.config.js', 'bae.config.json'];

/** Where to look for settings. */
export interface ConfigPlace {
  /** Folder bae works in. */
  readonly root: string;
  /** File given by `--config`, absolute. */
  readonly file?: string;
  /** Says where it is kept what the user trusts. Default: the user trusts nothing. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Settings, where they come from, and what is to be said about them. */
export interface LoadedConfig {
  readonly config: Omit<BaeConfig, 'spaces' | 'discover'>;
  /** Absolute; absent when there is no configuration. */
  readonly file?: string;
  /** Makes the spaces below home. Default: bae's own. */
  readonly spaces?: PlaceSpaces;
  /** What is not used, or not all of it, before a person trusts it. */
  readonly untrusted: readonly TrustSubject[];
  /** One line each, for people. */
  readonly notices: readonly string[];
}

/** One file of settings as far as it may be used. */
type UsableConfig = Omit<LoadedConfig, 'config' | 'spaces'> & { readonly config: BaeConfig };

/**
 * Loads the settings of a folder, and finds the spaces they name.
 *
 * Of a file that was only found, code is run, and what could do harm is used, only when the user trusts it as it
 * is. One that `--config` names is taken as it is. Packages have to be trusted in any case.
 *
 * @throws ConfigurationError when a file cannot be read or does not hold what it should
 */
export async function loadConfig({ root, file, env }: ConfigPlace): Promise<LoadedConfig> {
  const files = file === undefined ? NAMES.map((name) => join(root, name)).filter(isThere) : [file];
  if (files.length === 0) return { config: {}, ...SILENT };
  const trust = env === undefined ? NOBODY : await userTrust(env);
  const usable =
    file === undefined ? await usableConfig(files, trust) : { config: await readConfig(file), file, ...SILENT };
  const found = await withSpaces(usable, trust, root);
  if (trust.problem === undefined) return found;
  // Nothing can be asked when the answer could not be kept.
  return { ...found, untrusted: [], notices: [trust.problem, ...found.notices] };
}

const SILENT = { untrusted: [], notices: [] };

function isThere(path: string): boolean {
  return kindOfPath(path) !== 'nothing';
}

async function withSpaces(usable: UsableConfig, trust: UserTrust, root: string): Promise<LoadedConfig> {
  const { spaces: entries = [], discover = false, ...config } = usable.config;
  const { disabled = [] } = config;
  if (entries.length === 0 && !discover && disabled.length === 0) return { ...usable, config };
  const from = usable.file === undefined ? root : dirname(usable.file);
  const found = await findSpaces({ entries, discover, disabled, from, trust }, basename(usable.file ?? ''));
  return {
    ...usable,
    config,
    spaces: found.spaces,
    untrusted: [...usable.untrusted, ...found.untrusted],
    notices: [...usable.notices, ...found.notices],
  };
}

async function usableConfig(files: readonly string[], trust: UserTrust): Promise<UsableConfig> {
  const code = files.find(isCode);
  const data = files.find((path) => !isCode(path));
  const inert = code === undefined ? undefined : await untrustedCode(code, trust);
  if (code !== undefined && inert === undefined) return { config: await readConfig(code), file: code, ...SILENT };
  const read = data === undefined ? { config: {}, ...SILENT } : await trustedPart(data, trust);
  if (inert === undefined) return read;
  // Data beside code that is not run stands in for it.
  return { ...read, untrusted: [...inert.untrusted, ...read.untrusted], notices: [...inert.notices, ...read.notices] };
}

/** What is to be said about a program that is not trusted; undefined when it is. */
async function untrustedCode(
  path: string,
  trust: UserTrust,
): Promise<Pick<LoadedConfig, 'untrusted' | 'notices'> | undefined> {
  const { configurationSubject } = await import('@bae/plugins');
  const subject = configurationSubject(path, ['settings in code, which runs whenever bae starts here']);
  if (trust.stateOf(subject) === 'trusted') return undefined;
  const { name } = subject;
  return { untrusted: [subject], notices: [`${name} is code and was not run. ${howToTrust(name)}`] };
}

async function trustedPart(file: string, trust: UserTrust): Promise<UsableConfig> {
  const whole = await readConfig(file);
  const { config, left, notices } = withoutTrust(whole, basename(file));
  if (left.length === 0) return { config: whole, file, ...SILENT };
  const { configurationSubject } = await import('@bae/plugins');
  const subject = configurationSubject(file, [`settings: ${left.join(', ')}`]);
  if (trust.stateOf(subject) === 'trusted') return { config: whole, file, ...SILENT };
  return { config, file, untrusted: [subject], notices };
}
