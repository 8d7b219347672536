import { allowAll, asModelText, createAgent, type Agent, type SpaceDefinition, type ToolResult } from '@bae/core';
import { firstLine } from './first-line.ts';
import { observeSpace, type ToolRun } from './observe-space.ts';
import { shownCall } from './shown-call.ts';
import type { SampleArguments, SampleCall, SpaceSamples } from './space-samples.ts';
import { subjectOf, type SpaceFactory, type SpaceSubject } from './space-subject.ts';
import { within } from './within.ts';

/** Longest time for letting go of a space, in milliseconds. */
const LONGEST_CLOSE = 1000;

/** What a space is opened with. */
export interface OpenOptions {
  readonly create: SpaceFactory;
  readonly samples: SpaceSamples;
  /** Longest time that anything may take, in milliseconds. */
  readonly patienceMs: number;
}

/** The answer to one call, and what the tool itself gave back. */
export interface Answer {
  readonly result: ToolResult;
  readonly runs: readonly ToolRun[];
}

/** A new space in a session of its own, with consent to everything. */
export class OpenSpace {
  readonly samples: SpaceSamples;
  readonly patienceMs: number;
  /** The space as its author wrote it. */
  readonly definition: SpaceDefinition;
  /** A session that stands in the space. */
  readonly agent: Agent;
  readonly #subject: SpaceSubject;
  readonly #runs: ToolRun[] = [];

  private constructor(subject: SpaceSubject, { samples, patienceMs }: OpenOptions) {
    this.samples = samples;
    this.patienceMs = patienceMs;
    this.#subject = subject;
    const { space, provide = [] } = subject;
    const [definition] = createAgent({ spaces: [space], provide }).tree.below([]);
    if (definition === undefined) throw new Error('create() gave no space.');
    this.definition = definition;
    this.agent = createAgent({ spaces: [observeSpace(definition, this.#runs)], approver: allowAll, provide });
  }

  /** @throws whatever keeps the space from being made, registered or entered */
  static async open(options: OpenOptions): Promise<OpenSpace> {
    const created = (async () => options.create())();
    const opened = new OpenSpace(subjectOf(await within(created, options.patienceMs, 'create()')), options);
    await opened.say(`@${opened.definition.name}()`);
    return opened;
  }

  /** Calls a tool by argument names, as a model could. */
  call({ tool, args }: SampleCall, signal?: AbortSignal): Promise<Answer> {
    const { name } = this.definition;
    const json = JSON.stringify({ name: `${name}.${tool}`, arguments: args });
    return this.#run(`<tool_call>${json}</tool_call>`, shownCall({ tool, args }), signal);
  }

  /** Calls `read` for one thing. */
  read(target: string | number): Promise<Answer> {
    return this.call({ tool: 'read', args: this.#targetOf('read', target) });
  }

  /**
   * Runs a text with one call.
   *
   * @throws Error when there is no call in it, or it is not over in time
   */
  say(text: string): Promise<Answer> {
    return this.#run(text, text);
  }

  /**
   * Does something that is the author's to do right.
   *
   * @param what it as the subject of a sentence: `status()`
   * @throws Error saying that it throws, or does not end
   */
  async ask<T>(what: string, work: () => T | Promise<T>): Promise<T> {
    const asked = (async () => work())().catch((error: unknown) => {
      throw new Error(`${what} throws ${firstLine(String(error))} It must not.`);
    });
    return within(asked, this.patienceMs, what);
  }

  /** Runs of tools so far. */
  get runCount(): number {
    return this.#runs.length;
  }

  /** Lets go of everything. How well the space does that is the affair of one check alone. */
  async close(): Promise<void> {
    const work = (async () => this.definition.dispose?.())();
    await within(work, Math.min(this.patienceMs, LONGEST_CLOSE), 'dispose()').catch(() => undefined);
    await this.#subject.dispose?.();
  }

  async #run(text: string, what: string, signal?: AbortSignal): Promise<Answer> {
    const before = this.#runs.length;
    const work = this.agent.run(asModelText(text), signal === undefined ? {} : { signal });
    const { calls, problems } = await within(work, this.patienceMs, what);
    const [call] = calls;
    if (call === undefined) throw new Error(problems[0]?.message ?? `${text} is no call.`);
    return { result: call.result, runs: this.#runs.slice(before) };
  }

  #targetOf(tool: string, target: string | number): SampleArguments {
    const first = this.definition.tools[tool]?.spec.params.find(({ body }) => body !== true);
    return first === undefined ? {} : { [first.name]: target };
  }
}
