import 'reflect-metadata';
import type { ToolDefinition } from '../protocol/tool-definition.ts';

const SPACE = Symbol.for('bae.resourcespace');
const TOOLS = Symbol.for('bae.tools');

/** What `@resourcespace` writes down. */
export interface SpaceRecord {
  readonly name: string;
  readonly description: string;
  readonly group?: string;
}

/** What `@tool` writes down: which method, and how to make its record for one instance. */
export interface ToolRecord {
  readonly key: string;
  bind(instance: object): ToolDefinition;
}

/** Remembers what a class is, on the class. */
export function recordSpace(target: object, record: SpaceRecord): void {
  Reflect.defineMetadata(SPACE, record, target);
}

/** What `@resourcespace` said of a class; undefined when it is not decorated. */
export function readSpaceRecord(target: object): SpaceRecord | undefined {
  return Reflect.getMetadata(SPACE, target) as SpaceRecord | undefined;
}

/** Adds one tool to a class's prototype; a method of a subclass takes the place of its parent's. */
export function recordTool(prototype: object, record: ToolRecord): void {
  const others = readToolRecords(prototype).filter((other) => other.key !== record.key);
  Reflect.defineMetadata(TOOLS, [...others, record], prototype);
}

/** The tools of a prototype or instance, inherited ones included. */
export function readToolRecords(target: object): readonly ToolRecord[] {
  return (Reflect.getMetadata(TOOLS, target) as readonly ToolRecord[] | undefined) ?? [];
}
