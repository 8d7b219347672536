import 'reflect-metadata';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { makeTool, type NamelessTool, type ToolFunction, type ToolParams, type ToolSettings } from './tool-record.ts';

const TOOLS = Symbol.for('bae.tools');

/** What `@tool` stores on a class: the method, and how to make its tool for one instance. */
interface ToolRecord {
  readonly key: string;
  bind(instance: object): ToolDefinition;
}

/** Options of the `@tool` decorator. */
interface ToolDecoratorOptions<P extends ToolParams> extends ToolSettings<P> {
  /** The first line describes the result. */
  readonly description: string;
  readonly params: P;
  /** Default: the method's name. */
  readonly name?: string;
}

/** Decorates a method that takes a tool's parameters; a mismatch is a compile error. */
type ToolMethodDecorator<P extends ToolParams> = <M extends ToolFunction<P>>(
  target: object,
  key: string,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/**
 * Makes a method of a `@resourcespace` class a tool.
 *
 * The method is called with one object of validated arguments, and the context.
 */
export function tool<P extends ToolParams>(options: ToolDecoratorOptions<P>): ToolMethodDecorator<P>;

/**
 * Makes a tool without a class, for `defineResourcespace({ tools: { name: tool(…) } })`.
 *
 * @param description the first line describes the result
 * @param params zod schemas by parameter name; the first that is not the body takes the tag's argument
 */
export function tool<P extends ToolParams>(
  description: string,
  params: P,
  run: ToolFunction<P>,
  settings?: ToolSettings<P>,
): NamelessTool;

export function tool<P extends ToolParams>(
  first: ToolDecoratorOptions<P> | string,
  params?: P,
  run?: ToolFunction<P>,
  settings: ToolSettings<P> = {},
): ToolMethodDecorator<P> | NamelessTool {
  if (typeof first !== 'string') return decorateMethod(first);
  return makeTool({ description: first, params: params as P, run: run as ToolFunction<P>, settings });
}

function decorateMethod<P extends ToolParams>(options: ToolDecoratorOptions<P>): ToolMethodDecorator<P> {
  const { description, params, name, ...settings } = options;
  return (prototype, key) => {
    recordTool(prototype, {
      key,
      bind(instance) {
        const method = (instance as Record<string, ToolFunction<P>>)[key] as ToolFunction<P>;
        const bound = {
          ...settings,
          ...(settings.preview && { preview: settings.preview.bind(instance) }),
          ...(settings.target && { target: settings.target.bind(instance) }),
        };
        return makeTool({ description, params, run: method.bind(instance), settings: bound }).named(name ?? key);
      },
    });
  };
}

/** Adds a tool to a prototype; a method of a subclass replaces that of its parent. */
function recordTool(prototype: object, record: ToolRecord): void {
  const others = readToolRecords(prototype).filter((other) => other.key !== record.key);
  Reflect.defineMetadata(TOOLS, [...others, record], prototype);
}

/** The tools of a prototype or instance, inherited ones included. */
export function readToolRecords(target: object): readonly ToolRecord[] {
  return (Reflect.getMetadata(TOOLS, target) as readonly ToolRecord[] | undefined) ?? [];
}
