import { listRules, type BaeConfig } from './bae-config.ts';

/** The part of a configuration that is used although nobody trusts it, and what a person has to know about the rest. */
export interface RestrictedConfig {
  readonly config: BaeConfig;
  readonly ignored: readonly string[];
  readonly notices: readonly string[];
}

/**
 * A file that was only found may come from anybody: it cannot approve anything (it can forbid more), cannot send
 * questions to another machine, and cannot add spaces.
 *
 * @param name of the file, for messages
 */
export function restrictConfig(config: BaeConfig, name: string): RestrictedConfig {
  const { approve, baseUrl, spaces = [], discover = false, ...harmless } = config;
  const rules = listRules(approve);
  const stricter = rules.filter(({ decision }) => decision !== 'allow');
  const kept = rules.length > 0 ? stricter : approve;
  const isElsewhere = baseUrl !== undefined && !isLoopback(baseUrl);
  const ignored = [
    ...(approve === 'all' ? ['approve: "all"'] : []),
    ...(stricter.length < rules.length ? ['what approve allows'] : []),
    ...(isElsewhere ? ['baseUrl'] : []),
    ...(spaces.length > 0 ? ['spaces'] : []),
    ...(discover ? ['discover'] : []),
  ];
  return {
    config: {
      ...harmless,
      ...(kept !== undefined && kept !== 'all' && { approve: kept }),
      ...(baseUrl !== undefined && !isElsewhere && { baseUrl }),
    },
    ignored,
    notices: ignored.map(
      (setting) => `${name}: ${setting} is not used, because the file was only found here. ${explainTrust(name)}`,
    ),
  };
}

/** What to do about a file that was only found. */
export function explainTrust(name: string): string {
  return `To use it: bae trust, or --config ${name}`;
}

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}
