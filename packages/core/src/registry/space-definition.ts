import { readSpaceRecord, type SpaceRecord, describeNameProblem } from '../decorators/resourcespace.ts';
import { readToolRecords } from '../decorators/tool.ts';
import { InvalidSpaceError } from '../errors/setup-errors.ts';
import type { Resourcespace, SpaceDefinition } from '../protocol/resourcespace.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { NAVIGATION_NAMES, TAG_NAMES, VERBS } from '../protocol/verbs.ts';

/** Caches records, so that walking a tree again costs nothing. */
const described = new WeakMap<object, SpaceDefinition>();

/**
 * The plain record of a space: a decorated instance is converted, a record is checked and comes back
 * as it is. The same source always gives the same record.
 *
 * @throws InvalidSpaceError naming the missing member, or when the class is not decorated
 */
export function describeSpace(source: SpaceDefinition | Resourcespace): SpaceDefinition {
  if (typeof source !== 'object' || source === null) throw notASpace(source);
  const known = described.get(source);
  if (known !== undefined) return known;
  const record = readSpaceRecord(source.constructor ?? Object);
  const space = record === undefined ? checkedRecord(source) : fromInstance(source, record);
  described.set(source, space).set(space, space);
  return space;
}

function checkedRecord(source: Partial<SpaceDefinition>): SpaceDefinition {
  const className = source.constructor?.name ?? 'Object';
  if (className !== 'Object' && !('tools' in source)) throw createUndecoratedError(className);
  requireMembers(source);
  requireTools(source.name, source.tools);
  return source;
}

function fromInstance(instance: Resourcespace, record: SpaceRecord): SpaceDefinition {
  const space: Partial<SpaceDefinition> = {
    ...record,
    tools: toolsOf(instance, record.name),
    // A plain JavaScript class may have left it out, which the check below reports.
    ...('enter' in instance && { enter: () => instance.enter() }),
    children: () => instance.children?.() ?? {},
    ...optionalMembers(instance),
  };
  requireMembers(space);
  return space;
}

function toolsOf(instance: Resourcespace, space: string): Readonly<Record<string, ToolDefinition>> {
  const tools = new Map<string, ToolDefinition>();
  for (const record of readToolRecords(instance)) {
    const tool = record.bind(instance);
    if (tools.has(tool.name)) {
      throw new InvalidSpaceError(`space '${space}' has two tools named '${tool.name}'. Rename one of them.`);
    }
    tools.set(tool.name, tool);
  }
  return Object.fromEntries(tools);
}

/** The error for a class, or an instance of one, without the decorator. */
export function createUndecoratedError(className: string): InvalidSpaceError {
  return new InvalidSpaceError(
    `class ${className || '(anonymous)'} is not a resourcespace: it has no @resourcespace decorator. ` +
      `Put @resourcespace({ name: 'tickets', description: 'Support tickets of the shop.' }) above the class, ` +
      `or make the space with defineResourcespace().`,
  );
}

function notASpace(source: unknown): InvalidSpaceError {
  const got = source === null ? 'null' : typeof source;
  return new InvalidSpaceError(
    `a space is a decorated class, an instance of one, or what defineResourcespace() returns; got ${got}.`,
  );
}

/** What a space may have besides its required members, as functions that can be called on their own. */
function optionalMembers(
  space: Resourcespace | SpaceDefinition,
): Pick<SpaceDefinition, 'status' | 'search' | 'dispose'> {
  return {
    ...(space.status && { status: () => space.status!() }),
    ...(space.search && { search: (query: string, limit: number) => space.search!(query, limit) }),
    ...(space.dispose && { dispose: () => space.dispose!() }),
  };
}

/** The same space under another name: a child has the name under which its parent lists it. */
export function renameSpace(space: SpaceDefinition, name: string): SpaceDefinition {
  if (space.name === name) return space;
  const { description, group, answerLimit } = space;
  return {
    name,
    description,
    ...(group !== undefined && { group }),
    ...(answerLimit !== undefined && { answerLimit }),
    // Read each time, because tools of a mounted server may change.
    get tools() {
      return space.tools;
    },
    enter: () => space.enter(),
    children: () => space.children(),
    ...optionalMembers(space),
  };
}

