import type { SpacePath } from './space-tree.ts';

/** A place as it is addressed: `source.meta`, `home`. */
export function dotted(path: SpacePath): string {
  return path.join('.') || 'home';
}

/** A place as it is shown: `home > source > meta`. */
export function breadcrumb(path: SpacePath): string {
  return ['home', ...path].join(' > ');
}

/** A place as it is entered: `source.meta()`, `home()`. */
export function callable(path: SpacePath): string {
  return `${dotted(path)}()`;
}
