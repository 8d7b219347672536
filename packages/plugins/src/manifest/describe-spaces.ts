import { isDeepStrictEqual } from 'node:util';
import type { SpaceDefinition, SpacePath, SpaceTree, ToolDefinition } from '@bae/core';
import type { ToolSpec } from '@bae/core/pipeline';
import type { ParamManifest, SpaceManifest, ToolManifest } from './plugin-manifest.ts';

const DETAILS = ['idempotent', 'destructive', 'openWorld', 'cost'] as const;
/** Functions of a space that load its code. */
const PARTS = ['search', 'contentOf', 'complete', 'locate'] as const;
const LATER: ReadonlySet<string> = new Set([...DETAILS, 'returns', 'selects']);

/** Maximum number of levels below a space that are described, because a space that contains itself has no end. */
export const DEEPEST = 8;

/** Describes the current state of every space of a tree. */
export function describeTree(tree: SpaceTree): readonly SpaceManifest[] {
  return tree.below([]).map((space) => describeSubtree(tree, [space.name], space));
}

function describeSubtree(tree: SpaceTree, path: SpacePath, space: SpaceDefinition): SpaceManifest {
  const { name, description, tools } = space;
  const below = path.length < DEEPEST ? tree.below(path) : [];
  return {
    name,
    description,
    ...pickRecord(space),
    ...Object.fromEntries(PARTS.filter((part) => space[part] !== undefined).map((part) => [part, true])),
    tools: Object.values(tools).map(describeTool),
    children: below.map((child) => describeSubtree(tree, [...path, child.name], child)),
  };
}

/** Returns the optional properties of a space that are known without its code. */
export function pickRecord({
  group,
  synonyms,
  answerLimit,
}: Pick<SpaceManifest, 'group' | 'synonyms' | 'answerLimit'>) {
  return {
    ...(group !== undefined && { group }),
    ...(synonyms !== undefined && { synonyms }),
    ...(answerLimit !== undefined && { answerLimit }),
  };
}

function describeTool(tool: ToolDefinition): ToolManifest {
  const { name, description, effect, spec, timeoutMs, selects, params } = tool;
  const details = DETAILS.filter((key) => tool[key] !== undefined).map((key) => [key, tool[key]]);
  const shape: Readonly<Record<string, unknown>> = params._zod.def.shape;
  return {
    name,
    description,
    effect,
    ...Object.fromEntries(details),
    params: spec.params.map((param) => describeParam(param, shape[param.name])),
    ...(spec.rest === true && { rest: true }),
    ...(spec.open === true && { open: true }),
    ...(spec.range === true && { range: true }),
    ...(spec.returns !== undefined && { returns: spec.returns }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    // A function decides only once the package is loaded.
    ...(Array.isArray(selects) && { selects }),
    ...(tool.confirms === true && { confirms: true }),
    ...(tool.target !== undefined && { target: true }),
    ...(tool.plan !== undefined && { plan: true }),
    ...(tool.preview !== undefined && { preview: true }),
  };
}

function describeParam(param: ToolSpec['params'][number], schema: unknown): ParamManifest {
  const { default: value, ...rest } = param;
  const values = listValues(schema);
  return {
    ...rest,
    ...('default' in param && { optional: true }),
    ...(value !== undefined && { default: roundTripJson(value) }),
    ...(values.some((one) => typeof one !== 'string') && { values }),
    ...('example' in param && { example: roundTripJson(param.example) }),
  };
}

function listValues(schema: unknown): readonly (string | number | boolean)[] {
  const { _zod } = schema as { readonly _zod: { readonly values?: ReadonlySet<unknown> } };
  return [...(_zod.values ?? [])].filter((value) => ['string', 'number', 'boolean'].includes(typeof value)) as string[];
}

function roundTripJson(value: unknown): unknown {
  const text = JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
  return text === undefined ? undefined : JSON.parse(text);
}

/**
 * Returns the differences between a manifest and the code, as sentences without a full stop. Child spaces may come and
 * go; those in both must have the same tools.
 */
export function compareManifests(
  declared: readonly SpaceManifest[],
  actual: readonly SpaceManifest[],
): readonly string[] {
  return compareNamed([declared, actual], 'space NAME', (left, right) => compareSpaces(left, right, left.name));
}

function compareSpaces(declared: SpaceManifest, actual: SpaceManifest, path: string): readonly string[] {
  const isSame = declared.description === actual.description;
  const compare = (left: ToolManifest, right: ToolManifest) => compareTools(left, right, path);
  return [
    ...(isSame ? [] : [`the description of ${path} differs in the code`]),
    ...compareNamed([declared.tools, actual.tools], `tool NAME of ${path}`, compare),
    ...declared.children.flatMap((child) => {
      const other = actual.children.find(({ name }) => name === child.name);
      return other === undefined ? [] : compareSpaces(child, other, `${path}.${child.name}`);
    }),
  ];
}

function compareTools(declared: ToolManifest, actual: ToolManifest, path: string): readonly string[] {
  const tool = `tool ${declared.name} of ${path}`;
  if (declared.effect !== actual.effect)
    return [`${tool} has the effect ${declared.effect} in the manifest, ${actual.effect} in the code`];
  const keys = [...new Set([...Object.keys(declared), ...Object.keys(actual)])] as (keyof ToolManifest)[];
  const key = keys.find((one) => !isLater(one, declared) && !isDeepStrictEqual(declared[one], actual[one]));
  return key === undefined ? [] : [`${tool} has other ${key} in the code`];
}

/** Returns true for a property that manifests of an earlier bae did not have. */
function isLater(key: keyof ToolManifest, declared: ToolManifest): boolean {
  return LATER.has(key) && declared[key] === undefined;
}

/** Lists the items that are in only one of two lists, followed by the differences between items in both. */
function compareNamed<T extends { readonly name: string }>(
  [declared, actual]: readonly [readonly T[], readonly T[]],
  what: string,
  compare: (declared: T, actual: T) => readonly string[],
): readonly string[] {
  const others = new Map(actual.map((one) => [one.name, one]));
  const describe = ({ name }: T): string => what.replace('NAME', () => name);
  const missing = declared.filter(({ name }) => !others.has(name));
  const added = actual.filter(({ name }) => declared.every((one) => one.name !== name));
  return [
    ...missing.map((one) => `${describe(one)} is in the manifest, not in the code`),
    ...added.map((one) => `${describe(one)} is in the code, not in the manifest`),
    ...declared.flatMap((one) => (others.has(one.name) ? compare(one, others.get(one.name)!) : [])),
  ];
}
