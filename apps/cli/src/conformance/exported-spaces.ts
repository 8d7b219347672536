import { ConfigurationError, type Provision, type SpaceSource } from '@bae/core';
import type { PluginModule } from '@bae/plugins';

/** A space that a module exports, and how to have one. */
export interface MadeSpace {
  /** Name of the export; of what a function makes, the name of the space. */
  readonly name: string;
  /** @param provide what a function that makes spaces is handed */
  make(provide: readonly Provision[]): SpaceSource;
}

/**
 * The spaces of a module: those that it exports, or what its function `spaces(options, provided)` makes, anew each
 * time.
 *
 * @param provide what the function is handed to find out what it makes
 * @throws ConfigurationError when its spaces cannot do without options
 */
export function listExportedSpaces(module: PluginModule, provide: readonly Provision[]): readonly MadeSpace[] {
  const options = deriveDefaultOptions(module);
  return module.spaces(options, provide).map((space, index) => ({
    name: findExportName(space, module) ?? (space as { readonly name?: string }).name ?? `spaces[${index}]`,
    make: (given) => module.spaces(options, given)[index]!,
  }));
}

function findExportName(space: SpaceSource, { exports }: PluginModule): string | undefined {
  const names = Object.keys(exports).filter((name) => exports[name] === space);
  return names.find((name) => name !== 'default') ?? names[0];
}

/** What options are when nobody gives any: their defaults, else the example of the author. */
export function deriveDefaultOptions({ options: schema }: PluginModule): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse({});
  if (parsed.success) return parsed.data;
  const [example] = (schema.meta()?.['examples'] as readonly unknown[] | undefined) ?? [];
  if (example !== undefined) return schema.parse(example);
  const [issue] = parsed.error.issues;
  throw new ConfigurationError(
    `its spaces need options: ${issue?.path.join('.')}: ${issue?.message}. ` +
      'Give the options an example, .meta({ examples: [{ … }] }), or name a module that makes the spaces.',
    ['bae conformance ./MODULE'],
  );
}