interface Member<T> {
  readonly name: keyof T & string;
  readonly type: 'string' | 'object' | 'function';
  /** The member as it could be written. */
  readonly example: string;
}

const SPACE_MEMBERS: readonly Member<SpaceDefinition>[] = [
  { name: 'name', type: 'string', example: "name: 'tickets'" },
  { name: 'description', type: 'string', example: "description: 'Support tickets of the shop.'" },
  { name: 'tools', type: 'object', example: "tools: { read: tool('One ticket.', { id: z.int() }, …) }" },
  { name: 'enter', type: 'function', example: "enter() { return '3 open tickets' }" },
  { name: 'children', type: 'function', example: 'children() { return {} }' },
];

const TOOL_MEMBERS: readonly Member<ToolDefinition>[] = [
  { name: 'name', type: 'string', example: "name: 'read'" },
  { name: 'description', type: 'string', example: "description: 'One ticket.'" },
  { name: 'params', type: 'object', example: 'params: z.object({})' },
  { name: 'spec', type: 'object', example: "spec: { name: 'read', params: [] }" },
  { name: 'invoke', type: 'function', example: "invoke() { return 'text' }" },
];

/** @throws InvalidSpaceError naming the first required member of a space that is missing or of a wrong type */
function requireMembers(space: Partial<SpaceDefinition>): asserts space is SpaceDefinition {
  const subject = typeof space.name === 'string' ? `space '${space.name}'` : 'a space';
  requireEach(subject, space, SPACE_MEMBERS);
}

/** @throws InvalidSpaceError naming the first tool that is incomplete or listed under a name not its own */
function requireTools(space: string, tools: Readonly<Record<string, unknown>>): void {
  for (const [key, tool] of Object.entries(tools)) {
    const subject = `tool '${key}' of space '${space}'`;
    if (typeof tool !== 'object' || tool === null) {
      throw new InvalidSpaceError(`${subject} is no tool (got ${typeName(tool)}). Make it with tool('…', {}, …).`);
    }
    const { name, spec } = tool as Partial<ToolDefinition>;
    requireEach(subject, tool, TOOL_MEMBERS);
    if (!Array.isArray(spec?.params)) {
      throw new InvalidSpaceError(`${subject} has a spec without params. Make it with tool('…', {}, …).`);
    }
    if (name !== key) {
      throw new InvalidSpaceError(`${subject} is named '${name}'. List it under its own name.`);
    }
  }
}

function requireEach<T>(subject: string, holder: Partial<T>, members: readonly Member<T>[]): void {
  for (const { name, type, example } of members) {
    const got = typeName(holder[name]);
    if (got === type) continue;
    throw new InvalidSpaceError(
      `${subject} lacks the required member '${name}' (expected ${type}, got ${got}). Add ${example}.`,
    );
  }
}

function typeName(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

/** What run blocks and tags call something of bae's own; a tool of that name would hide it. */
const BUILTINS: ReadonlySet<string> = new Set([...NAVIGATION_NAMES, 'ai', 'store', 'go', 'run', 'result']);
const VERB_NAMES: ReadonlySet<string> = new Set(VERBS);

/** @throws InvalidSpaceError when the name cannot be one, or the description is not one line */
export function checkSpaceName(space: SpaceDefinition): void {
  const problem = describeNameProblem(space);
  if (problem !== undefined) throw new InvalidSpaceError(problem);
}

/** @throws InvalidSpaceError when a tool of the space is named like something that means more than the tool */
export function checkToolNames(space: SpaceDefinition): void {
  for (const name of Object.keys(space.tools)) {
    if (VERB_NAMES.has(name)) continue;
    const lower = name.toLowerCase();
    const verb = Object.hasOwn(TAG_NAMES, lower) ? TAG_NAMES[lower] : undefined;
    if (verb === undefined && !BUILTINS.has(lower)) continue;
    const reason = verb === undefined ? `would hide bae's own ${lower}` : `is read as the verb ${verb}`;
    throw new InvalidSpaceError(
      `tool '${name}' of space '${space.name}' ${reason}. Give the tool another name, for example '${space.name}_${name}'.`,
    );
  }
}
