import type { Mount } from './mount.ts';

/** One line for every two mounts of one name that a configuration asks for, with how to rename one of them. */
export function collisionsOf(mounts: readonly Mount[]): readonly string[] {
  return [...Map.groupBy(mounts, ({ path }) => path.join('.'))].flatMap(([path, [first, ...others]]) =>
    others.map((other) => {
      const { key, label } = other.key === undefined ? { ...first!, key: 'spaces' } : other;
      return `${key}: two spaces are named ${path}: ${first!.label} and ${other.label}. Give one another name: ${renaming(other, label)}`;
    }),
  );
}

/** How a configuration calls a package something else. */
export function renaming({ path, thing }: Pick<Mount, 'path' | 'thing'>, label: string): string {
  const use = thing.type === 'plugin' ? thing.plugin.name : thing.type === 'built-in' ? thing.name : undefined;
  const [name, ...above] = path.toReversed();
  const under = above.length === 0 ? {} : { under: above.toReversed().join('.') };
  const mount = JSON.stringify({ use: use ?? label, as: `${name}2`, ...under });
  return use === undefined ? mount.replace(JSON.stringify(label), '…') : mount;
}
