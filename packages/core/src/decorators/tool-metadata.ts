import 'reflect-metadata';
import type { ToolDefinition } from '../protocol/tool-definition.ts';

const TOOLS = Symbol.for('bae.tools');

/** What `@tool` writes down: which method, and how to make its record for one instance. */
export interface ToolRecord {
  readonly key: string;
  bind(instance: object): ToolDefinition;
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
