import type { $ZodType } from 'zod/v4/core';
import type { AgentEvent, RunReport } from '../protocol/agent-event.ts';
import type { ModelText } from '../protocol/model-text.ts';
import type { ResultStore } from '../protocol/pruner.ts';
import type { SessionLog, SessionSnapshot } from '../protocol/session-log.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-path.ts';
import type { ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import type { Attachment } from '../protocol/tool-definition.ts';
import type { ToolResult } from '../protocol/tool-result.ts';

/** One session over a set of spaces: its own location, history, conversation and kept results. */
export interface Agent {
  readonly label: string;
  readonly id: string;
  /** Where the session is; empty at home. */
  readonly location: SpacePath;
  readonly tree: SpaceTree;
  readonly systemPrompt: string;
  /**
   * One turn: sends a prompt, executes what the model calls until it calls nothing more, and returns its final response.
   *
   * @throws AbortError when cancelled; ModelError when the model could not be reached or broke off
   */
  ask(prompt: string, options?: AskOptions): Promise<string>;
  /**
   * The same, with a final answer that is JSON of a schema. One that does not match is sent back once.
   *
   * @throws ParameterError when the answer is wrong twice, or the turn was stopped at a limit; ConfigurationError for a
   *   schema that JSON Schema cannot express
   */
  ask<T>(prompt: string, options: TypedAskOptions<T>): Promise<T>;
  /** The same turn as its events; `result()` is what `ask` would return. */
  stream(prompt: string, options?: AskOptions): EventStream;
  /**
   * Executes the tags of a text exactly as if the model had written it, without a request to a model.
   *
   * @throws AbortError when cancelled
   */
  run(text: ModelText, options?: AskOptions): Promise<BatchReport>;
  /** What the model sees on entering a space (home for an empty path), with its tool table. */
  describe(path: SpacePath): Promise<string>;
  /** Adds words of the user to the next message to the model, which is not sent for that: what holds from here on. */
  tell(text: string): Promise<void>;
  /** Calls a listener with every event of the session. Returns the function that removes it. */
  subscribe(listener: (event: AgentEvent) => void | Promise<void>): () => void;
  /** Another session over the same spaces and the same model, with a log and results of its own. */
  session(label: string, own?: OwnParts): Agent;
  /** Releases everything the session holds. Can be called more than once. */
  close(): Promise<void>;
}

export interface AskOptions {
  /** Cancels the turn: the promise rejects with an `AbortError`; results of completed calls are kept. */
  readonly signal?: AbortSignal;
  /** Images and files that go with the prompt: each is kept under a handle, which the prompt then names. */
  readonly attachments?: readonly Attachment[];
  /**
   * For `run`: true when a person typed the text, so that it is no reason to ask them that it occurs in something that
   * was read. Default: false.
   */
  readonly isTyped?: boolean;
  /** Batches of calls in this turn; 0 for no limit. */
  readonly maxBatches?: number;
}

/** Options of a turn whose final answer is to be JSON of a shape. */
export interface TypedAskOptions<T> extends AskOptions {
  readonly schema: $ZodType<T>;
}

/** What a session may have of its own instead of its parent's. */
export interface OwnParts {
  /** Gets events before listeners do, but those that a later one has whole, and what a resume after a crash needs. */
  readonly log?: SessionLog;
  /** Keeps the whole text of results that were cut. Default: in memory. */
  readonly results?: ResultStore;
  /** The session to continue. */
  readonly resume?: SessionSnapshot;
}

/** The events of one turn as they happen. */
export interface EventStream extends AsyncIterable<AgentEvent> {
  /** The final response; rejects as `ask` would. */
  result(): Promise<string>;
}

/** One executed call and its result. */
export interface CallReport {
  readonly id: string;
  readonly call: ToolCall;
  readonly result: ToolResult;
  /** One line for people: `[tasks] ◆ read(7) -> string (18 lines)`. */
  readonly summary: string;
}

/** Everything executed from one text, and the message the model would get. */
export interface BatchReport {
  /** The message for the model; empty when there was nothing to execute and nothing to repair. */
  readonly feedback: string;
  readonly calls: readonly CallReport[];
  readonly runs: readonly RunReport[];
  readonly problems: readonly ParseProblem[];
  /** The text without calls, bodies and run blocks. */
  readonly prose: string;
  /** Dotted location afterwards: `home`, `source.meta`. */
  readonly location: string;
}
