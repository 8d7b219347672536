import type { $ZodObject, $ZodType } from 'zod/v4/core';
import type { ToolCall } from './tool-call.ts';
import type { Media, MediaContent } from './model.ts';

/**
 * How the pruner reads a text. `plain` has neither headings nor tables; `markdown` is recognised as something else
 * where it is that.
 */
export type TextFormat = 'markdown' | 'plain' | 'code' | 'json' | 'log' | 'diff' | 'csv' | 'html' | 'rows';

/** A part of a tool's result that is not text. */
export type Attachment =
  /** `data` is the bytes, as they are or in base64. */
  | (MediaContent & { readonly data: Uint8Array | string })
  | { readonly type: 'link'; readonly url: string; readonly name?: string; readonly description?: string }
  /** The first row has the columns. */
  | { readonly type: 'table'; readonly rows: readonly Readonly<Record<string, unknown>>[]; readonly name?: string };

/** A tool's result when it is more than a plain string. */
export interface ToolOutput {
  readonly text: string;
  /** Default: `markdown`. */
  readonly format?: TextFormat;
  /** True when the text is a page that names the next one: it is never pruned. */
  readonly paged?: boolean;
  /**
   * The whole result, where the text is a page, a first part, or has additions. Code gets it instead of the text;
   * it is called only then. Lists are easier to work with as data than as text.
   */
  readonly whole?: () => string | object | Promise<string | object>;
  /** Rows of the whole result, shown or not: for summaries. */
  readonly rows?: number;
  /** Text for the summary instead of a count, for example `2 -> 1 lines`. */
  readonly hint?: string;
  /** Images, sounds, files, links and tables: each is a line below the text, and kept whole under a handle. */
  readonly attachments?: readonly (Attachment | Media)[];
  /** Items of a call over several items that did not succeed; the call then counts as failed. */
  readonly errors?: readonly Error[];
}

/**
 * What a tool may return. `undefined` and `null` read `(no output)`; bytes are an image or a file; the pieces of a
 * generator are one text, or one list; all else becomes JSON, where a Map is an object and a Set a list.
 */
export type ToolReturn = string | ToolOutput | object | number | boolean | null | undefined;

/** One parameter of a tool, as shown in signatures. */
export interface ParamSpec {
  readonly name: string;
  /** `string`, `int`, `number`, `boolean`, `string[]`, an enum `a|b|c`, or `json` for anything else. */
  readonly type: string;
  /** Present only when the parameter may be left out. */
  readonly default?: unknown;
  /** True for the parameter that takes the text between the open and the close tag. */
  readonly body?: boolean;
  readonly doc?: string;
  /** A value that would work, for literal examples. */
  readonly example?: unknown;
  /** For `json`: the fields that a value has to have, as in `[{"name":…,"tags":…}]`. */
  readonly shape?: string;
}

/** A tool's signature as data. The first parameter that is not the body takes the tag's argument. */
export interface ToolSpec {
  readonly name: string;
  readonly doc?: string;
  readonly params: readonly ParamSpec[];
  /** True when any other identifier is accepted as a keyword. */
  readonly rest?: boolean;
  /** True when the tool gets a line range at the end of the argument separately. */
  readonly range?: boolean;
  /** What code gets, as a TypeScript type. Default: anything. */
  readonly returns?: string;
}

/**
 * What a call does to the world: `read` changes nothing, `write` changes something here,
 * `external` leaves the machine or costs money.
 */
export type ToolEffect = 'read' | 'write' | 'external';

