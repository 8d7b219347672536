import type { ToolDefinition } from './tool-definition.ts';

/** Hit of a search over many spaces. */
export interface SearchHit {
  /** Address that can be read in the space: `core.router`, `7`. */
  readonly target: string;
  readonly text: string;
}

/** Work of a space that goes on after the call that began it, such as a command in the background. */
export interface RunningWork {
  /** Identifier among the running work of the space. */
  readonly id: string;
  /** What it is, in one line: `npm start`. */
  readonly title: string;
  /** Time since its start, in milliseconds. */
  readonly ms: number;
  /** Ends it. Resolves when it has ended; nothing else of the space is affected. */
  stop(): Promise<void>;
}

/** Lifetime of an open space. */
export interface SpaceLifetime {
  /** Aborts when the space is disposed of: for sockets, timers and anything else that continues between calls. */
  readonly signal: AbortSignal;
  /**
   * Starts work in the background. If it throws, nothing else is affected, and the error is shown on the next entry.
   */
  readonly background: (work: (signal: AbortSignal) => Promise<unknown>) => void;
}

/**
 * The methods that a class decorated with `@resourcespace` implements besides its `@tool` methods.
 *
 * Guide: docs/guide/write-a-resourcespace.md.
 */
export interface Resourcespace {
  /**
   * Prepares the space, once, before it is first entered, searched or called; `status`, `running` and `isIdle` are not
   * called before it. If it throws, the call fails with that error, and the next call tries again.
   */
  onOpen?(lifetime: SpaceLifetime): void | Promise<void>;
  /** Required. Returns the current state of the place, in a line or two; bae adds the tool table. */
  enter(): string | Promise<string>;
  /** Returns the spaces below this one, by name. May change from call to call. */
  children?(): Readonly<Record<string, SpaceSource>>;
  /** Returns counts for the home listing: `{ open: 3, blocked: 0 }`. */
  status?(): Readonly<Record<string, number>> | Promise<Readonly<Record<string, number>>>;
  /** Returns the work that goes on now, oldest first, so that a person can see and end it. */
  running?(): readonly RunningWork[];
  /**
   * Returns true while the tools of the place can do nothing, so that a search for tools does not suggest them.
   *
   * @param tool the one tool that is meant, which is then left out of the table of the place, too; asked for each tool
   *   when the place is shown. Default: the place as a whole
   */
  isIdle?(tool?: string): boolean | Promise<boolean>;
  /** Returns hits for a query over all spaces, best first. */
  search?(query: string, limit: number): readonly SearchHit[] | Promise<readonly SearchHit[]>;
  /** Returns the text that an address currently stands for, for facts that depend on it; undefined if there is none. */
  contentOf?(target: string): Promise<string | undefined>;
  /**
   * Returns addresses that begin with what a person has typed of one, sorted, each a step longer: `Queue.add` for
   * `Queue.a`.
   */
  complete?(typed: string, limit: number): Promise<readonly string[]>;
  /**
   * Finds what a name stands for that the read at home did not find; undefined when it stands for nothing here.
   *
   * @param near true to look for similar names, too
   * @returns the address that can be read here; not exact if it has a similar name
   */
  locate?(name: string, near: boolean): Promise<{ readonly target: string; readonly isExact: boolean } | undefined>;
  /**
   * Releases everything that the space holds, within ten seconds. May be called more than once, and for a space that
   * was never opened.
   */
  dispose?(): void | Promise<void>;
}

/** The declared properties of a space. */
export interface SpaceRecord {
  /** Identifier by which the space is entered. */
  readonly name: string;
  /** Description in one line. */
  readonly description: string;
  /** Heading under which a long home listing shows the space. */
  readonly group?: string;
  /** Other words for the subject of the space, by which its tools can also be found; they are not shown. */
  readonly synonyms?: readonly string[];
  /** Limit of the results of this space's tools, in tokens. Default and maximum: the limit of the agent. */
  readonly answerLimit?: number;
}

/** A space as plain data, for the registry, the router and tables. */
export interface SpaceDefinition extends SpaceRecord, Resourcespace {
  readonly tools: Readonly<Record<string, ToolDefinition>>;
  /**
   * True if the texts of its tools were written by others: they are shown only with results, never next to bae's own
   * texts.
   */
  readonly isForeign?: boolean;
  children(): Readonly<Record<string, SpaceSource>>;
}

/** A class decorated with `@resourcespace`; each session gets an instance of its own. */
export type SpaceClass = new (...args: never[]) => Resourcespace;

/** The part of a session that a factory may use to create a space for it. */
export interface SpaceSession {
  /**
   * Creates a space from any of the supported forms. Constructors get the values that the session provides, and the
   * session disposes of the space when it closes.
   *
   * @throws InvalidSpaceError when the space cannot be created
   */
  create(source: SpaceSource): SpaceDefinition;
}

/**
 * A space that each session creates for itself and disposes of when it closes, as for classes.
 *
 * `children()` may return a new factory on each call: a child is created once and kept as long as its parent lists a
 * factory of the same name.
 */
export interface SpaceFactory {
  /** The name under which the space is registered, regardless of the name of the created space. */
  readonly name: string;
  create(session: SpaceSession): SpaceDefinition | Resourcespace;
}

/** The supported forms of a space: a plain definition, a decorated instance or class, or a factory. */
export type SpaceSource = SpaceDefinition | Resourcespace | SpaceClass | SpaceFactory;
