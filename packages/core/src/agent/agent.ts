import type { AgentEvent } from '../protocol/agent-event.ts';
import type { ModelText } from '../protocol/model-text.ts';
import type { ResultStore } from '../protocol/pruner.ts';
import type { SessionLog, SessionSnapshot } from '../protocol/session-log.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-path.ts';
import type { BatchReport } from './batch-report.ts';
import type { EventStream } from './event-stream.ts';

/** What one prompt may say besides its text. */
export interface AskOptions {
  /** Cancels the turn: the promise rejects with an `AbortError`, what already ran stays known. */
  readonly signal?: AbortSignal;
  /** Batches of calls in this turn; 0 for no limit. */
  readonly maxBatches?: number;
}

/** What a session may have of its own instead of its parent's. */
export interface OwnParts {
  readonly log?: SessionLog;
  readonly results?: ResultStore;
  /** Goes on from where a session was. */
  readonly resume?: SessionSnapshot;
}

/** One session over a set of spaces: its own location, history, conversation and kept results. */
export interface Agent {
  readonly label: string;
  readonly id: string;
  /** Where the session stands; empty at home. */
  readonly location: SpacePath;
  /** The spaces there are. */
  readonly tree: SpaceTree;
  /** What the model is told before anything else. */
  readonly systemPrompt: string;
  /**
   * One turn: sends a prompt, executes what the model calls, until it answers.
   *
   * @returns the final response
   * @throws AbortError when cancelled; ModelError when the model could not be reached or broke off
   */
  ask(prompt: string, options?: AskOptions): Promise<string>;
  /** The same turn as its events; `result()` is what `ask` would return. */
  stream(prompt: string, options?: AskOptions): EventStream;
  /**
   * Executes the tags of a text exactly as if the model had said them, without asking any model.
   *
   * @throws AbortError when cancelled
   */
  run(text: ModelText, options?: AskOptions): Promise<BatchReport>;
  /** What the model sees on entering a space (home for an empty path), with its tool table. */
  describe(path: SpacePath): Promise<string>;
  /** Hears every event of the session. Returns how to stop. */
  subscribe(listener: (event: AgentEvent) => void | Promise<void>): () => void;
  /** Another session over the same spaces and the same model, with a log and results of its own. */
  session(label: string, own?: OwnParts): Agent;
  /** Lets go of everything the session holds. Called once or more. */
  close(): Promise<void>;
}
