import { splitLines } from '@bae/workspace';

/** What takes the place of lines, as it came. */
export interface LinesGiven {
  readonly body: string;
  /**
   * How the body is taken apart. `separated`: its lines stand between line feeds, so that one at its end is followed
   * by an empty line. `ended`: every line has its own, as in a file, so that one alone is an empty line.
   */
  readonly form: 'separated' | 'ended';
}

/** One new line. */
export interface NewLine {
  readonly text: string;
  /** The line break it came with, where that says how it is to end. */
  readonly ending?: string;
}

/** The lines of a body; none for an empty one. */
export function newLines({ body, form }: LinesGiven): readonly NewLine[] {
  if (form === 'ended') return splitLines(body).map(endedLine);
  return body === '' ? [] : body.split(/\r?\n/).map((text) => ({ text }));
}

function endedLine(line: string): NewLine {
  const ending = endingOf(line);
  return ending === undefined ? { text: line } : { text: line.slice(0, -ending.length), ending };
}

/** The line break that ends a line; undefined when none does. */
export function endingOf(line: string | undefined): string | undefined {
  if (line === undefined || !line.endsWith('\n')) return undefined;
  return line.endsWith('\r\n') ? '\r\n' : '\n';
}
