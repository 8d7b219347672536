import { readLine, type LineKind } from './line-kind.ts';
import type { TagNames } from './tag-names.ts';
import { withoutTerminalCodes } from './terminal-codes.ts';
import { trimBlanks } from './trim-blanks.ts';

/** A line that holds terminal codes. */
interface CodedLine {
  readonly what: LineKind | undefined;
  /** What to show of it where it is prose. */
  readonly visible: string;
}

/** Reads a line as if its colours and links were not there; bodies on it keep theirs. */
export function readCodedLine(raw: string, names: TagNames): CodedLine {
  const { detected, visible } = withoutTerminalCodes(raw);
  const what = readLine(trimBlanks(detected), names);
  // What is shown must mean as little as what was looked at, or the prose would hold calls.
  const isHarmless = visible === detected || !readLine(trimBlanks(visible), names);
  return { what: what?.kind === 'inline' ? withRawBody(what, raw) : what, visible: isHarmless ? visible : detected };
}

function withRawBody(what: LineKind & { kind: 'inline' }, raw: string): LineKind {
  const open = raw.indexOf(`<${what.tag.written}:`);
  const start = raw.indexOf('>', open) + 1;
  const end = raw.lastIndexOf('</');
  return open !== -1 && start > 0 && end >= start ? { ...what, body: raw.slice(start, end) } : what;
}
