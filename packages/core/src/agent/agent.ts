import type { $ZodType } from 'zod/v4/core';
import type { AgentEvent, RunReport } from '../protocol/agent-event.ts';
import type { ModelText } from '../protocol/model.ts';
import type { ResultStore, ToolResult } from '../protocol/tool-result.ts';
import type { SessionLog, SessionSnapshot } from '../protocol/session-log.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-path.ts';
import type { ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import type { Attachment } from '../protocol/tool-definition.ts';

/** One session over a set of spaces: its own location, history, conversation and kept results. */
export interface Agent {
  readonly label: string;
  readonly id: string;
  /** Current location of the session; empty at home. */
  readonly location: SpacePath;
  readonly tree: SpaceTree;
  readonly systemPrompt: string;
  /**
   * Runs one turn: sends a prompt, executes the model's calls until it makes no more, and returns its final response.
   *
   * @throws AbortError when cancelled; ModelError when the model could not be reached or broke off
   */
  ask(prompt: string, options?: AskOptions): Promise<string>;
  /**
   * Runs a turn whose final answer is JSON that matches a schema. An answer that does not match is sent back once.
   *
   * @throws ParameterError when the answer is wrong twice, or the turn is stopped at a limit; ConfigurationError for a
   *   schema that JSON Schema cannot express
   */
  ask<T>(prompt: string, options: TypedAskOptions<T>): Promise<T>;
  /** Runs a turn like `ask` and returns its events; `result()` returns the value that `ask` would return. */
  stream(prompt: string, options?: AskOptions): EventStream;
  /**
   * Executes the tags in a text exactly as if the model had written it, without a request to a model.
   *
   * @throws AbortError when cancelled
   */
  run(text: ModelText, options?: AskOptions): Promise<BatchReport>;
  /**
   * Replaces the conversation by a summary, for good. The next message begins with the summary, then the context of the
   * session. The location, kept results and consent remain. Arguments copied from the summary count as text that was
   * read, not as the user's words.
   */
  compact(summary: string): Promise<void>;
  /** Returns the text that the model sees when it enters a space (home for an empty path), with the tool table. */
  describe(path: SpacePath): Promise<string>;
  /**
   * Cancels one running call of a turn, or one run block with its calls, by the id of its start event. The turn goes on,
   * and the result says so to the model. Returns false if nothing with that id can be cancelled: it has ended, or it is a call of a
   * run block, which ends with its block.
   */
  cancel(id: string): boolean;
  /** Calls a listener with every event of the session. Returns the function that removes it. */
  subscribe(listener: (event: AgentEvent) => void | Promise<void>): () => void;
  /** Creates another session over the same spaces and the same model, with its own log and results. */
  session(label: string, own?: OwnParts): Agent;
  /** Releases everything the session holds. Can be called more than once. */
  close(): Promise<void>;
}

export interface AskOptions {
  /** Cancels the turn: the promise rejects with an `AbortError`; the results of completed calls are kept. */
  readonly signal?: AbortSignal | undefined;
  /** Images and files sent with the prompt: each is kept under a handle, which the prompt then names. */
  readonly attachments?: readonly Attachment[] | undefined;
  /**
   * Parts of the prompt that the user did not write, such as the text of an attached file: what a call copies from them
   * counts as read, not as wanted.
   */
  readonly quoted?: readonly string[] | undefined;
  /**
   * For `run`: true if a person typed the text. They are then not asked for consent merely because the text occurs in
   * something that was read. Default: false.
   */
  readonly isTyped?: boolean | undefined;
  /** For `run`: maximum size of a result, in tokens. Default: that of the agent. */
  readonly cap?: number | undefined;
  /** Maximum number of batches of calls in this turn; 0 for no limit. */
  readonly maxBatches?: number | undefined;
}

/** Options of a turn whose final answer is JSON that matches a schema. */
export interface TypedAskOptions<T> extends AskOptions {
  readonly schema: $ZodType<T>;
}

/** Parts that a session may have of its own instead of its parent's. */
export interface OwnParts {
  /**
   * Receives events before listeners do, except those whose content a later event repeats in full, and the records that
   * are needed to resume after a crash.
   */
  readonly log?: SessionLog | undefined;
  /** Keeps the full text of results that were shortened. Default: in memory. */
  readonly results?: ResultStore | undefined;
  /** The session to continue. */
  readonly resume?: SessionSnapshot | undefined;
  /**
   * True if one model uses this session together with its parent: a call is checked for what was copied from anything
   * that either of them has read. Default: false.
   */
  readonly sharesReads?: boolean | undefined;
}

/** Events of one turn, as they happen. */
export interface EventStream extends AsyncIterable<AgentEvent> {
  /** Returns the final response; rejects as `ask` would. */
  result(): Promise<string>;
}

/** Report of one executed call, with its result. */
export interface CallReport {
  readonly id: string;
  readonly call: ToolCall;
  readonly result: ToolResult;
  /** One-line summary for people: `[tasks] ◆ read(7) -> string (18 lines)`. */
  readonly summary: string;
}

/** Report of everything that was executed from one text, with the message that the model would get. */
export interface BatchReport {
  /** Message for the model; empty if there was nothing to execute and nothing to repair. */
  readonly feedback: string;
  readonly calls: readonly CallReport[];
  readonly runs: readonly RunReport[];
  readonly problems: readonly ParseProblem[];
  /** Text without calls, bodies and run blocks. */
  readonly prose: string;
  /** Dotted location after the batch: `home`, `source.meta`. */
  readonly location: string;
}