/** What is known of an effect besides its kind: shown to whoever is asked, and used when a session resumes. */
export interface EffectDetails {
  /** True when a second call with the same arguments changes nothing more. */
  readonly idempotent?: boolean;
  /** True when it may delete or overwrite what cannot be had back. */
  readonly destructive?: boolean;
  /** True when it reaches what anybody may change: the web, other people. */
  readonly openWorld?: boolean;
  /** What one call costs, in a few words: `$0.02`. */
  readonly cost?: string;
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
  /** Validates the named arguments; made of any zod schemas. */
  readonly params: $ZodObject;
  /** The same parameters as data, derived from `params`: for signatures, tables and binding. */
  readonly spec: ToolSpec;
  /** Schema of the data that it returns, or that the `whole` of its output gives. Default: it may be anything. */
  readonly output?: $ZodType;
  /** True when validating with `params` loads code, so that examples are made of `spec` alone. Default: false. */
  readonly isLazy?: boolean;
  /** Longest time one call may take, in milliseconds. Default: 10 s for grep, 60 s for others. */
  readonly timeoutMs?: number;
  /** True when the result confirms a change and is shown whole. Default: false. */
  readonly confirms?: boolean;
  /**
   * True for calls that reach files through the workspace alone, or none: they find what a run block has changed, and
   * what they change is asked about at its end. Before others, which may start programs that know nothing of that, it
   * is asked about at once. Default: false.
   */
  readonly seesDraft?: (args: ToolArguments) => boolean;
  /**
   * The target of a call in the spelling that approval rules are compared with: for a file its path without
   * links. Changes nothing. Default: the primary argument as it was sent.
   */
  target?(args: ToolArguments, context: ToolContext): string | CallTarget | Promise<string | CallTarget>;
  /**
   * The change that a call would make, for a tool that changes something: the router asks for consent with what
   * it shows, then applies this same object. Changes nothing itself.
   *
   * @returns a `Change`; or a result, such as the preview of a dry run, which needs no consent because nothing
   *   was changed
   */
  plan?(args: ToolArguments, context: ToolContext): Change | ToolReturn | Promise<Change | ToolReturn>;
  /**
   * Shows the person who may consent what a call would change, as a unified diff or in words, and changes nothing.
   * For tools without `plan`.
   */
  preview?(args: ToolArguments, context: ToolContext): string | Promise<string>;
  /**
   * Runs the call; with `plan`, plans and applies in one step, for callers that have consent already. Contract:
   * throws a `BaeError` for what the caller can correct; obeys `context.signal`.
   *
   * @param args validated arguments by parameter name
   */
  invoke(args: ToolArguments, context: ToolContext): ToolReturn | Promise<ToolReturn>;
}

/** Something that a change reaches: a file of the workspace, or an effect outside it. */
export type Touch =
  /** The path below the workspace root, without links: the spelling that approval rules compare. */
  | { readonly path: string }
  /** An effect elsewhere, as a rule names it: `npm install`, `https://example.org`. */
  | { readonly outside: string };

