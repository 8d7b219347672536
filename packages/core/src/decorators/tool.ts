import 'reflect-metadata/lite';
import { $ZodObject, type $ZodType, type output } from 'zod/v4/core';
import { isConflict } from '../errors/bae-error.ts';
import { MOST_PLANS } from '../protocol/limits.ts';
import {
  isChange,
  type CallTarget,
  type Change,
  type EffectDetails,
  type ToolArguments,
  type ToolContext,
  type ToolDefinition,
  type ToolEffect,
  type ToolOutput,
  type ToolReturn,
} from '../protocol/tool-definition.ts';
import { deriveSpec, nameReturnType } from '../tool-spec/derive-spec.ts';

const TOOLS = Symbol.for('bae.tools');
const CONFIRMING_VERBS = new Set(['write', 'edit']);
const READING_VERBS = new Set(['read', 'glob', 'grep']);

/** An object schema, or just its fields in order. */
type ParamSchemas = $ZodObject | Readonly<Record<string, $ZodType>>;

/**
 * Parameters of a tool: an object schema, or just its fields in order; or a function that makes either. It is called
 * when the tool is first described or called, so that a program starts without making schemas.
 */
export type ToolParams = ParamSchemas | (() => ParamSchemas);

type ToolArgs<P extends ToolParams> = P extends () => infer S
  ? S extends ParamSchemas
    ? SchemaArgs<S>
    : never
  : P extends ParamSchemas
    ? SchemaArgs<P>
    : never;

type SchemaArgs<P extends ParamSchemas> = P extends $ZodObject
  ? output<P>
  : { readonly [K in keyof P]: P[K] extends $ZodType ? output<P[K]> : never };

type ParamName<P extends ToolParams> = keyof ToolArgs<P> & string;

/** Settings of a tool besides its description and parameters. */
interface ToolSettings<P extends ToolParams, O extends Output = undefined> extends EffectDetails {
  /**
   * Schema of the data that it returns, or that the `whole` of its output returns, or a function that makes it on first
   * use: a mismatch is a compile error.
   */
  readonly output?: O | (() => O);
  /** Effect of the tool. Default: `read` for read, glob and grep; `write` for every other tool. */
  readonly effect?: ToolEffect;
  /** Name of the parameter that receives the text between the opening and the closing tag. */
  readonly body?: ParamName<P>;
  /** Returns the name of a parameter that may be written between the tags too, like a body. Default: there is none. */
  readonly mayBeBody?: () => ParamName<P> | undefined;
  /** True to receive a line range at the end of the argument separately, as `context.range`. */
  readonly range?: boolean;
  /**
   * TypeScript type of the value that code gets, such as `string[]`. Default: that of `output`, otherwise any value.
   */
  readonly returns?: string;
  /**
   * Returns the target of a call in the spelling with which approval rules are compared: for a file, its path without
   * links. In a class, `this` is the instance. Default: the argument as it was sent.
   */
  readonly target?: (args: ToolArgs<P>, context: ToolContext) => string | CallTarget | Promise<string | CallTarget>;
  /**
   * True if the function only plans: it changes nothing and returns a `Change`, which is applied after consent, or a
   * result if there is nothing to change. Default: the function itself makes the change.
   */
  readonly plan?: boolean;
  /** True if the result confirms a change and is shown in full. Default: true for write and edit. */
  readonly confirms?: boolean;
  /**
   * Parameters whose values only select among what the space has, such as the title of a test: they are neither sent
   * nor run, so a call needs no consent for having copied one from a text that was read. A function decides by the
   * arguments. Default: none.
   */
  readonly selects?: readonly ParamName<P>[] | ((args: ToolArgs<P>) => readonly ParamName<P>[]);
  /**
   * True if calls reach files only through the workspace, or not at all, and start no programs: they then see the
   * changes of a run block, and consent to their own changes is requested once, at its end. A function decides by the
   * arguments. Default: false.
   */
  readonly seesDraft?: boolean | ((args: ToolArgs<P>) => boolean);
  /**
   * Shows the effect of a call, as a unified diff or in words, without changing anything: for the person who approves
   * it. In a class, `this` is the instance. Not for a function that plans.
   */
  readonly preview?: (args: ToolArgs<P>, context: ToolContext) => string | Promise<string>;
  /** Time limit of one call, in milliseconds. */
  readonly timeoutMs?: number;
  /** Returns the error for a call that exceeded its time limit. Default: that it should be asked for less. */
  readonly explainTimeout?: ToolDefinition['explainTimeout'];
  /** What a search reads of parameters that a function makes. Default: the parameters are made for it. */
  readonly parameterDocs?: ToolDefinition['parameterDocs'];
}

