import { readSpaceRecord } from '../decorators/resourcespace.ts';
import { readToolRecords } from '../decorators/tool.ts';
import { InvalidSpaceError } from '../errors/bae-error.ts';
import type { Confine } from '../protocol/approver.ts';
import type { Resourcespace, SpaceDefinition, SpaceLifetime, SpaceRecord } from '../protocol/resourcespace.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { openOnUse } from './open-on-use.ts';
import { NAVIGATION_NAMES, findVerb, VERBS } from '../protocol/verbs.ts';

const described = new WeakMap<object, SpaceDefinition>();
const confined = new WeakMap<SpaceDefinition, WeakMap<Confine, SpaceDefinition>>();

/**
 * Returns the plain record of a space: a decorated instance is converted, a record is checked. The same source always
 * gives the same record.
 *
 * @param confine runs everything that the space does except its calls, without any file that it may change. Default:
 *   it runs as it is
 * @throws InvalidSpaceError naming the missing member, or if the class is not decorated
 */
export function describeSpace(source: SpaceDefinition | Resourcespace, confine?: Confine): SpaceDefinition {
  const space = convertSpace(source, confine);
  if (confine === undefined) return space;
  const known = confined.get(space) ?? new WeakMap<Confine, SpaceDefinition>();
  const view = known.get(confine) ?? viewSpace(space, space.name, (work) => confine([], work));
  // A record that is described again stays the same.
  confined.set(space, known.set(confine, view)).set(view, new WeakMap([[confine, view]]));
  described.set(view, view);
  return view;
}

function convertSpace(source: SpaceDefinition | Resourcespace, confine?: Confine): SpaceDefinition {
  if (typeof source !== 'object' || source === null) {
    throw new InvalidSpaceError(
      `a space is a decorated class, an instance of one, or what defineResourcespace() returns; got ${getTypeName(source)}.`,
    );
  }
  const cached = described.get(source);
  if (cached !== undefined) return cached;
  const record = readSpaceRecord(source.constructor ?? Object);
  const space = openOnUse(record === undefined ? checkRecord(source) : convertInstance(source, record), confine);
  described.set(source, space).set(space, space);
  return space;
}

function checkRecord(source: Partial<SpaceDefinition>): SpaceDefinition {
  const className = source.constructor?.name ?? 'Object';
  if (className !== 'Object' && !('tools' in source)) throw createUndecoratedError(className);
  requireMembers(source);
  requireTools(source.name, source.tools);
  return source;
}

function convertInstance(instance: Resourcespace, record: SpaceRecord): SpaceDefinition {
  const space: Partial<SpaceDefinition> = {
    ...record,
    tools: bindTools(instance, record.name),
    // A plain JavaScript class may lack it, which the check below reports.
    ...('enter' in instance && { enter: () => instance.enter() }),
    children: () => instance.children?.() ?? {},
    ...bindOptionalMembers(instance),
  };
  requireMembers(space);
  return space;
}

