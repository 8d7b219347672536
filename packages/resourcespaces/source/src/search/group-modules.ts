import type { CodeModule } from '../modules/code-module.ts';

/** Modules with the same next name. */
export interface ModuleGroup {
  /** The name behind what the pattern spells out; `''` for a module that ends there. */
  readonly name: string;
  readonly modules: readonly CodeModule[];
}

/** Divides modules by the name that follows what a pattern spells out, the largest group first. */
export function groupModules(pattern: string, modules: readonly CodeModule[]): readonly ModuleGroup[] {
  const prefix = speltOut(pattern);
  const groups = new Map<string, CodeModule[]>();
  for (const module of modules) {
    const name = module.name.split('.')[prefix.length] ?? '';
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [module]);
    else group.push(module);
  }
  return [...groups]
    .map(([name, modules]) => ({ name, modules }))
    .toSorted((a, b) => b.modules.length - a.modules.length || (a.name < b.name ? -1 : 1));
}

/** The leading names of a pattern that have nothing to expand. */
export function speltOut(pattern: string): readonly string[] {
  const parts = pattern.split('.');
  const wild = parts.findIndex((part) => /[*?]/.test(part));
  return wild === -1 ? parts : parts.slice(0, wild);
}
