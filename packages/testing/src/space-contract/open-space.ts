import {
  ApprovalError,
  allowAll,
  asModelText,
  createAgent,
  openSpaces,
  type Agent,
  type Change,
  type Provision,
  type SpaceDefinition,
  type SpaceSource,
  type ToolContext,
  type ToolDefinition,
  type ToolResult,
} from '@bae/core';
import type { SampleCall, SpaceSamples } from './space-samples.ts';

/** Space under test, with the values it needs and the resources started for it. */
export interface SpaceSubject {
  readonly space: SpaceSource;
  /** Values for the constructor of the space. */
  readonly provide?: readonly Provision[];
  /** Secrets that the space was given; nothing that it shows may contain them. */
  readonly secrets?: readonly string[];
  dispose?(): void | Promise<void>;
}

/**
 * Creates the space to check: a new one each time, always with the same content. Changes in one must not be visible in
 * the others.
 */
export type SpaceFactory = () => SpaceSource | SpaceSubject | Promise<SpaceSource | SpaceSubject>;

/** Options for opening a space. */
export interface OpenOptions {
  readonly create: SpaceFactory;
  readonly samples: SpaceSamples;
  /** Time limit of any operation, in milliseconds. */
  readonly patienceMs: number;
}

/** Reports and questions of a running tool. */
export type ToolReport =
  | {
      readonly type: 'progress';
      readonly done: number;
      readonly total?: number | undefined;
      readonly text?: string | undefined;
    }
  | { readonly type: 'output'; readonly text: string }
  | { readonly type: 'question'; readonly question: Question }
  | { readonly type: 'prompt'; readonly prompt: string };

/** Run of a tool: its arguments, and its return value before any conversion. */
export interface ToolRun {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly reports: ToolReport[];
  /** Reports that it makes after it is over. */
  readonly late: ToolReport[];
  isOver?: boolean;
  returned?: unknown;
}

type Question = Parameters<ToolContext['ask']>[0];
type Answers = Awaited<ReturnType<ToolContext['ask']>>;

/** Result of one call, and the values that the tool itself returned. */
export interface CallOutcome {
  readonly result: ToolResult;
  readonly runs: readonly ToolRun[];
}

/** Time limit for disposing of a space, in milliseconds. */
const LONGEST_CLOSE = 1000;

/** New space in its own session, with consent to everything. */
export class OpenSpace {
  readonly samples: SpaceSamples;
  /** Space as its author wrote it. */
  readonly definition: SpaceDefinition;
  /** Session whose location is the space. */
  readonly agent: Agent;
  /** False if the user does not answer, and allows no question to the model. */
  isAnswered = true;
  readonly #patienceMs: number;
  readonly #subject: SpaceSubject;
  readonly #runs: ToolRun[] = [];

