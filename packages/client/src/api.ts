import type { AgentEvent } from '@bae/core';

/** Effect of a call: it reads, changes something in the workspace, or reaches beyond it. */
export type Effect = 'read' | 'write' | 'external';

/** Upper limits of consumption; an absent field means no limit. */
export interface Budget {
  /** Input and output tokens. */
  readonly tokens?: number | undefined;
  /** US dollars; needs prices in the configuration of the server. */
  readonly dollars?: number | undefined;
  /** Minutes of work, excluding the time spent waiting for people's replies. */
  readonly minutes?: number | undefined;
  /** Tool calls and run blocks. */
  readonly calls?: number | undefined;
}

/** Consumption so far. */
export interface Spending {
  readonly tokens: number;
  readonly dollars: number;
  readonly minutes: number;
  readonly calls: number;
}

/** The files of a session: none, a folder from the operator's list, by its name, or a worktree of a repository. */
export type Workspace =
  | { readonly type: 'none' }
  | { readonly type: 'folder'; readonly name: string }
  | { readonly type: 'git'; readonly repository: string; readonly ref?: string | undefined };

/**
 * `idle`: no prompt. `queued`: a prompt waits for a worker. `working`: a turn runs. `waiting`: it waits for a reply.
 */
export type SessionState = 'idle' | 'queued' | 'working' | 'waiting';

/** Properties of a new session. All are optional; by default a session gets everything that the token allows. */
export interface SessionRequest {
  /** Default: `none`. */
  readonly workspace?: Workspace | undefined;
  /** Names of the spaces at home. Default: all spaces of the token. */
  readonly spaces?: readonly string[] | undefined;
  /** Default: all rights of the token. */
  readonly may?: readonly Effect[] | undefined;
  readonly budget?: Budget | undefined;
}

/** A session as the server describes it. */
export interface Session {
  readonly id: string;
  /** ISO 8601. */
  readonly created: string;
  /** Name of the token that created it. */
  readonly owner: string;
  readonly state: SessionState;
  readonly workspace: Workspace;
  readonly spaces: readonly string[];
  readonly may: readonly Effect[];
  readonly budget: Budget;
  readonly spent: Spending;
}

/** A prompt that the server has accepted. */
export interface Prompt {
  readonly id: string;
  readonly session: string;
  readonly state: 'queued' | 'working' | 'done';
  /** Outcome of its turn: `answered`, `limit`, `aborted`, `failed`, `interrupted` or `refused`; absent until then. */
  readonly outcome?: string | undefined;
}

/** Values of a form, by field. */
export type Answers = Readonly<Record<string, string | number | boolean>>;

/** A request that waits for a person: consent to a call, or a question from a tool. */
export type Question =
  | {
      readonly id: string;
      readonly type: 'approval';
      readonly tag: string;
      readonly space: string;
      readonly tool: string;
      readonly effect: Effect;
      readonly target: string;
      readonly touches: readonly string[];
      /** Reason for asking for consent if the effect alone would not need it. */
      readonly reason?: string | undefined;
      /** The whole change as a diff or in words, or the arguments if the tool shows no change. */
      readonly change: string;
      /** SHA-256 of `change`, hexadecimal: a reply contains it, so that it allows only the change that was shown. */
      readonly hash: string;
    }
  | {
      readonly id: string;
      readonly type: 'question';
      readonly space: string;
      readonly tool: string;
      readonly text: string;
      /** JSON Schema of each requested value. */
      readonly fields: Readonly<Record<string, unknown>>;
    };

/** A reply to a question. */
export type Reply =
  | {
      readonly decision: 'allow' | 'deny';
      /** `hash` of the question. */
      readonly hash: string;
      /**
       * Applies the decision for the rest of the session: to this tool, or to this target and below. Default: to this
       * call.
       */
      readonly remember?: 'tool' | 'target' | undefined;
      /** Reason for a refusal, for the model. */
      readonly because?: string | undefined;
    }
  /** `null`: the person does not want to answer. */
  | { readonly answers: Answers | null };

/** An event that the server adds to those of the agent, in the same sequence. */
export type ServerEvent = { readonly label: string; readonly turn: number } & (
  | { readonly type: 'prompt-queued'; readonly prompt: string }
  | { readonly type: 'prompt-end'; readonly prompt: string; readonly outcome: string; readonly text?: string }
  | { readonly type: 'question'; readonly question: Question }
  | {
      readonly type: 'question-end';
      readonly question: string;
      /** `none`: nobody replied in time. */
      readonly decision: 'allow' | 'deny' | 'answered' | 'none';
    }
  | {
      readonly type: 'budget-reached';
      readonly of: 'session' | 'token';
      readonly limit: keyof Budget;
      readonly most: number;
      readonly spent: number;
    }
);

/** An event of a session. */
export type SessionEvent = AgentEvent | ServerEvent;

/** An event and its place in the session; events that are not stored, such as parts of a response, have no place. */
export interface StreamedEvent {
  readonly seq?: number | undefined;
  readonly event: SessionEvent;
}

/** A stored event. */
export interface LoggedEvent {
  readonly seq: number;
  /** ISO 8601. */
  readonly time: string;
  readonly event: SessionEvent;
}

/** A session with all its events. */
export interface SessionExport {
  readonly session: Session;
  readonly events: readonly LoggedEvent[];
}

/** Body of a response that refuses a request. */
export interface Problem {
  readonly error: {
    /** Stable: `not_found`, `invalid`, `unauthorized`, `forbidden`, `too_many`, … */
    readonly code: string;
    readonly message: string;
    /** Suggested next step. */
    readonly try?: string | undefined;
  };
}
