import type { SpaceDefinition, SpacePath, SpaceTree, ToolDefinition } from '@bae/core';
import type { ParamSpec } from '@bae/core/pipeline';
import type { ParamManifest, SpaceManifest, ToolManifest } from './plugin-manifest.ts';

/** Levels below a space that are written down: one that lists itself below itself would be endless. */
const DEEPEST = 8;

/** Everything in a tree, as it is right now. */
export function describeTree(tree: SpaceTree): readonly SpaceManifest[] {
  return tree.below([]).map((space) => describeSpace(tree, [space.name], space));
}

function describeSpace(tree: SpaceTree, path: SpacePath, space: SpaceDefinition): SpaceManifest {
  const { name, description, group, tools } = space;
  const below = path.length < DEEPEST ? tree.below(path) : [];
  return {
    name,
    description,
    ...(group !== undefined && { group }),
    ...('search' in space && { search: true }),
    tools: Object.values(tools).map(describeTool),
    children: below.map((child) => describeSpace(tree, [...path, child.name], child)),
  };
}

function describeTool(tool: ToolDefinition): ToolManifest {
  const { name, description, effect, spec, timeoutMs, params } = tool;
  const shape: Readonly<Record<string, unknown>> = params._zod.def.shape;
  return {
    name,
    description,
    effect,
    params: spec.params.map((param) => describeParam(param, shape[param.name])),
    ...(spec.rest === true && { rest: true }),
    ...(spec.range === true && { range: true }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(tool.target !== undefined && { target: true }),
    ...(tool.preview !== undefined && { preview: true }),
  };
}

function describeParam(param: ParamSpec, schema: unknown): ParamManifest {
  const { default: value, ...rest } = param;
  const values = valuesOf(schema);
  return {
    ...rest,
    ...('default' in param && { optional: true }),
    ...(value !== undefined && { default: inJson(value) }),
    ...(values.some((one) => typeof one !== 'string') && { values }),
    ...('example' in param && { example: inJson(param.example) }),
  };
}

/** What a schema of few values takes. */
function valuesOf(schema: unknown): readonly (string | number | boolean)[] {
  const { _zod } = schema as { readonly _zod: { readonly values?: ReadonlySet<unknown> } };
  return [...(_zod.values ?? [])].filter((value) => ['string', 'number', 'boolean'].includes(typeof value)) as string[];
}

/** A value as it comes back out of a file. */
function inJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
  return text === undefined ? undefined : JSON.parse(text);
}
