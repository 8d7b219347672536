import type { AgentEvent } from '@bae/core';

/** What a call may do: look, change something in the workspace, or reach beyond it. */
export type Effect = 'read' | 'write' | 'external';

/** Upper limits of what is used; what is absent has none. */
export interface Budget {
  /** Tokens, in and out. */
  readonly tokens?: number | undefined;
  /** US dollars; needs prices in the configuration of the server. */
  readonly dollars?: number | undefined;
  /** Minutes of work, without the time spent waiting for replies of people. */
  readonly minutes?: number | undefined;
  /** Calls of tools, and run blocks. */
  readonly calls?: number | undefined;
}

/** What was used so far. */
export interface Spending {
  readonly tokens: number;
  readonly dollars: number;
  readonly minutes: number;
  readonly calls: number;
}

/** The files of a session: none, a folder of the operator's list by its name, or a worktree of a repository. */
export type Workspace =
  | { readonly type: 'none' }
  | { readonly type: 'folder'; readonly name: string }
  | { readonly type: 'git'; readonly repository: string; readonly ref?: string | undefined };

/** `idle`: nothing is asked. `queued`: a prompt waits for a worker. `working`: a turn runs. `waiting`: for a reply. */
export type SessionState = 'idle' | 'queued' | 'working' | 'waiting';

/** What a session is made with. Everything may be left out, and has what the token allows then. */
export interface SessionRequest {
  /** Default: `none`. */
  readonly workspace?: Workspace | undefined;
  /** Names of the spaces at home. Default: all that the token has. */
  readonly spaces?: readonly string[] | undefined;
  /** Default: all that the token has. */
  readonly may?: readonly Effect[] | undefined;
  readonly budget?: Budget | undefined;
}

/** A session as the server tells of it. */
export interface Session {
  readonly id: string;
  /** ISO 8601. */
  readonly created: string;
  /** Name of the token that made it. */
  readonly owner: string;
  readonly state: SessionState;
  readonly workspace: Workspace;
  readonly spaces: readonly string[];
  readonly may: readonly Effect[];
  readonly budget: Budget;
  readonly spent: Spending;
}

/** A prompt that was taken. */
export interface Prompt {
  readonly id: string;
  readonly session: string;
  readonly state: 'queued' | 'working' | 'done';
  /** How its turn ended: `answered`, `limit`, `aborted`, `failed`, `interrupted` or `refused`; absent before that. */
  readonly outcome?: string | undefined;
}

/** A value of a form. */
export type Answers = Readonly<Record<string, string | number | boolean>>;

/** Something that waits for a person: consent to a call, or a question of a tool. */
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
      /** Why consent is asked for although the effect would not need it. */
      readonly reason?: string | undefined;
      /** The whole change as a diff or in words, or the arguments where the tool shows no change. */
      readonly change: string;
      /** SHA-256 of `change`, hexadecimal: a reply names it, so that what is allowed is what was shown. */
      readonly hash: string;
    }
  | {
      readonly id: string;
      readonly type: 'question';
      readonly space: string;
      readonly tool: string;
      readonly text: string;
      /** JSON Schema of each value that is asked for. */
      readonly fields: Readonly<Record<string, unknown>>;
    };

/** A reply to a question. */
export type Reply =
  | {
      readonly decision: 'allow' | 'deny';
      /** `hash` of the question. */
      readonly hash: string;
      /** Holds for the rest of the session: for this tool, or for this target and below. Default: for this call. */
      readonly remember?: 'tool' | 'target' | undefined;
      /** Why not, for the model. */
      readonly because?: string | undefined;
    }
  /** `null`: the person does not want to answer. */
  | { readonly answers: Answers | null };

/** What the server adds to the events of the agent, in the same order. */
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

/** Everything that happens in a session. */
export type SessionEvent = AgentEvent | ServerEvent;

/** An event and its place in the session; what is not kept, such as a part of a response, has none. */
export interface StreamedEvent {
  readonly seq?: number | undefined;
  readonly event: SessionEvent;
}

/** An event as it is kept. */
export interface LoggedEvent {
  readonly seq: number;
  /** ISO 8601. */
  readonly time: string;
  readonly event: SessionEvent;
}

/** A session with everything that happened in it. */
export interface SessionExport {
  readonly session: Session;
  readonly events: readonly LoggedEvent[];
}

/** What the server says when it refuses. */
export interface Problem {
  readonly error: {
    /** Stable: `not_found`, `invalid`, `unauthorized`, `forbidden`, `too_many`, … */
    readonly code: string;
    readonly message: string;
    /** What to do next. */
    readonly try?: string | undefined;
  };
}
