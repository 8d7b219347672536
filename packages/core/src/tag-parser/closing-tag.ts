import { nameEnd } from './characters.ts';

/** A closing tag, `</W>` or labelled `</W:notes.md>`, and where in its line it stands. */
export interface ClosingTag {
  readonly written: string;
  /** The raw argument behind the colon; absent when there is none. */
  readonly label?: string;
  readonly start: number;
  /** Index behind its `>`. */
  readonly end: number;
}

/** The closing tag that begins exactly at an index, whatever its name. */
export function readClosingTag(line: string, at: number): ClosingTag | undefined {
  if (!line.startsWith('</', at)) return undefined;
  const nameStop = nameEnd(line, at + 2);
  const written = line.slice(at + 2, nameStop);
  if (written === '') return undefined;
  if (line.charAt(nameStop) === '>') return { written, start: at, end: nameStop + 1 };
  if (line.charAt(nameStop) !== ':') return undefined;
  let end = nameStop + 1;
  while (end < line.length && line.charAt(end) !== '>' && line.charAt(end) !== '<') end++;
  if (line.charAt(end) !== '>') return undefined;
  const label = line.slice(nameStop + 1, end);
  return { written, ...(label.trim() !== '' && { label }), start: at, end: end + 1 };
}
