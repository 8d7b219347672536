import { $ZodObject, type $ZodType, type output } from 'zod/v4/core';
import {
  isChange,
  type CallTarget,
  type Change,
  type ToolContext,
  type ToolDefinition,
  type ToolEffect,
  type ToolReturn,
} from '../protocol/tool-definition.ts';
import { isConflict } from '../errors/call-errors.ts';
import { deriveSpec } from '../tool-spec/derive-spec.ts';

/** Parameters of a tool: an object schema, or just its fields in order. */
export type ToolParams = $ZodObject | Readonly<Record<string, $ZodType>>;

/** The arguments that a tool with these parameters is called with. */
type ToolArgs<P extends ToolParams> = P extends $ZodObject
  ? output<P>
  : { readonly [K in keyof P]: P[K] extends $ZodType ? output<P[K]> : never };

type ParamName<P extends ToolParams> = keyof ToolArgs<P> & string;

/** What may be declared of a tool besides its description and parameters. */
export interface ToolSettings<P extends ToolParams> {
  /** Default: `read` for read, glob and grep; `write` for every other tool. */
  readonly effect?: ToolEffect;
  /** The parameter that takes the text between the open and the close tag. */
  readonly body?: ParamName<P>;
  /** True to receive a line range at the end of the argument separately, as `context.range`. */
  readonly range?: boolean;
  /**
   * The target of a call in the one spelling that approval rules are compared with: for a file its path
   * without links. In a class, `this` is the instance. Default: the argument as it was sent.
   */
  readonly target?: (args: ToolArgs<P>, context: ToolContext) => string | CallTarget | Promise<string | CallTarget>;
  /**
   * True when the function plans: it changes nothing and returns a `Change`, which is applied after consent, or a
   * result when there is nothing to change. Default: the function itself makes the change.
   */
  readonly plan?: boolean;
  /** True when the result confirms a change and is shown whole. Default: for write and edit. */
  readonly confirms?: boolean;
  /**
   * Shows what a call would change, as a unified diff or in words, and changes nothing: for the person who
   * approves it. In a class, `this` is the instance. Not for a function that plans.
   */
  readonly preview?: (args: ToolArgs<P>, context: ToolContext) => string | Promise<string>;
  /** Longest time one call may take, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The implementation of a tool: validated arguments in; text, a richer output or (with `plan`) a `Change` out. */
export type ToolFunction<P extends ToolParams> = (
  args: ToolArgs<P>,
  context: ToolContext,
) => Change | ToolReturn | Promise<Change | ToolReturn>;

/** A tool that gets its name later: from its key, or from the method it decorates. */
export interface NamelessTool {
  named(name: string): ToolDefinition;
}

/** What a tool is made of, in both forms of declaring one. */
interface ToolSource<P extends ToolParams> {
  readonly description: string;
  readonly params: P;
  readonly run: ToolFunction<P>;
  readonly settings: ToolSettings<P>;
}

const CONFIRMING_VERBS = new Set(['write', 'edit']);
const READING_VERBS = new Set(['read', 'glob', 'grep']);

/**
 * Makes the plain record of a tool.
 *
 * @throws InvalidSpaceError when `body` names a parameter that does not exist
 */
export function makeTool<P extends ToolParams>(source: ToolSource<P>): NamelessTool {
  const { description, settings } = source;
  const params = objectSchema(source.params);
  return {
    named(name) {
      const spec = deriveSpec({ name, description, params, body: settings.body, range: settings.range });
      const effect: ToolEffect = settings.effect ?? (READING_VERBS.has(name) ? 'read' : 'write');
      const { timeoutMs, target, preview, confirms = CONFIRMING_VERBS.has(name) } = settings;
      const optional = {
        ...(confirms && { confirms }),
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(target !== undefined && { target }),
        ...(preview !== undefined && { preview }),
      };
      return { name, description, effect, params, spec, ...optional, ...implementTool(source) };
    },
  };
}

function objectSchema(params: ToolParams): $ZodObject {
  if (params instanceof $ZodObject) return params;
  return new $ZodObject({ type: 'object', shape: params });
}

/** Most plans of one call, when something else keeps changing what it was planned on. */
const MOST_PLANS = 20;

/** The functions that the router calls: `invoke` alone, or `plan` and both steps in one. */
function implementTool<P extends ToolParams>({
  run,
  settings,
}: ToolSource<P>): Pick<ToolDefinition, 'invoke' | 'plan'> {
  if (settings.plan !== true) return { invoke: run };
  // The schema validates the arguments before either is called, so they have the type that `run` expects.
  const plan = run as NonNullable<ToolDefinition['plan']>;
  const findTarget: ToolDefinition['target'] = settings.target;
  return {
    plan,
    invoke: async (args, given) => {
      const target = await findTarget?.(args, given);
      const context = typeof target === 'object' ? { ...given, target } : given;
      for (let attempt = 1; ; attempt++) {
        const planned = await plan(args, context);
        if (!isChange(planned)) return planned;
        try {
          return await planned.apply(context);
        } catch (error) {
          if (!isConflict(error) || attempt === MOST_PLANS) throw error;
        }
      }
    },
  };
}
