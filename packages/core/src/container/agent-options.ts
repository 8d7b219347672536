import type { Approver } from '../protocol/approver.ts';
import type { CodeRunner } from '../protocol/code-runner.ts';
import type { Host } from '../protocol/host.ts';
import type { Model } from '../protocol/model.ts';
import type { Pruner, ResultStore } from '../protocol/pruner.ts';
import type { SpaceSource } from '../protocol/resourcespace.ts';
import type { SessionLog, SessionSnapshot } from '../protocol/session-log.ts';

/** A value that constructors can ask for with `@inject(token)`. */
export interface Provision {
  readonly token: symbol | string;
  readonly value: unknown;
}

/** What an agent is made of. Everything but `model` has a default, and even that one may be left out. */
export interface AgentOptions {
  /** Who answers prompts. Without one, `run()` still executes tags; `ask()` says that there is none. */
  readonly model?: Model;
  /** Spaces below home, each a decorated class, an instance, or a `defineResourcespace()` result. */
  readonly spaces?: readonly SpaceSource[];
  /** The space whose tools act at home. Default: a home without tools. */
  readonly home?: SpaceSource;
  /** Values for the constructors of spaces. */
  readonly provide?: readonly Provision[];
  /** Decides over calls that change something. Default: everything but reading is refused. */
  readonly approver?: Approver;
  /** Executes run blocks. Default: none, and run blocks are answered with an error. */
  readonly codeRunner?: CodeRunner;
  readonly pruner?: Pruner;
  /** Keeps the whole text of answers that were cut. Default: in memory. */
  readonly results?: ResultStore;
  /** Gets every event before anyone sees it, and what a session needs to go on after a crash. */
  readonly log?: SessionLog;
  /** Goes on from where a session was: conversation, location, what was seen, and what was left undone. */
  readonly resume?: SessionSnapshot;
  /** Tokens that the model can take in at once. Default: what the model says, else 128 000. */
  readonly contextTokens?: number;
  /** Bound of one answer, in tokens. Default: 500. */
  readonly cap?: number;
  /** Batches of calls in one turn; 0 for no limit. Default: 25. */
  readonly maxBatches?: number;
  /** Text put before the first prompt of the session. */
  readonly context?: string;
  /** Text added at the end of the system prompt. */
  readonly instructions?: string;
  /** Longest silence of the model, in milliseconds. Default: the model's own, else 60 000. */
  readonly idleMs?: number;
  /** Tries of one request to the model, the first included. Default: 3. */
  readonly tries?: number;
  /**
   * Longest time of one request to the model, all its tries and the waits between them included, in
   * milliseconds. Default: 600 000, or `idleMs` where that is longer.
   */
  readonly deadlineMs?: number;
  /** Name of the session in events. Default: `1`. */
  readonly label?: string;
  /** Clock, timers and randomness. Default: the platform's own. */
  readonly host?: Host;
}