function bindTools(instance: Resourcespace, space: string): Readonly<Record<string, ToolDefinition>> {
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

/** Creates the error for a class without the decorator, or an instance of one. */
export function createUndecoratedError(className: string): InvalidSpaceError {
  return new InvalidSpaceError(
    `class ${className || '(anonymous)'} is not a resourcespace: it has no @resourcespace decorator. ` +
      `Put @resourcespace({ name: 'tickets', description: 'Support tickets of the shop.' }) above the class, ` +
      `or make the space with defineResourcespace().`,
  );
}

/** Returns the optional members of a space as functions that can be called on their own. */
function bindOptionalMembers(
  space: Resourcespace | SpaceDefinition,
  run: RunMember = (work) => work(),
): Pick<
  SpaceDefinition,
  'onOpen' | 'status' | 'running' | 'isIdle' | 'search' | 'contentOf' | 'complete' | 'locate' | 'dispose'
> {
  return {
    ...(space.onOpen && { onOpen: (lifetime: SpaceLifetime) => run(() => space.onOpen!(lifetime)) }),
    ...(space.status && { status: () => run(() => space.status!()) }),
    ...(space.running && { running: () => run(() => space.running!()) }),
    ...(space.isIdle && { isIdle: (tool?: string) => run(() => space.isIdle!(tool)) }),
    ...(space.search && { search: (query: string, limit: number) => run(() => space.search!(query, limit)) }),
    ...(space.contentOf && { contentOf: (target: string) => run(() => space.contentOf!(target)) }),
    ...(space.complete && { complete: (typed: string, limit: number) => run(() => space.complete!(typed, limit)) }),
    ...(space.locate && { locate: (name: string, near: boolean) => run(() => space.locate!(name, near)) }),
    ...(space.dispose && { dispose: () => run(() => space.dispose!()) }),
  };
}

type RunMember = <T>(work: () => T) => T;

/** Returns the same space under another name: a child has the name under which its parent lists it. */
export function renameSpace(space: SpaceDefinition, name: string): SpaceDefinition {
  return space.name === name ? space : viewSpace(space, name);
}

function viewSpace(space: SpaceDefinition, name: string, run: RunMember = (work) => work()): SpaceDefinition {
  const { description, group, synonyms, answerLimit, isForeign } = space;
  return {
    name,
    description,
    ...(isForeign !== undefined && { isForeign }),
    ...(group !== undefined && { group }),
    ...(synonyms !== undefined && { synonyms }),
    ...(answerLimit !== undefined && { answerLimit }),
    // Read every time, because the tools of a mounted server may change.
    get tools() {
      return space.tools;
    },
    enter: () => run(() => space.enter()),
    children: () => run(() => space.children()),
    ...bindOptionalMembers(space, run),
  };
}

/** Required members: the type of each, and an example. */
type Members = Readonly<Record<string, readonly [type: 'string' | 'object' | 'function', example: string]>>;

const SPACE_MEMBERS: Members = {
  name: ['string', "name: 'tickets'"],
  description: ['string', "description: 'Support tickets of the shop.'"],
  tools: ['object', "tools: { read: tool('One ticket.', { id: z.int() }, …) }"],
  enter: ['function', "enter() { return '3 open tickets' }"],
  children: ['function', 'children() { return {} }'],
};

const TOOL_MEMBERS: Members = {
  name: ['string', "name: 'read'"],
  description: ['string', "description: 'One ticket.'"],
  invoke: ['function', "invoke() { return 'text' }"],
};

const SIGNATURE_MEMBERS: Members = {
  params: ['object', 'params: z.object({})'],
  spec: ['object', "spec: { name: 'read', params: [] }"],
};

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
      throw new InvalidSpaceError(
        `${subject} is not a tool (got ${getTypeName(tool)}). Make it with tool('…', {}, …).`,
      );
    }
    const { name } = tool as Partial<ToolDefinition>;
    requireEach(subject, tool, TOOL_MEMBERS);
    requireSignature(subject, tool);
    if (name !== key) {
      throw new InvalidSpaceError(`${subject} is named '${name}'. List it under its own name.`);
    }
  }
}

function requireSignature(subject: string, tool: Partial<ToolDefinition>): void {
  // What is made on first use is not made here: a server may have thousands of tools.
  if (Object.getOwnPropertyDescriptor(tool, 'spec')?.get !== undefined) return;
  requireEach(subject, tool, SIGNATURE_MEMBERS);
  if (!Array.isArray(tool.spec?.params))
    throw new InvalidSpaceError(`${subject} has a spec without params. Make it with tool('…', {}, …).`);
}

function requireEach(subject: string, holder: object, members: Members): void {
  for (const [name, [type, example]] of Object.entries(members)) {
    const got = getTypeName((holder as Readonly<Record<string, unknown>>)[name]);
    if (got === type) continue;
    throw new InvalidSpaceError(
      `${subject} lacks the required member '${name}' (expected ${type}, got ${got}). Add ${example}.`,
    );
  }
}

function getTypeName(value: unknown): string {
  return value === null ? 'null' : typeof value;
}

/** Names of bae's own functions in run blocks and tags; a tool of that name would hide them. */
const BUILTINS: ReadonlySet<string> = new Set([...NAVIGATION_NAMES, 'ai', 'store', 'go', 'run', 'result']);
const VERB_NAMES: ReadonlySet<string> = new Set(VERBS);

/** @throws InvalidSpaceError if the name of one of the space's tools already has another meaning */
export function checkToolNames(space: SpaceDefinition): void {
  for (const name of Object.keys(space.tools)) {
    if (VERB_NAMES.has(name)) continue;
    const lower = name.toLowerCase();
    const verb = findVerb(name);
    if (verb === undefined && !BUILTINS.has(lower)) continue;
    const reason = verb === undefined ? `would hide bae's own ${lower}` : `is read as the verb ${verb}`;
    throw new InvalidSpaceError(
      `tool '${name}' of space '${space.name}' ${reason}. Give the tool another name, for example '${space.name}_${name}'.`,
    );
  }
}
