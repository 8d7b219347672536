import type { $ZodObject, $ZodType } from 'zod/v4/core';
import type { TimeoutError } from '../errors/bae-error.ts';
import type { ToolCall } from './tool-call.ts';
import type { Media, MediaContent } from './model.ts';

/**
 * Format in which the pruner reads text. `plain` has neither headings nor tables. For `markdown` and `printed`, the pruner
 * detects whether the text has another format; of `printed` text without one, the start, the end and errors are kept.
 */
export type TextFormat = 'markdown' | 'plain' | 'code' | 'json' | 'log' | 'diff' | 'csv' | 'html' | 'rows' | 'printed';

/** A part of a tool's result that is not text. */
export type Attachment =
  /** `data` is raw bytes or a base64 string. */
  | (MediaContent & { readonly data: Uint8Array | string })
  | { readonly type: 'link'; readonly url: string; readonly name?: string; readonly description?: string }
  /** The first row determines the columns. */
  | { readonly type: 'table'; readonly rows: readonly Readonly<Record<string, unknown>>[]; readonly name?: string };

/** Result of a tool if it is more than a plain string. */
export interface ToolOutput {
  readonly text: string;
  /** Format of the text. Default: `markdown`. */
  readonly format?: TextFormat;
  /** True if the text is a page that names the next one: it is never pruned. */
  readonly paged?: boolean;
  /**
   * Returns the whole result, if the text is a page, a first part, or has additions. It is only called for code, which
   * gets it instead of the text. Lists are easier to work with as data than as text.
   */
  readonly whole?: () => string | object | Promise<string | object>;
  /** Rows of the whole result, shown or not: for summaries. */
  readonly rows?: number;
  /** Text for the summary instead of a count, for example `2 -> 1 lines`. */
  readonly hint?: string;
  /** File and lines of the text, where the call names neither: `src/a.ts:9-18`. The header of the result shows it. */
  readonly where?: string;
  /** Images, sounds, files, links and tables: each is shown as a line below the text, and kept whole under a handle. */
  readonly attachments?: readonly (Attachment | Media)[];
  /** Errors of the items that failed, if the call was made for several items; the call then counts as failed. */
  readonly errors?: readonly Error[];
  /**
   * True if what the call ran has failed, such as tests or a program: the call itself is done, but not `ok`. False if it
   * has succeeded: of its tests, the totals are shown.
   */
  readonly failed?: boolean;
}

/** All fields of an output: the compiler refuses a list that lacks one. An object with other fields is data. */
export const OUTPUT_FIELDS: Readonly<Record<keyof ToolOutput, true>> = {
  text: true,
  format: true,
  paged: true,
  whole: true,
  rows: true,
  hint: true,
  where: true,
  attachments: true,
  errors: true,
  failed: true,
};

/**
 * Values that a tool may return. `undefined` and `null` are shown as `(no output)`; bytes are an image or a file; the
 * pieces of a generator are joined into one string or list; other values become JSON, with a Map as an object and a Set
 * as a list.
 */
export type ToolReturn = string | ToolOutput | object | number | boolean | null | undefined;

/** One parameter of a tool, as shown in signatures. */
export interface ParamSpec {
  readonly name: string;
  /** Type: `string`, `int`, `number`, `boolean`, `string[]`, an enum `a|b|c`, or `json` for anything else. */
  readonly type: string;
  /** Default value; present only if the parameter is optional. */
  readonly default?: unknown;
  /** True for the parameter that receives the text between the opening and the closing tag. */
  readonly body?: boolean;
  /** True for the parameter that may also be written between the tags: it is the only one that such text can be for. */
  readonly mayBeBody?: boolean;
  readonly doc?: string;
  /** A valid value, for literal examples. */
  readonly example?: unknown;
  /** For `json` and lists: the shape of a value, with its required fields: `[{"name":…,"tags":…}]`, `names,…`. */
  readonly shape?: string;
}