type Output = $ZodType | undefined;

/** Type that a tool with an output schema may return; any value if it has none. */
type Returned<O extends Output> = O extends $ZodType
  ? Change | Described<output<O>> | Pieces<output<O>>
  : Change | ToolReturn;

/** Data of a type, as it is or behind a text. */
type Described<T> = T | (Omit<ToolOutput, 'whole'> & { whole(): Whole<T> | Promise<Whole<T>> });

/** Code gets text or data behind a text, but no number or truth value. */
type Whole<T> = T & (object | string);

/** Generator whose pieces are shown, and which returns the data; or whose pieces are the data, if that is a list. */
type Pieces<T> =
  | Generator<unknown, Described<T>>
  | AsyncGenerator<unknown, Described<T>>
  | (T extends readonly (infer Item)[] ? IteratorObject<Item, void> | AsyncIterable<Item, void> : never);

/** Implementation of a tool: takes validated arguments; returns text, a richer output or (with `plan`) a `Change`. */
type ToolFunction<P extends ToolParams, O extends Output = undefined> = (
  args: ToolArgs<P>,
  context: ToolContext,
) => Returned<O> | Promise<Returned<O>>;

/**
 * Tool that gets its name later: from its key, or from the method that it decorates. `tool()` returns it without this
 * name, which the declarations of a package that exports a tool could not import.
 */
export interface NamelessTool {
  named(name: string): ToolDefinition;
}

/** Source of a tool, common to both ways of declaring one. */
interface ToolSource<P extends ToolParams, O extends Output = Output> extends ToolSettings<P, O> {
  /** Description, whose first line describes the result. */
  readonly description: string;
  readonly params: P;
  readonly run: ToolFunction<P, O>;
}

/** Record that `@tool` stores on a class: the method, and a function that creates its tool for one instance. */
interface ToolRecord {
  readonly key: string;
  bind(instance: object): ToolDefinition;
}

interface ToolDecoratorOptions<P extends ToolParams, O extends Output = undefined> extends Omit<
  ToolSource<P, O>,
  'run'
> {
  /** Name of the tool. Default: the method's name. */
  readonly name?: string;
}

/** Decorator of a method that takes a tool's parameters; a mismatch is a compile error. */
type ToolMethodDecorator<P extends ToolParams, O extends Output> = <M extends ToolFunction<P, O>>(
  target: object,
  key: string,
  descriptor: TypedPropertyDescriptor<M>,
) => void;

/**
 * Turns a method of a `@resourcespace` class into a tool. The method is called with one object of validated arguments,
 * and the context.
 */
export function tool<P extends ToolParams, O extends Output = undefined>(
  options: ToolDecoratorOptions<P, O>,
): ToolMethodDecorator<P, O>;

/**
 * Creates a tool without a class, for `defineResourcespace({ tools: { name: tool(…) } })`.
 *
 * @param description the first line describes the result
 * @param params zod schemas by parameter name, or a function that makes them on first use; the first that is not the
 *   body takes the tag's argument
 */
export function tool<P extends ToolParams, O extends Output = undefined>(
  description: string,
  params: P,
  run: ToolFunction<P, NoInfer<O>>,
  settings?: ToolSettings<P, O>,
): { named(name: string): ToolDefinition };

export function tool<P extends ToolParams, O extends Output>(
  first: ToolDecoratorOptions<P, O> | string,
  params?: P,
  run?: ToolFunction<P, O>,
  settings: ToolSettings<P, O> = {},
): ToolMethodDecorator<P, O> | NamelessTool {
  if (typeof first !== 'string') return decorateMethod(first);
  const source = { ...settings, description: first, params: params as P, run: run as ToolFunction<P, O> };
  return { named: (name) => makeTool(name, source, deferSignature(name, source)) };
}

