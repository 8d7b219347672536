const FULL = /^(@[a-z0-9~][\w.~-]*\/)?bae-resourcespace-[a-z0-9~][\w.~-]*$/;
const SHORT = /^(@[a-z0-9~][\w.~-]*\/)?([a-z0-9~][\w.~-]*)$/;
const PREFIX = 'bae-resourcespace-';

/**
 * The name of a package from what people write: `tickets` → `bae-resourcespace-tickets`, `@acme/tickets` →
 * `@acme/bae-resourcespace-tickets`; a whole name stays.
 *
 * @returns undefined when it can be no name of a package
 */
export function packageName(written: string): string | undefined {
  if (isPluginName(written)) return written;
  const match = SHORT.exec(written);
  return match === null ? undefined : `${match[1] ?? ''}${PREFIX}${match[2]!}`;
}

/** The shortest name that means a package: `@acme/bae-resourcespace-tickets` → `@acme/tickets`. */
export function shortName(name: string): string {
  return name.replace(PREFIX, '');
}

/** True for a name that a package of resourcespaces has. */
export function isPluginName(name: string): boolean {
  return FULL.test(name);
}
