import { InvalidSpaceError } from '../errors/setup-errors.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';

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
export function requireMembers(space: Partial<SpaceDefinition>): asserts space is SpaceDefinition {
  const subject = typeof space.name === 'string' ? `space '${space.name}'` : 'a space';
  requireEach(subject, space, SPACE_MEMBERS);
}

/** @throws InvalidSpaceError naming the first tool that is incomplete or listed under a name not its own */
export function requireTools(space: string, tools: Readonly<Record<string, unknown>>): void {
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
