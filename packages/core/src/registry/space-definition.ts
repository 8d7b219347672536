import { readSpaceRecord, type SpaceRecord } from '../decorators/resourcespace.ts';
import { readToolRecords } from '../decorators/tool.ts';
import { InvalidSpaceError } from '../errors/setup-errors.ts';
import type { Resourcespace, SpaceDefinition } from '../protocol/resourcespace.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { optionalMembers } from './optional-members.ts';
import { requireMembers, requireTools } from './required-members.ts';

/** Every space looked at so far, so that walking a tree again costs nothing. */
const described = new WeakMap<object, SpaceDefinition>();

/**
 * The plain record of a space: a decorated instance is converted, a record is checked and comes back
 * as it is. The same source always gives the same record.
 *
 * @throws InvalidSpaceError naming the member that is missing, or saying that the class is not decorated
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
  if (className !== 'Object' && !('tools' in source)) throw undecorated(className);
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

/** The error for a class, or an instance of one, that says nothing about being a space. */
export function undecorated(className: string): InvalidSpaceError {
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
