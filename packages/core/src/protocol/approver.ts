import type { RunningBlock } from './code-runner.ts';
import type { EffectDetails, FileTexts, ToolContext, ToolEffect } from './tool-definition.ts';

/** A call that waits for consent. */
export interface ApprovalRequest extends EffectDetails {
  /** Random name of the session that makes the call. */
  readonly session: string;
  /** Dotted space the call would run in. */
  readonly space: string;
  readonly tool: string;
  readonly effect: ToolEffect;
  /** The call as written, without its body. */
  readonly tag: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The target of the call as the tool spells it; by default its primary argument, without a line range. */
  readonly target: string;
  /** Everything the call reaches, where that was planned: rules are compared with each, and with the target. */
  readonly touches?: readonly string[];
  /** Why consent is asked for although the tool's effect would not need it. */
  readonly reason?: string;
  /** The change as a diff or in words; absent when the tool has no preview. Rejects with the error that the call would fail with. */
  readonly preview?: () => Promise<string>;
  /** For what a run block has changed: the requests of its calls, each of which has to be allowed. */
  readonly parts?: readonly ApprovalRequest[];
  /** For what a run block has changed: its files, some of which may be allowed without the others. */
  readonly files?: readonly DraftFile[];
  /** The text files that a planned change is about, whole; absent when the tool does not plan, or changes none. */
  readonly texts?: () => readonly FileTexts[];
}

/** Consent or refusal that holds for more than one call, as plain JSON. */
export interface RememberedConsent {
  readonly space: string;
  /** Absent when the tool does not matter. */
  readonly tool?: string;
  /** The tool's own reason for asking; absent when its effect is the reason. */
  readonly reason?: string;
  /** A target exactly, everything below a folder, or everything. */
  readonly scope: { readonly exactly: string } | { readonly below: string } | 'everything';
  readonly decision: 'allow' | 'deny';
  /** Why not, for the model. */
  readonly because?: string;
}

/** Who decided about a call: a rule, what holds without one, a person, an earlier reply, or an option such as `--yes`. */
export type DecidedBy = 'rule' | 'default' | 'person' | 'earlier reply' | 'option' | 'nobody';

/**
 * The decision, with a reason for a refusal. What is to be remembered is kept with the session and restored when it
 * resumes.
 */
export type ApprovalOutcome =
  /** `only`: the paths of those of the request's files that are allowed. Default: all. */
  (
    | { readonly allow: true; readonly only?: readonly string[] }
    /** `isUnanswered`: nobody was there to decide. */
    | { readonly allow: false; readonly reason: string; readonly isUnanswered?: boolean }
  ) & {
    readonly remember?: RememberedConsent;
    /** Default: it is not known. */
    readonly by?: DecidedBy;
  };

/** A decision about a call, as it is kept with the session. */
export interface ApprovalRecord extends Pick<
  ApprovalRequest,
  'space' | 'tool' | 'effect' | 'tag' | 'target' | 'touches' | 'reason' | keyof EffectDetails
> {
  readonly allowed: boolean;
  readonly by?: DecidedBy;
  /** The beginning of the change as it was shown to whoever decided; absent when it was not shown. */
  readonly shown?: string;
}

/** Decides whether a call may run. Contract: never throws, and does not ask about a call that it has decided before. */
export interface Approver {
  /**
   * The refusal of a call that a rule denies, which no consent can allow; undefined when consent may be asked for.
   * The router calls it before a change is planned, so that errors of the plan reveal nothing of what is denied.
   */
  deny?(request: ApprovalRequest): ApprovalOutcome | undefined;
  /**
   * What is decided about a call without asking anybody; undefined when somebody has to be asked. Where this is absent,
   * every change of a run block is decided for itself.
   */
  decide?(request: ApprovalRequest): ApprovalOutcome | undefined;
  approve(request: ApprovalRequest, signal: AbortSignal): ApprovalOutcome | Promise<ApprovalOutcome>;
  /** Restores what was remembered in a session before a restart. */
  recall?(session: string, consents: readonly RememberedConsent[]): void;
}

/** Changes of a run block that are kept aside until somebody has consented to them; nothing is written before that. */
export interface Draft {
  /** Runs work that finds the files as the draft has them, and whose changes become part of it. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** What the draft makes of the files as they are; undefined when that is nothing. */
  plan(): Promise<DraftChange | undefined>;
  /** Forgets everything that was not applied. */
  dispose(): Promise<void>;
}

/** Everything in a draft as one change, of which some files may be left out. */
export interface DraftChange {
  /** One for each file. */
  readonly files: readonly DraftFile[];
  /**
   * Makes the change of all files, or of none.
   *
   * @param only paths of the files that are changed. Default: all
   * @throws ConflictError when one of them is not what it was when the draft first changed it
   */
  apply(context: Pick<ToolContext, 'session' | 'signal'>, only?: ReadonlySet<string>): Promise<void>;
}

export interface DraftFile {
  /** Path below the workspace root, without links. */
  readonly path: string;
  /** What changes in it, as a unified diff or in words. */
  readonly preview: string;
  /** Its texts before and after; nothing where it is no text. */
  readonly texts: readonly FileTexts[];
}

/** The draft of the run block that makes a call. */
export interface CallDraft extends Pick<Draft, 'run'> {
  /** Asks about what was changed so far and applies it. @throws ApprovalError when that is refused */
  settle(pauseDuring?: RunningBlock['pauseDuring']): Promise<void>;
  /** True for a change that becomes part of the draft, so that nobody is asked yet. */
  takes(request: ApprovalRequest): boolean;
  /** Makes a change that the draft takes. */
  add<T>(request: ApprovalRequest, work: () => Promise<T>): Promise<T>;
}