function decorateMethod<P extends ToolParams, O extends Output>({
  name,
  ...source
}: ToolDecoratorOptions<P, O>): ToolMethodDecorator<P, O> {
  const { preview, target } = source;
  return (prototype, key) => {
    // One for all instances, each of which belongs to one session.
    const getSignature = deferSignature(name ?? key, source);
    const bind = (instance: object) => {
      const method = (instance as Record<string, ToolFunction<P, O>>)[key] as ToolFunction<P, O>;
      const bound = {
        ...source,
        run: method.bind(instance),
        ...(preview && { preview: preview.bind(instance) }),
        ...(target && { target: target.bind(instance) }),
      };
      return makeTool(name ?? key, bound, getSignature);
    };
    // A method of a subclass replaces its parent's.
    const others = readToolRecords(prototype).filter((other) => other.key !== key);
    Reflect.defineMetadata(TOOLS, [...others, { key, bind }], prototype);
  };
}

/** Returns the tools of a prototype or instance, including inherited ones. */
export function readToolRecords(target: object): readonly ToolRecord[] {
  return (Reflect.getMetadata(TOOLS, target) as readonly ToolRecord[] | undefined) ?? [];
}

/** Schema and signature of a tool. */
type Signature = Pick<ToolDefinition, 'params' | 'spec'>;

interface SignatureSource extends Pick<
  ToolSource<ToolParams>,
  'description' | 'params' | 'range' | 'returns' | 'output'
> {
  readonly body?: string;
  readonly mayBeBody?: () => string | undefined;
}

/** Returns a function that makes the signature of a tool when it is first called. */
function deferSignature(name: string, source: SignatureSource): () => Signature {
  let made: Signature | undefined;
  return () => (made ??= makeSignature(name, source));
}

/** @throws InvalidSpaceError when `body` names a parameter that does not exist */
function makeSignature(name: string, source: SignatureSource): Signature {
  const schema = makeOutputSchema(source);
  const { description, body, mayBeBody, range, returns = schema && nameReturnType(schema) } = source;
  const given = typeof source.params === 'function' ? source.params() : source.params;
  const params = given instanceof $ZodObject ? given : new $ZodObject({ type: 'object', shape: given });
  return { params, spec: deriveSpec({ name, description, params, body, mayBeBody: mayBeBody?.(), range, returns }) };
}

function makeOutputSchema({ output: given }: Pick<ToolSource<ToolParams>, 'output'>): Output {
  return typeof given === 'function' ? given() : given;
}

/**
 * Creates the plain record of a tool.
 *
 * @throws InvalidSpaceError when `body` names a parameter that does not exist, unless the parameters are a function
 */
function makeTool<P extends ToolParams, O extends Output>(
  name: string,
  source: ToolSource<P, O>,
  getSignature: () => Signature,
): ToolDefinition {
  const {
    description,
    timeoutMs,
    explainTimeout,
    parameterDocs,
    selects,
    target,
    preview,
    idempotent,
    destructive,
    openWorld,
    cost,
    confirms = CONFIRMING_VERBS.has(name),
    seesDraft = false,
  } = source;
  if (typeof source.params !== 'function') getSignature();
  let schema: Output;
  return {
    name,
    description,
    effect: source.effect ?? (READING_VERBS.has(name) ? 'read' : 'write'),
    get params() {
      return getSignature().params;
    },
    get spec() {
      return getSignature().spec;
    },
    get output() {
      return (schema ??= makeOutputSchema(source));
    },
    idempotent,
    destructive,
    openWorld,
    cost,
    ...(confirms && { confirms }),
    ...(seesDraft !== false && {
      seesDraft: seesDraft === true ? () => true : (seesDraft as (args: ToolArguments) => boolean),
    }),
    timeoutMs,
    explainTimeout,
    parameterDocs,
    selects: selects as ToolDefinition['selects'],
    ...(target && { target }),
    ...(preview && { preview }),
    ...implementTool(source),
  };
}

/** Creates the functions that the router calls: `invoke` alone, or `plan` and both steps in one. */
function implementTool<P extends ToolParams, O extends Output>(
  source: ToolSource<P, O>,
): Pick<ToolDefinition, 'invoke' | 'plan'> {
  if (source.plan !== true) return { invoke: source.run as ToolDefinition['invoke'] };
  // The schema validates the arguments before either function is called, so they have the type that `run` expects.
  const plan = source.run as NonNullable<ToolDefinition['plan']>;
  const findTarget: ToolDefinition['target'] = source.target;
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
