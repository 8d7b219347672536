import { listRules, type BaeConfig } from './bae-config.ts';

/**
 * Removes the dangerous settings of a file that the user does not trust: it may deny calls but not allow them, and
 * may neither send requests to another machine nor add spaces.
 *
 * @param name of the file, for messages
 */
export function restrictConfig(
  config: BaeConfig,
  name: string,
): { readonly config: BaeConfig; readonly ignored: readonly string[]; readonly notices: readonly string[] } {
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

export function explainTrust(name: string): string {
  return `To use it: bae trust, or --config ${name}`;
}

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);
}
