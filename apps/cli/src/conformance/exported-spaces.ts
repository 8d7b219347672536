import { ConfigurationError, type Provision, type SpaceSource } from '@bae/core';
import type { PluginModule } from '@bae/plugins';

export interface MadeSpace {
  /** Name of the export; of a space that a function makes, its own name. */
  readonly name: string;
  make(provide: readonly Provision[]): SpaceSource;
}

/**
 * Lists the spaces that a module exports, or that its function `spaces(options, provided)` makes.
 *
 * @throws ConfigurationError when its spaces need options
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

/** The default options, else the example of the author. */
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