/** A tool's signature as data. The first parameter that is not the body gets the tag's argument. */
export interface ToolSpec {
  readonly name: string;
  readonly doc?: string;
  readonly params: readonly ParamSpec[];
  /** True if any other identifier is accepted as a keyword. */
  readonly rest?: boolean;
  /**
   * True if other names are passed on, though the tool does not ask for any: its schema has the catch-all `z.any()`. A
   * name that is like that of a parameter without a value is a mistake.
   */
  readonly open?: boolean;
  /** True if the tool receives a line range at the end of the argument separately. */
  readonly range?: boolean;
  /** TypeScript type of the value that code gets. Default: any value. */
  readonly returns?: string;
}

/**
 * Effect of a call: `read` changes nothing, `write` changes something on this machine,
 * `external` leaves the machine or costs money.
 */
export type ToolEffect = 'read' | 'write' | 'external';

/** Details of an effect besides its kind: shown to the user who is asked, and used when a session resumes. */
export interface EffectDetails {
  /** True if a second call with the same arguments has no further effect. */
  readonly idempotent?: boolean | undefined;
  /** True if it may delete or overwrite something that cannot be restored. */
  readonly destructive?: boolean | undefined;
  /** True if it reaches something that anyone may change: the web, other people. */
  readonly openWorld?: boolean | undefined;
  /** Price of one call, in a few words: `$0.02`. */
  readonly cost?: string | undefined;
}

/** Validated arguments by parameter name. */
export type ToolArguments = Readonly<Record<string, unknown>>;

/**
 * One tool of a space, as plain data: everything that routing, validation, tables and documentation
 * need, and the function to call.
 *
 * Decorators, `tool()` and mounted servers all produce this record.
 */
export interface ToolDefinition extends EffectDetails {
  readonly name: string;
  /** The first line describes the result. */
  readonly description: string;
  readonly effect: ToolEffect;
  /** Validates the named arguments; consists of any zod schemas. */
  readonly params: $ZodObject;
  /** The same parameters as data, derived from `params`: for signatures, tables and binding. */
  readonly spec: ToolSpec;
  /** Returns what a search reads of the parameters, without making `spec` for it. Default: what `spec` says. */
  readonly parameterDocs?: (() => readonly Pick<ParamSpec, 'name' | 'doc'>[]) | undefined;
  /** Schema of the data that it returns, or that `whole` of its output returns. Default: any value. */
  readonly output?: $ZodType | undefined;
  /** True if validating with `params` loads code, so that examples are made from `spec` alone. Default: false. */
  readonly isLazy?: boolean | undefined;
  /** Time limit of one call, in milliseconds. Default: 10 s for grep, 60 s for others. */
  readonly timeoutMs?: number | undefined;
  /**
   * Returns the error for a call that exceeded its time limit, if more can be said than that. Called at the moment the
   * call is stopped.
   */
  readonly explainTimeout?: ((ms: number) => TimeoutError) | undefined;
  /** True if the result confirms a change and is shown in full. Default: false. */
  readonly confirms?: boolean | undefined;
  /**
   * Parameters whose values only select among what the space has, such as the title of a test: they are neither sent
   * nor run, so a call needs no consent for having copied one from a text that was read. A function decides by the
   * arguments. Default: none.
   */
  readonly selects?: readonly string[] | ((args: ToolArguments) => readonly string[]) | undefined;
  /**
   * True for calls that access files only through the workspace, or not at all: they see the changes of a run block,
   * and their own changes are part of the question at its end. Other calls may start programs that do not see the
   * changes of the block, so the question about them is asked before such a call. Default: false.
   */
  readonly seesDraft?: ((args: ToolArguments) => boolean) | undefined;
  /**
   * Returns the target of a call in the spelling with which approval rules are compared: for a file, its path without
   * links. Must not change anything. Default: the primary argument as it was sent.
   */
  target?(args: ToolArguments, context: ToolContext): string | CallTarget | Promise<string | CallTarget>;
  /**
   * Returns the change that a call would make: the router asks for consent with its preview, then applies the same
   * object. Must not change anything itself.
   *
   * @returns a `Change`; or a result, such as the preview of a dry run, which does not need consent because nothing
   *   was changed
   */
  plan?(args: ToolArguments, context: ToolContext): Change | ToolReturn | Promise<Change | ToolReturn>;
  /**
   * Describes the effect of a call for the user, as a unified diff or in words, without changing anything. For tools
   * without `plan`.
   */
  preview?(args: ToolArguments, context: ToolContext): string | Promise<string>;
  /**
   * Runs the call; with `plan`, plans and applies in one step, for callers that already have consent. Contract:
   * throws a `BaeError` for an error that the caller can correct; obeys `context.signal`.
   *
   * @param args validated arguments by parameter name
   */
  invoke(args: ToolArguments, context: ToolContext): ToolReturn | Promise<ToolReturn>;
}

