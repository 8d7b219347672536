import type { ToolDefinition } from './tool-definition.ts';

/** One hit of a search over many spaces. */
export interface SearchHit {
  /** Address that can be read in the space: `core.router`, `7`. */
  readonly target: string;
  readonly text: string;
}

/** The time for which a space is open. */
export interface SpaceLifetime {
  /** Aborts when the space is disposed of: for sockets, timers and whatever else goes on between calls. */
  readonly signal: AbortSignal;
  /** Does work that nobody waits for. Its error ends nothing: whoever enters the space next reads it. */
  readonly background: (work: (signal: AbortSignal) => Promise<unknown>) => void;
}

/**
 * What a class decorated with `@resourcespace` implements besides its `@tool` methods.
 *
 * Guide: docs/guide/write-a-resourcespace.md.
 */
export interface Resourcespace {
  /**
   * Gets ready, once, before the space is first entered, searched or called. When it throws, that is the result of the
   * call, and the next one tries again.
   */
  onOpen?(lifetime: SpaceLifetime): void | Promise<void>;
  /** Required. The current state of the place, in a line or two; bae adds the tool table. */
  enter(): string | Promise<string>;
  /** Spaces below this one, by name. May change from call to call. */
  children?(): Readonly<Record<string, SpaceSource>>;
  /** Counts for the home listing: `{ open: 3, blocked: 0 }`. */
  status?(): Readonly<Record<string, number>> | Promise<Readonly<Record<string, number>>>;
  /** Hits for a query over all spaces, best first. */
  search?(query: string, limit: number): readonly SearchHit[] | Promise<readonly SearchHit[]>;
  /** Releases everything the space holds. May be called more than once. */
  dispose?(): void | Promise<void>;
}

/** What is declared of a space. */
export interface SpaceRecord {
  /** An identifier; how the space is entered. */
  readonly name: string;
  /** One line. */
  readonly description: string;
  /** Heading under which a long home listing shows the space. */
  readonly group?: string;
  /** Limit of the results of this space's tools, in tokens. Default, and at most: the limit of the agent. */
  readonly answerLimit?: number;
}

/** A space as plain data: what registry, router and tables work with. */
export interface SpaceDefinition extends SpaceRecord, Resourcespace {
  readonly tools: Readonly<Record<string, ToolDefinition>>;
  children(): Readonly<Record<string, SpaceSource>>;
}

/** A class decorated with `@resourcespace`; each session gets an instance of its own. */
export type SpaceClass = new (...args: never[]) => Resourcespace;

/** What a factory may use of the session that it makes a space for. */
export interface SpaceSession {
  /**
   * Makes a space of anything that a space can be given as. Constructors get what the session provides, and the
   * session disposes of the space when it closes.
   *
   * @throws InvalidSpaceError when it cannot be made
   */
  create(source: SpaceSource): SpaceDefinition;
}

/**
 * A space that each session makes for itself and disposes of when it closes, as it does with classes.
 *
 * `children()` may return a new factory on each call: a child is made once for as long as its parent lists a
 * factory of the same name.
 */
export interface SpaceFactory {
  /** The name under which the space is registered, whatever the name of the space that is made. */
  readonly name: string;
  create(session: SpaceSession): SpaceDefinition | Resourcespace;
}

/** Everything a space can be given as: a plain definition, a decorated instance or class, or a factory. */
export type SpaceSource = SpaceDefinition | Resourcespace | SpaceClass | SpaceFactory;
