import { defineResourcespace, tool, type SpaceDefinition } from '@bae/core';
import { Registry } from '@bae/core/pipeline';

/** A tree of spaces as examples write it. */
export interface TreeJson {
  readonly [name: string]: { readonly tools?: readonly string[]; readonly children?: TreeJson };
}

/** Registers the spaces of an example below a home with the named tools. */
export function registryOf(tree: TreeJson, home: readonly string[] = []): Registry {
  const registry = new Registry(spaceOf('files', home));
  for (const space of Object.values(spacesOf(tree))) registry.register(space);
  return registry;
}

/** The names of a dotted path; none for home. */
export function pathOf(dotted: string): readonly string[] {
  return dotted === '' || dotted === 'home' ? [] : dotted.split('.');
}

function spacesOf(tree: TreeJson): Readonly<Record<string, SpaceDefinition>> {
  const entries = Object.entries(tree).map(([name, { tools = [], children = {} }]) => {
    return [name, spaceOf(name, tools, children)] as const;
  });
  return Object.fromEntries(entries);
}

function spaceOf(name: string, tools: readonly string[], children: TreeJson = {}): SpaceDefinition {
  return defineResourcespace({
    name,
    description: `The space ${name}.`,
    tools: Object.fromEntries(tools.map((verb) => [verb, tool('Nothing.', {}, () => '')])),
    children: () => spacesOf(children),
  });
}
