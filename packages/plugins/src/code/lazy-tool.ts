import type { ToolContext, ToolDefinition } from '@bae/core';
import type { ParamSpec, ToolSpec } from '@bae/core/pipeline';
import { $ZodObject, $ZodUnknown, type $ZodType } from 'zod/v4/core';
import type { ParamManifest, ToolManifest } from '../manifest/plugin-manifest.ts';

type Args = Readonly<Record<string, unknown>>;

/**
 * A tool as its manifest describes it, whose code is loaded when it is first needed: to check arguments, or to
 * be called.
 *
 * @param real loads the tool itself
 */
export function lazyTool(manifest: ToolManifest, real: () => Promise<ToolDefinition>): ToolDefinition {
  const { name, description, effect, timeoutMs } = manifest;
  return {
    name,
    description,
    effect,
    spec: specOf(manifest),
    params: whenNeeded(() => lazyParams(manifest, real)),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(manifest.target === true && {
      target: async (args: Args, context: ToolContext) => (await real()).target!(args, context),
    }),
    ...(manifest.preview === true && {
      preview: async (args: Args, context: ToolContext) => (await real()).preview!(args, context),
    }),
    invoke: async (args, context) => (await real()).invoke(args, context),
  };
}

function specOf({ name, description, params, rest, range }: ToolManifest): ToolSpec {
  return { name, doc: description, params: params.map(paramOf), ...(rest && { rest }), ...(range && { range }) };
}

/** A parameter may be left out exactly when it has the key `default`, whatever it holds. */
function paramOf(manifest: ParamManifest): ParamSpec {
  const { name, type, body, doc, optional } = manifest;
  return {
    name,
    type,
    ...(optional === true && { default: manifest.default }),
    ...(body === true && { body }),
    ...(doc !== undefined && { doc }),
    ...('example' in manifest && { example: manifest.example }),
  };
}

/** A schema that is made at the first look into it: most tools are listed and never called. */
function whenNeeded(make: () => $ZodObject): $ZodObject {
  let made: $ZodObject | undefined;
  return {
    get _zod() {
      made ??= make();
      return made._zod;
    },
  } as $ZodObject;
}

function lazyParams({ params }: ToolManifest, real: () => Promise<ToolDefinition>): $ZodObject {
  const fields = params.map(({ name, values }) => {
    const field = new $ZodUnknown({ type: 'unknown' });
    if (values !== undefined) field._zod.values = new Set(values);
    return [name, decidedBy(field, async () => (await real()).params._zod.def.shape[name]!)] as const;
  });
  const shape: Readonly<Record<string, $ZodType>> = Object.fromEntries(fields);
  return decidedBy(new $ZodObject({ type: 'object', shape }), async () => (await real()).params);
}

/** Makes one schema say what another one says, which is loaded when it is asked. */
function decidedBy<T extends $ZodType>(schema: T, real: () => Promise<$ZodType>): T {
  schema._zod.run = async (payload, context) => (await real())._zod.run(payload, context);
  return schema;
}
