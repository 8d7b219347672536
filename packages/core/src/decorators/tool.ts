import { recordTool } from './tool-metadata.ts';
import type { ToolDecoratorOptions, ToolFunction, ToolParams, ToolSettings } from './tool-options.ts';
import { toolRecord, type NamelessTool } from './tool-record.ts';

/** A method that fits a tool's parameters; a mismatch is a compile error. */
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
 * @param description the first line says what comes back
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
  if (typeof first !== 'string') return methodDecorator(first);
  return toolRecord({ description: first, params: params as P, run: run as ToolFunction<P>, settings });
}

function methodDecorator<P extends ToolParams>(options: ToolDecoratorOptions<P>): ToolMethodDecorator<P> {
  const { description, params, name, ...settings } = options;
  return (prototype, key) => {
    recordTool(prototype, {
      key,
      bind(instance) {
        const method = (instance as Record<string, ToolFunction<P>>)[key] as ToolFunction<P>;
        const preview = settings.preview?.bind(instance);
        const target = settings.target?.bind(instance);
        const bound = {
          ...settings,
          ...(preview !== undefined && { preview }),
          ...(target !== undefined && { target }),
        };
        return toolRecord({ description, params, run: method.bind(instance), settings: bound }).named(name ?? key);
      },
    });
  };
}
