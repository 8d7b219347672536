import type { Outline, Span, Surroundings } from './outline.ts';

/** A text, and the path of its file, whose ending says how it is read. */
export interface SourceText {
  readonly text: string;
  readonly path: string;
}

/** A language, as far as reading and changing by symbol needs to know it. Contract: never throws. */
export interface Language {
  /** What is in a module; text that is not understood has a `problem`. */
  outline(source: SourceText): Outline;
  /** What is in a piece of text by itself, in the place it is meant for. Offsets are those of the piece. */
  parse(source: SourceText, place: Surroundings): Outline;
  /** Parts of a piece of text that are values written over several lines: their blanks are not to be touched. */
  literals(source: SourceText, place: Surroundings): readonly Span[];
}
