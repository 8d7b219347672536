import type { StructuredPatchHunk } from 'diff';
import { structuredPatch } from 'diff/lib/patch/create.js';
import { decodeText } from '../file/text-file.ts';
import { formatPath } from '../path/show-path.ts';
import { splitLines } from './text-lines.ts';

/** Two versions of a text and what to call them. */
export interface DiffRequest {
  readonly path: string;
  /** Undefined when there was nothing. */
  readonly before: string | undefined;
  /** Undefined when nothing is left. */
  readonly after: string | undefined;
}

/** A file as it is, and as it would be. */
export interface FileChange {
  readonly path: string;
  /** Absent when there is none, or would be none. */
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
}

const CONTEXT = 3;
/** Changed lines up to which the fewest are looked for; the time grows with their square. */
const MOST_CHANGES = 400;
/** Bytes or characters of both versions together up to which the difference is worked out. */
const LARGEST = 4_000_000;

/**
 * Compares two texts in the unified format; empty when nothing is different.
 *
 * A carriage return at the end of a line is part of the line, and stays. When very much was changed, everything
 * between the first and the last change counts as changed.
 */
export function renderUnifiedDiff({ path, before, after }: DiffRequest): string {
  if (before === after) return '';
  const [old, now] = [before ?? '', after ?? ''];
  const options = { context: CONTEXT, maxEditLength: MOST_CHANGES };
  const hunks = structuredPatch('', '', old, now, '', '', options)?.hunks ?? [coarseHunk(old, now)];
  const name = (text: string | undefined) => (text === undefined ? '/dev/null' : path);
  return [`--- ${name(before)}`, `+++ ${name(after)}`, ...hunks.flatMap(renderHunk), ''].join('\n');
}

function renderHunk({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): readonly string[] {
  return [`@@ -${renderHunkRange(oldStart, oldLines)} +${renderHunkRange(newStart, newLines)} @@`, ...lines];
}

/** First line and number of lines; with no lines, the line before. */
function renderHunkRange(start: number, size: number): string {
  return `${size === 0 ? start - 1 : start}${size === 1 ? '' : `,${size}`}`;
}

/** One hunk from the first to the last change. */
function coarseHunk(before: string, after: string): StructuredPatchHunk {
  const [old, now] = [splitLines(before), splitLines(after)];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++;
  const first = Math.max(head - CONTEXT, 0);
  const end = (lines: readonly string[]) => Math.min(lines.length - tail + CONTEXT, lines.length);
  return {
    oldStart: first + 1,
    oldLines: end(old) - first,
    newStart: first + 1,
    newLines: end(now) - first,
    lines: [
      ...prefixLines(' ', old.slice(first, head)),
      ...prefixLines('-', old.slice(head, old.length - tail)),
      ...prefixLines('+', now.slice(head, now.length - tail)),
      ...prefixLines(' ', old.slice(old.length - tail, end(old))),
    ],
  };
}

function prefixLines(sign: string, lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) =>
    line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, String.raw`\ No newline at end of file`],
  );
}

/** Compares two versions of a file in the unified format, or in words where that cannot be. */
export function renderFileChange({ path, before, after }: FileChange): string {
  const name = formatPath(path);
  const [old = 0, now = 0] = [before?.length, after?.length];
  const texts = [before, after].map((bytes) => bytes && (bytes.includes(0) ? null : (decodeText(bytes) ?? null)));
  if (texts.includes(null)) return `${name}: ${old} -> ${now} bytes that are no text\n`;
  if (old + now > LARGEST) return `${name}: ${old} -> ${now} bytes, too many to compare\n`;
  return renderUnifiedDiff({ path: name, before: texts[0] ?? undefined, after: texts[1] ?? undefined });
}

interface TextChange {
  readonly path: string;
  /** Undefined when nothing is there; without content when that is too large. */
  readonly before: { readonly size: number; readonly content?: Uint8Array } | undefined;
  readonly after: string;
}

/** The same for a text that is written: it has characters, whatever it replaces. */
export function renderTextChange({ path, before, after }: TextChange): string {
  const name = formatPath(path);
  const old = before?.content && decodeText(before.content);
  if (before !== undefined && old === undefined)
    return `${name}: ${before.size} bytes that are no text -> ${after.length} characters`;
  const size = old?.length ?? 0;
  if (size + after.length > LARGEST) return `${name}: ${size} -> ${after.length} characters, too many to compare`;
  return renderUnifiedDiff({ path: name, before: old, after });
}
