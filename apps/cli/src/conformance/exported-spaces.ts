import { ConfigurationError, type SpaceSource } from '@bae/core';
import type { PluginModule } from '@bae/plugins';

/** A space that a module exports, and how to have one. */
export interface MadeSpace {
  /** Name of the export; of what a function makes, the name of the space. */
  readonly name: string;
  make(): SpaceSource;
}

/**
 * The spaces of a module: those that it exports, or what its function `spaces(options)` makes, anew each time.
 *
 * @throws ConfigurationError when its spaces cannot do without options
 */
export function exportedSpaces(module: PluginModule): readonly MadeSpace[] {
  const options = defaultsOf(module.options);
  const all = (): readonly SpaceSource[] => module.spaces(options);
  return all().map((space, index) => ({
    name: exportedAs(space, module) ?? (space as { readonly name?: string }).name ?? `spaces[${index}]`,
    make: () => all()[index]!,
  }));
}

function exportedAs(space: SpaceSource, { exports }: PluginModule): string | undefined {
  const names = Object.keys(exports).filter((name) => exports[name] === space);
  return names.find((name) => name !== 'default') ?? names[0];
}

/** What options are when nobody gives any: their defaults, else the example of the author. */
function defaultsOf(schema: PluginModule['options']): unknown {
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