  private constructor(subject: SpaceSubject, { samples, patienceMs }: OpenOptions) {
    this.samples = samples;
    this.#patienceMs = patienceMs;
    this.#subject = subject;
    const { space, provide = [] } = subject;
    const [definition] = openSpaces({ spaces: [space], provide }).tree.below([]);
    if (definition === undefined) throw new Error('create() gave no space.');
    this.definition = definition;
    const observed = replaceTools(definition, (tool) => this.#record(tool));
    this.agent = createAgent({ spaces: [observed], approver: allowAll, provide });
  }

  /** @throws any error that prevents the space from being created, registered or entered */
  static async open(options: OpenOptions): Promise<OpenSpace> {
    const created = (async () => options.create())();
    const opened = new OpenSpace(toSubject(await limitTime(created, options.patienceMs, 'create()')), options);
    await opened.runText(`@${opened.definition.name}()`);
    return opened;
  }

  /** Calls a tool by argument names, as a model could. */
  call(call: SampleCall, signal?: AbortSignal): Promise<CallOutcome> {
    const json = JSON.stringify({ name: `${this.definition.name}.${call.tool}`, arguments: call.args });
    return this.#run(`<tool_call>${json}</tool_call>`, quoteSample(call), signal);
  }

  read(target: string | number): Promise<CallOutcome> {
    const first = this.definition.tools['read']?.spec.params.find(({ body }) => body !== true);
    return this.call({ tool: 'read', args: first === undefined ? {} : { [first.name]: target } });
  }

  /** Runs a text with one call. @throws Error if it contains no call, or the call is not over in time */
  runText(text: string): Promise<CallOutcome> {
    return this.#run(text, text);
  }

  /**
   * Runs a member of the space. @throws Error saying that it throws, or does not end
   *
   * @param what the member as the subject of a sentence: `status()`
   */
  async runMember<T>(what: string, work: () => T | Promise<T>): Promise<T> {
    const result = (async () => work())().catch((error: unknown) => {
      throw new Error(`${what} throws ${quoteFirstLine(String(error))} It must not.`);
    });
    return limitTime(result, this.#patienceMs, what);
  }

  get runCount(): number {
    return this.#runs.length;
  }

  /** Secrets that the space was given. */
  get secrets(): readonly string[] {
    return this.#subject.secrets ?? [];
  }

  /** True for a space with `onOpen`. */
  get hasToBeOpened(): boolean {
    const { space } = this.#subject;
    const members: unknown = typeof space === 'function' ? space.prototype : space;
    return typeof members === 'object' && members !== null && 'onOpen' in members && members.onOpen !== undefined;
  }

  /** Disposes of everything. How well the space itself does that is the subject of only one check. */
  async close(): Promise<void> {
    const work = (async () => this.definition.dispose?.())();
    await limitTime(work, Math.min(this.#patienceMs, LONGEST_CLOSE), 'dispose()').catch(() => undefined);
    await this.#subject.dispose?.();
  }

  /** Returns the functions of a tool that record what it returns. A plan is applied by the agent, as for a user. */
  #record(tool: ToolDefinition): ToolFunctions {
    const begin = (args: ToolRun['args']): ToolRun => {
      const run: ToolRun = { tool: tool.name, args, reports: [], late: [] };
      this.#runs.push(run);
      return run;
    };
    const plan: ToolDefinition['plan'] = async (args, context) => {
      const run = begin(args);
      const change = await recordReturn(run, () => tool.plan!(args, this.#observe(run, context)));
      if (!canApply(change)) return change;
      run.isOver = false;
      const apply = (given: ToolContext) => recordReturn(run, () => change.apply(this.#observe(run, given)));
      return { touches: change.touches, preview: () => change.preview(), apply };
    };
    return {
      ...(tool.target && { target: (args, context) => tool.target!(args, context) }),
      ...(tool.plan && { plan }),
      invoke: (args, context) => {
        const run = begin(args);
        return recordReturn(run, () => tool.invoke(args, this.#observe(run, context)));
      },
    };
  }

  /** Returns a run's context that records how the tool uses it, and answers in place of the user and the model. */
  #observe(run: ToolRun, context: ToolContext): ToolContext {
    const note = (report: ToolReport): void => void (run.isOver === true ? run.late : run.reports).push(report);
    return {
      ...context,
      progress: (done, total, text) => {
        note({ type: 'progress', done, total, text });
        context.progress(done, total, text);
      },
      output: (text) => {
        note({ type: 'output', text });
        context.output(text);
      },
      ask: async (question) => {
        note({ type: 'question', question });
        return this.isAnswered ? answerAll(question, this.samples.answers) : undefined;
      },
      model: async (prompt) => {
        note({ type: 'prompt', prompt });
        if (!this.isAnswered) throw new ApprovalError('The question to the model was refused.');
        return this.samples.response ?? 'A text of the model.';
      },
    };
  }

  async #run(text: string, what: string, signal?: AbortSignal): Promise<CallOutcome> {
    const before = this.#runs.length;
    const work = this.agent.run(asModelText(text), signal === undefined ? {} : { signal });
    const { calls, problems } = await limitTime(work, this.#patienceMs, what);
    const [call] = calls;
    if (call === undefined) throw new Error(problems[0]?.message ?? `${text} is not a call.`);
    return { result: call.result, runs: this.#runs.slice(before) };
  }
}

const ANSWERS = { string: 'a text', number: 1, integer: 1, boolean: true } as const;

/**
 * Returns an answer for each field: that of the samples, the default, the first that is allowed, or any of its type.
 */
function answerAll({ fields }: Question, samples: Answers = {}): Answers {
  const answers = Object.entries(Object(fields) as Question['fields']).map(
    ([name, { type, oneOf, default: value }]) => [name, samples[name] ?? value ?? oneOf?.[0] ?? ANSWERS[type]] as const,
  );
  return Object.fromEntries(answers);
}

/** Tests whether what a plan returns is a change, not a result. */
export function canApply(value: unknown): value is Change {
  return typeof value === 'object' && value !== null && 'apply' in value && 'preview' in value;
}

type Generated = AsyncIterable<unknown> | Iterator<unknown>;

function isGenerator(value: unknown): value is Generated {
  if (typeof value !== 'object' || value === null) return false;
  return Symbol.asyncIterator in value || (Symbol.iterator in value && 'next' in value);
}

/** Runs a tool, and records what it returns; a generator is over when it was read. */
async function recordReturn(run: ToolRun, work: () => unknown): Promise<unknown> {
  try {
    run.returned = await work();
    if (isGenerator(run.returned)) return recordPieces(run.returned, run);
  } catch (error) {
    run.isOver = true;
    throw error;
  }
  run.isOver = true;
  return run.returned;
}

/** Yields the pieces of a generator as they arrive; at the end, the run is over and gets the joined value. */
async function* recordPieces(pieces: Generated, run: ToolRun): AsyncGenerator {
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces;
  const found: unknown[] = [];
  try {
    for (;;) {
      const { value, done } = await iterator.next();
      if (done === true) {
        const isText = found.every((piece) => typeof piece === 'string');
        const isBytes = !isText && found.every((piece) => piece instanceof Uint8Array);
        run.returned = value ?? (isText ? found.join('') : isBytes ? Buffer.concat(found) : found);
        return value;
      }
      found.push(value);
      yield value;
    }
  } finally {
    run.isOver = true;
    await iterator.return?.();
  }
}

function toSubject(created: SpaceSource | SpaceSubject): SpaceSubject {
  const isSubject = typeof created === 'object' && created !== null && 'space' in created && !('tools' in created);
  return isSubject ? created : { space: created };
}

/** Waits for work, up to a time limit. @param what the work as the subject of an error: `read(…)` */
export async function limitTime<T>(work: T | Promise<T>, ms: number, what: string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${what} did not end within ${ms / 1000} s.`)), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the text of a result before it was shortened. */
export function readWholeText({ result, runs }: CallOutcome): string {
  const returned = runs.at(-1)?.returned;
  if (!result.ok) return result.text;
  if (typeof returned === 'string') return returned;
  const isOutput = typeof returned === 'object' && returned !== null && 'text' in returned;
  if (isOutput && typeof returned.text === 'string') return returned.text;
  return result.pruned === undefined ? result.text : JSON.stringify(returned, undefined, 2);
}

/** Creates the context of a tool that is called directly, not by the agent. */
export function makeToolContext(
  { definition: space, agent }: OpenSpace,
  definition: ToolDefinition,
  signal: AbortSignal,
): ToolContext {
  return {
    definition,
    files: new Set(),
    answerLimit: 500,
    signal,
    space: space.name,
    // The call comes from the space itself, in which tags need not be qualified.
    tag: (text) => text,
    block: false,
    fromCode: false,
    batch: [],
    session: { id: agent.id, seen: new Map<string, string>() },
    requestApproval: () => Promise.resolve(),
    progress: () => undefined,
    output: () => undefined,
    model: () => Promise.resolve(''),
    ask: () => Promise.resolve(undefined),
  };
}

/** Maximum number of levels of the tree that are checked, then maximum number of its spaces. */
const DEEPEST = 4;
const MOST_PLACES = 24;

/** Space of the tree under test. */
export interface Place {
  /** Dotted path: `tickets.archive`. */
  readonly path: string;
  readonly space: SpaceDefinition;
}

/** Lists the space and those below it, from the top. */
export function listPlaces({ agent, definition }: OpenSpace): readonly Place[] {
  const places: Place[] = [{ path: definition.name, space: definition }];
  for (const { path } of places) {
    const names = path.split('.');
    if (names.length >= DEEPEST || places.length >= MOST_PLACES) break;
    places.push(...agent.tree.below(names).map((space) => ({ path: `${path}.${space.name}`, space })));
  }
  return places.slice(0, MOST_PLACES);
}

/** Tool of the tree under test, with its qualified name. */
export interface PlacedTool {
  readonly tool: ToolDefinition;
  readonly space: SpaceDefinition;
  readonly name: string;
}

/** Lists every tool of the space and of those below it. */
export function listAllTools(open: OpenSpace): readonly PlacedTool[] {
  return listPlaces(open).flatMap(({ path, space }) =>
    Object.values(space.tools).map((tool) => ({ tool, space, name: `${path}.${tool.name}` })),
  );
}

/** What a tool does when it is called. */
type ToolFunctions = Pick<ToolDefinition, 'invoke' | 'plan' | 'target'>;

/** Returns the same space with other functions for its tools. */
export function replaceTools(
  space: SpaceDefinition,
  makeFunctions: (tool: ToolDefinition) => ToolFunctions,
): SpaceDefinition {
  const tools = Object.entries(space.tools).map(([name, tool]) => {
    const kept = Object.entries(tool).filter(([key]) => !['plan', 'target', 'preview', 'isLazy'].includes(key));
    return [name, { ...(Object.fromEntries(kept) as unknown as ToolDefinition), ...makeFunctions(tool) }] as const;
  });
  return {
    name: space.name,
    description: space.description,
    tools: Object.fromEntries(tools),
    enter: () => space.enter(),
    children: () => space.children(),
    ...(space.status && { status: () => space.status!() }),
  };
}

/** Quotes the first line of a text as a sentence of its own. */
export function quoteFirstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return /[.!?:]$/.test(line) ? line : `${line}.`;
}

/** Quotes a call: `grep("TODO")`. */
export function quoteSample({ tool, args }: SampleCall): string {
  const values = Object.values(args).map((value) => JSON.stringify(value));
  return `${tool}(${values.join(', ')})`;
}