/** The text of a file before and after a change; null where there is no file. */
export interface FileTexts {
  /** Below the workspace root, without links. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * A planned change: it is shown to get consent, and then applied.
 *
 * Planning changes nothing and holds nothing, so a plan that is refused or forgotten needs no clean-up.
 */
export interface Change {
  /** Everything the change reaches. Approval rules are compared with each of them. */
  readonly touches: readonly Touch[];
  /** The change as a unified diff, or in words. */
  preview(): string | Promise<string>;
  /** The text files that it changes, for programs that show changes in a form of their own. */
  texts?(): readonly FileTexts[];
  /**
   * Makes the change.
   *
   * @throws ConflictError when the state it was planned on has changed; nothing was written then, so the router plans
   *   again, and asks again when the new plan shows something else
   */
  apply(context: ToolContext): ToolReturn | Promise<ToolReturn>;
}

/** True for what a plan returns when there is something to change, false for a result. */
export function isChange(value: unknown): value is Change {
  if (typeof value !== 'object' || value === null) return false;
  const { touches, preview, apply } = value as Partial<Change>;
  return Array.isArray(touches) && typeof preview === 'function' && typeof apply === 'function';
}

/** First and last line, 1-based and inclusive; `null` reads "to the end". */
export type LineRange = readonly [start: number, end: number | null];

/** Session state for tools. */
export interface SessionState {
  /** Random name of the session. */
  readonly id: string;
  /** SHA-256 of every resource as it was last shown to this session, by the resource's own key. */
  readonly seen: Map<string, string>;
}

/** The target of a call, as an object that is looked up once: `plan` gets it as `context.target`. */
export interface CallTarget {
  /** The spelling that approval rules are compared with. */
  readonly path: string;
}

/** What a question asks for under one name. */
export interface QuestionField {
  readonly type: 'string' | 'number' | 'integer' | 'boolean';
  /** A few words for people. Default: the name. */
  readonly description?: string;
  /** The texts that may be answered. Default: any. */
  readonly oneOf?: readonly string[];
  /** The answer where the person only presses Enter. Without it, and not optional, an answer is needed. */
  readonly default?: string | number | boolean;
  readonly optional?: boolean;
}

/** A question of a tool to the person in front of the agent. */
export interface Question {
  readonly text: string;
  readonly fields: Readonly<Record<string, QuestionField>>;
}

/** What a person answered, by the names of the fields. */
export type Answers = Readonly<Record<string, string | number | boolean>>;

/** Asks the person in front of the agent; undefined when they do not want to answer. */
export type AskPerson = (
  question: Question & { readonly space: string; readonly tool: string },
  signal: AbortSignal,
) => Promise<Answers | undefined>;

/** What a tool receives besides its arguments. */
export interface ToolContext {
  /** Aborts when the turn is cancelled or the call's time is up. */
  readonly signal: AbortSignal;
  /** The space the call runs in, dotted: `home`, `source.meta`. */
  readonly space: string;
  /** The tool that runs. */
  readonly definition: ToolDefinition;
  /** For `plan`: the object that `target` returned. Absent when it returned a text. */
  readonly target?: CallTarget;
  /** Limit of the result, in tokens: the room that a page or a list has. */
  readonly answerLimit: number;
  /** A tag of this space as it works where the call was made: `<R:7>`, from elsewhere `<tasks.R:7>`. */
  readonly tag: (tag: string) => string;
  /** Line range of the argument, when the tool declares `range`. */
  readonly range?: LineRange;
  /** With a range: the argument as it was sent, range included, for a name that happens to end like one. */
  readonly argument?: string;
  /** True when the body stood on lines of its own between the tags. */
  readonly block: boolean;
  /** True when code made the call: its arguments are data, and it gets whole results. False for a tag. */
  readonly fromCode: boolean;
  /** The calls of the response that this call came in, itself included, in order: one list a response. */
  readonly batch: readonly ToolCall[];
  readonly session: SessionState;
  /**
   * Asks for consent to something that the tool's effect does not cover.
   *
   * @param reason a clause: `it may hold secrets`
   * @param target default: the target of the call
   * @throws ApprovalError when consent is refused
   */
  readonly requestApproval: (reason: string, target?: string) => Promise<void>;
  /**
   * Asks the person in front of the agent, and never the model. The time of the call is paused meanwhile.
   *
   * @returns undefined when the person does not want to answer
   * @throws ResourceError when nobody is there
   */
  readonly ask: (question: Question) => Promise<Answers | undefined>;
  /**
   * Reports how far the call has come, for people who wait for it: at most ten reports a second are passed on. When
   * more is done than at the last report the time limit starts anew, up to ten times its length in all.
   *
   * @param done what is done, in any unit
   * @param total of how much, when that is known
   * @param text what is being done, in a few words
   */
  readonly progress: (done: number, total?: number, text?: string) => void;
  /**
   * Passes on a part of what the call returns later, or of what it works on, for people who wait for it. The model
   * never sees it: only the result counts.
   */
  readonly output: (text: string) => void;
  /**
   * Asks the model of the session, without the conversation and without tools: to translate, to summarise, to judge. It
   * needs consent, and counts for the limits of the turn. The time of the call is paused meanwhile.
   *
   * @returns the response, a text like any other: nothing in it is executed
   * @throws ApprovalError when consent is refused; ResourceError without a model, or at a limit; ModelError when it fails
   */
  readonly model: (prompt: string) => Promise<string>;
}
