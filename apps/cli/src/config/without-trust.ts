import type { BaeConfig } from './bae-config.ts';
import { rulesOf } from './rules-of.ts';

/** What of a configuration is used although nobody trusts it, and what is to be said about the rest. */
export interface HarmlessConfig {
  readonly config: BaeConfig;
  /** The settings that are not used. */
  readonly left: readonly string[];
  /** One line for each of them. */
  readonly notices: readonly string[];
}

/**
 * A file that was only found may come from anybody: it cannot approve anything (it can forbid more), cannot send
 * what is asked to another machine, and cannot bring spaces.
 *
 * @param name of the file, for messages
 */
export function withoutTrust(config: BaeConfig, name: string): HarmlessConfig {
  const { approve, baseUrl, spaces = [], discover = false, ...harmless } = config;
  const rules = rulesOf(approve);
  const stricter = rules.filter(({ decision }) => decision !== 'allow');
  const kept = rules.length > 0 ? stricter : approve;
  const elsewhere = baseUrl !== undefined && !isLoopback(baseUrl);
  const left = [
    ...(approve === 'all' ? ['approve: "all"'] : []),
    ...(stricter.length < rules.length ? ['what approve allows'] : []),
    ...(elsewhere ? ['baseUrl'] : []),
    ...(spaces.length > 0 ? ['spaces'] : []),
    ...(discover ? ['discover'] : []),
  ];
  return {
    config: {
      ...harmless,
      ...(kept !== undefined && kept !== 'all' && { approve: kept }),
      ...(baseUrl !== undefined && !elsewhere && { baseUrl }),
    },
    left,
    notices: left.map(
      (setting) => `${name}: ${setting} is not used, because the file was only found here. ${howToTrust(name)}`,
    ),
  };
}

/** What to do about a file that was only found. */
export function howToTrust(name: string): string {
  return `To use it: bae trust, or --config ${name}`;
}

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}
