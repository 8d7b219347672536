import 'reflect-metadata/lite';
import { injectable } from 'tsyringe';
import { InvalidSpaceError } from '../errors/bae-error.ts';
import type { SpaceClass, SpaceRecord, Resourcespace, SpaceDefinition } from '../protocol/resourcespace.ts';
import { NAVIGATION_NAMES, VERBS } from '../protocol/verbs.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import type { NamelessTool } from './tool.ts';

const SPACE = Symbol.for('bae.resourcespace');
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const RESERVED: ReadonlySet<string> = new Set([...NAVIGATION_NAMES, ...VERBS, 'go', 'group', 'result']);

/**
 * Declares a class as a resourcespace. Only stores the record: nothing is registered or created. Constructor parameters
 * are injected; each names its token with `@inject(TOKEN)`.
 *
 * @throws InvalidSpaceError if the name is not an identifier, or the description is not one line
 */
export function resourcespace(record: SpaceRecord): (target: SpaceClass) => void {
  checkSpaceName(record);
  return (target) => {
    injectable()(target);
    Reflect.defineMetadata(SPACE, record, target);
  };
}

/** Returns the record of a class; undefined if it is not decorated. */
export function readSpaceRecord(target: object): SpaceRecord | undefined {
  return Reflect.getMetadata(SPACE, target) as SpaceRecord | undefined;
}

/** @throws InvalidSpaceError if the name is invalid, or the description is not one line */
export function checkSpaceName(record: SpaceRecord): void {
  const problem = describeNameProblem(record);
  if (problem !== undefined) throw new InvalidSpaceError(problem);
}

/** Explains why a space cannot have this name or description, with a remedy; undefined if it can. */
export function describeNameProblem({ name, description }: SpaceRecord): string | undefined {
  if (typeof name !== 'string' || !IDENTIFIER.test(name)) {
    return `a space's name is an identifier (letters, digits, _ and -); got ${JSON.stringify(name)}. Example: 'tickets'.`;
  }
  if (RESERVED.has(name.toLowerCase()))
    return `'${name}' already has another meaning in bae. Give the space another name.`;
  if (typeof description !== 'string' || description.trim() === '' || description.includes('\n')) {
    return `space '${name}' needs a one-line description. Example: 'Support tickets of the shop.'`;
  }
  return undefined;
}

/** Space written as one object, without a class, decorators or a build step. */
interface ResourcespaceOptions extends SpaceRecord, Partial<Resourcespace> {
  /** Tools by name: `{ read: tool(…) }`. */
  readonly tools: Readonly<Record<string, NamelessTool | ToolDefinition>>;
}

/**
 * Creates a resourcespace from a plain object.
 *
 * @throws InvalidSpaceError if the name is not an identifier, or the description is not one line
 */
export function defineResourcespace(options: ResourcespaceOptions): SpaceDefinition {
  checkSpaceName(options);
  const named = Object.entries(options.tools).map(([name, tool]) => [name, 'named' in tool ? tool.named(name) : tool]);
  const tools = Object.fromEntries(named) as Record<string, ToolDefinition>;
  return { enter: () => '', children: () => ({}), ...options, tools };
}
