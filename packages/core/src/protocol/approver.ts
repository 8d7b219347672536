import type { RunningBlock } from './code-runner.ts';
import type { EffectDetails, FileTexts, ToolContext, ToolEffect } from './tool-definition.ts';

/** A call that waits for consent. */
export interface ApprovalRequest extends EffectDetails {
  /** Random name of the session that makes the call. */
  readonly session: string;
  /** Dotted space in which the call would run. */
  readonly space: string;
  readonly tool: string;
  readonly effect: ToolEffect;
  /** The call as written, without its body. */
  readonly tag: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The target of the call as the tool spells it; by default its primary argument, without a line range. */
  readonly target: string;
  /** Everything that a planned call affects: rules are compared with each entry, and with the target. */
  readonly touches?: readonly string[];
  /** Reason for asking for consent although the tool's effect does not require it. */
  readonly reason?: string;
  /**
   * Returns the change as a diff or in words; absent if the tool has no preview. Rejects with the error with which the
   * call would fail.
   */
  readonly preview?: () => Promise<string>;
  /** For the changes of a run block: the requests of its calls, each of which must be allowed. */
  readonly parts?: readonly ApprovalRequest[];
  /** For the changes of a run block: its files, some of which may be allowed without the others. */
  readonly files?: readonly DraftFile[];
  /**
   * Returns the whole content of the text files in a planned change; absent if the tool does not plan, or changes none.
   */
  readonly texts?: () => readonly FileTexts[];
}

/** Consent or refusal that applies to more than one call, as plain JSON. */
export interface RememberedConsent {
  readonly space: string;
  /** Absent when the consent applies to every tool. */
  readonly tool?: string;
  /** The tool's own reason for asking; absent when its effect is the reason. */
  readonly reason?: string;
  /** One exact target, everything below a folder, or everything. */
  readonly scope: { readonly exactly: string } | { readonly below: string } | 'everything';
  readonly decision: 'allow' | 'deny';
  /** Reason for a refusal, for the model. */
  readonly because?: string;
}

/** The maker of a decision: a rule, the default, a person, an earlier reply, an option such as `--yes`, or nobody. */
export type DecidedBy = 'rule' | 'default' | 'person' | 'earlier reply' | 'option' | 'nobody';

/**
 * The decision, with a reason for a refusal. Remembered consent is kept with the session and restored when it resumes.
 */
export type ApprovalOutcome =
  /** `only`: the paths of the allowed files of the request. Default: all. */
  (
    | { readonly allow: true; readonly only?: readonly string[] }
    /** `isUnanswered`: no one was available to decide. */
    | { readonly allow: false; readonly reason: string; readonly isUnanswered?: boolean }
  ) & {
    readonly remember?: RememberedConsent;
    /** Maker of the decision. Default: unknown. */
    readonly by?: DecidedBy;
  };

/** A decision about a call, as it is kept with the session. */
export interface ApprovalRecord extends Pick<
  ApprovalRequest,
  'space' | 'tool' | 'effect' | 'tag' | 'target' | 'touches' | 'reason' | keyof EffectDetails
> {
  readonly allowed: boolean;
  readonly by?: DecidedBy;
  /** The start of the change as the user saw it; absent when it was not shown. */
  readonly shown?: string;
}

/** A rule about the use of files, whatever tool uses them. */
export interface FileRule {
  /** `read`: the content is shown only with consent, if at all. `write`: no command may change the file. */
  readonly effect: 'read' | 'write';
  /** Tests a path below the workspace root, without links. */
  readonly matches: (path: string) => boolean;
  /** Tests whether the rule may match something in a folder. */
  readonly reaches: (folder: string) => boolean;
}

/** Decides whether a call may run. Contract: never throws, and does not ask about a call that was decided before. */
export interface Approver {
  /**
   * Returns the refusal of a call that a rule denies, which no consent can allow; undefined if consent may be
   * requested. The router calls it before a change is planned, so that errors of the plan do not reveal anything about
   * a denied target.
   */
  deny?(request: ApprovalRequest): ApprovalOutcome | undefined;
  /**
   * Returns the decision about a call that can be made without asking the user; undefined if the user must be asked. If
   * this method is missing, every change of a run block is decided separately.
   */
  decide?(request: ApprovalRequest): ApprovalOutcome | undefined;
  approve(request: ApprovalRequest, signal: AbortSignal): ApprovalOutcome | Promise<ApprovalOutcome>;
  /** Returns true if a rule asks about or denies a call that only reads. Default: such calls need no decision. */
  restrictsRead?(request: ApprovalRequest): boolean;
  /** Rules that the values of an agent, such as its workspace, apply to files. They do not change. Default: none. */
  readonly fileRules?: readonly FileRule[];
  /** Restores the consents that a session remembered before a restart. */
  recall?(session: string, consents: readonly RememberedConsent[]): void;
}

/**
 * Runs work that may change only these files of the workspace, given as approval rules compare them. It applies to
 * everything that the work starts, for as long as that goes on.
 */
export type Confine = <T>(paths: readonly string[], work: () => T) => T;

/** Changes of a run block that are held until the user consents; nothing is written before that. */
export interface Draft {
  /** Runs work that sees the files as they are in the draft, and whose changes become part of the draft. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Compares the draft with the current files; undefined if there is nothing to change. */
  plan(): Promise<DraftChange | undefined>;
  /** Discards everything that was not applied. */
  dispose(): Promise<void>;
}

/** Everything in a draft as one change; some of its files may be left out. */
export interface DraftChange {
  /** One entry for each file. */
  readonly files: readonly DraftFile[];
  /**
   * Changes all of the files, or none.
   *
   * @param only paths of the files that are changed. Default: all
   * @throws ConflictError when a file is no longer what it was when the draft first changed it
   */
  apply(context: Pick<ToolContext, 'session' | 'signal'>, only?: ReadonlySet<string>): Promise<void>;
}

export interface DraftFile {
  /** Path below the workspace root, without links. */
  readonly path: string;
  /** The change of the file, as a unified diff or in words. */
  readonly preview: string;
  /** The text before and after the change; empty if the file is not text. */
  readonly texts: readonly FileTexts[];
}

/** The draft of the run block that makes a call. */
export interface CallDraft extends Pick<Draft, 'run'> {
  /** Asks about the changes so far and applies them. @throws ApprovalError when consent is refused */
  settle(pauseDuring?: RunningBlock['pauseDuring']): Promise<void>;
  /** Returns true for a change that becomes part of the draft, so that the user is not asked yet. */
  takes(request: ApprovalRequest): boolean;
  /** Makes a change as part of the draft. */
  add<T>(request: ApprovalRequest, work: () => Promise<T>): Promise<T>;
}

/**
 * Describes an effect in clauses for the person or program that decides about a call: `may destroy what cannot be had
 * back`, `costs $0.02`.
 */
export function describeDetails({ destructive, openWorld, cost }: EffectDetails): readonly string[] {
  return [
    ...(destructive === true ? ['may delete something that cannot be restored'] : []),
    ...(openWorld === true ? ['reaches data that anyone can change'] : []),
    ...(cost === undefined ? [] : [`costs ${cost}`]),
  ];
}