/** Something that a change affects: a file of the workspace, or something outside it. */
export type Touch =
  /** The path below the workspace root, without links: the spelling that approval rules compare. */
  | { readonly path: string }
  /** Something outside the workspace, as a rule names it: `npm install`, `https://example.org`. */
  | { readonly outside: string };

/** The text of a file before and after a change; null if the file does not exist. */
export interface FileTexts {
  /** Path below the workspace root, without links. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * A planned change: it is shown to get consent, and then applied.
 *
 * Planning does not change anything or hold any resource, so a plan that is refused or discarded does not need
 * clean-up.
 */
export interface Change {
  /** Everything that the change affects. Approval rules are compared with each entry. */
  readonly touches: readonly Touch[];
  /** Describes the change as a unified diff or in words. */
  preview(): string | Promise<string>;
  /** The text files that it changes, for programs that show changes in their own form. */
  texts?(): readonly FileTexts[];
  /**
   * Makes the change.
   *
   * @throws ConflictError when the state that the plan is based on has changed; nothing was written, so the router
   *   plans again, and asks again if the new preview is different
   */
  apply(context: ToolContext): ToolReturn | Promise<ToolReturn>;
}

/** Tests whether the return value of a plan is a change, not a result. */
export function isChange(value: unknown): value is Change {
  if (typeof value !== 'object' || value === null) return false;
  const { touches, preview, apply } = value as Partial<Change>;
  return Array.isArray(touches) && typeof preview === 'function' && typeof apply === 'function';
}

/** First and last line, 1-based and inclusive; `null` means "to the end". */
export type LineRange = readonly [start: number, end: number | null];

/** Session state for tools. */
export interface SessionState {
  /** Random name of the session. */
  readonly id: string;
  /** SHA-256 hash of every resource as it was last shown to this session, by the key of the resource. */
  readonly seen: Map<string, string>;
}

/** The target of a call, as an object that is resolved once: `plan` gets it as `context.target`. */
export interface CallTarget {
  /** Spelling with which approval rules are compared. */
  readonly path: string;
}

/** One field of a question. */
export interface QuestionField {
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  /** Description for people, in a few words. Default: the name. */
  readonly description?: string;
  /** Allowed answers. Default: any. */
  readonly oneOf?: readonly string[];
  /** The answer if the user only presses Enter. Without a default, a field that is not optional requires an answer. */
  readonly default?: string | number | boolean;
  readonly optional?: boolean;
}

/** A question of a tool to the user of the agent. */
export interface Question {
  readonly text: string;
  readonly fields: Readonly<Record<string, QuestionField>>;
  /** Time after which the defaults of the fields are the answer, in milliseconds. Default: no limit. */
  readonly timeoutMs?: number;
  /**
   * Address that the user is asked to open, which the text has too. Nothing opens it for them. The fields are then
   * booleans that agree to it.
   */
  readonly url?: string;
  /**
   * JSON Schema of the fields, for programs that show forms; it may say more than the fields do. The answer to a list is
   * a JSON text then. Default: what the fields say.
   */
  readonly schema?: Readonly<Record<string, unknown>>;
}

/** The answers of the user by field name. */
export type Answers = Readonly<Record<string, string | number | boolean>>;

/**
 * Asks the user of the agent; returns undefined if they do not want to answer.
 *
 * @throws ResourceError if nobody can answer, or the user dismisses the question without an answer
 */
export type AskPerson = (
  question: Question & { readonly space: string; readonly tool: string },
  signal: AbortSignal,
) => Promise<Answers | undefined>;

/** Context that a tool receives besides its arguments. */
export interface ToolContext {
  /** Aborts when the turn is cancelled or the call's time is up. */
  readonly signal: AbortSignal;
  /** Space in which the call runs, dotted: `home`, `source.meta`. */
  readonly space: string;
  /** Tool that is running. */
  readonly definition: ToolDefinition;
  /** For `plan`: the object that `target` returned. Absent if it returned a string. */
  readonly target?: CallTarget;
  /**
   * Files and folders that the call is about, as paths below the workspace root without links. Tools add those that they
   * read or that their arguments name; what a planned change touches is added for them. The event that ends the call
   * lists them.
   */
  readonly files: Set<string>;
  /** Limit of the result in tokens, for the size of a page or a list. */
  readonly answerLimit: number;
  /**
   * Converts a tag of this space to the form that works where the call was made: `<R:7>`, from elsewhere `<tasks.R:7>`.
   */
  readonly tag: (tag: string) => string;
  /** Line range of the argument, if the tool declares `range`. */
  readonly range?: LineRange;
  /** With a range: the argument as it was sent, including the range, for a name that happens to end like a range. */
  readonly argument?: string;
  /** True if the body was on lines of its own between the tags. */
  readonly block: boolean;
  /** True if code made the call: its arguments are data, and it gets whole results. False for a tag. */
  readonly fromCode: boolean;
  /** All calls of the same response in order, including this one. All of them share one list. */
  readonly batch: readonly ToolCall[];
  readonly session: SessionState;
  /**
   * Asks for consent to something that the tool's effect does not cover.
   *
   * @param reason a clause: `it may hold secrets`
   * @param target a file is asked about as one that is read, whatever the call does. Default: the target of the call
   * @throws ApprovalError when consent is refused
   */
  readonly requestApproval: (reason: string, target?: string | { readonly path: string }) => Promise<void>;
  /**
   * Asks the user of the agent, never the model. The time limit of the call is paused during the question.
   *
   * @returns undefined when the user does not want to answer
   * @throws ResourceError when no user is available
   */
  readonly ask: (question: Question) => Promise<Answers | undefined>;
  /**
   * Reports the progress of the call to the user: at most ten reports a second are passed on. Whenever the progress
   * increases, the time limit of the call restarts, up to ten times its length in total.
   *
   * @param done amount of finished work, in any unit
   * @param total total amount, if known
   * @param text description of the current step, in a few words
   */
  readonly progress: (done: number, total?: number, text?: string) => void;
  /**
   * Shows the user a part of the later result, or of the data that the call works on. The model never sees it, only the
   * result.
   */
  readonly output: (text: string) => void;
  /**
   * Returns the address of a name in the space that has it; undefined if no space does. At home, an error with the
   * property `missing` then moves the call there. Absent where calls are not moved.
   */
  readonly locate?: (name: string) => Promise<string | undefined>;
  /**
   * Asks the session's model to translate, summarise or judge, for example; without the conversation and without tools.
   * Needs consent, and counts towards the limits of the turn. The time limit of the call is paused during the request.
   *
   * @returns the response as an ordinary string: nothing in it is executed
   * @throws ApprovalError when consent is refused; ResourceError without a model, or at a limit; ModelError when it
   *   fails
   */
  readonly model: (prompt: string) => Promise<string>;
}
