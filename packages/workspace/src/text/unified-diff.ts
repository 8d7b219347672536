import { FOLDER, LINK } from '../file/file-content.ts';
import type { StructuredPatchHunk } from 'diff';
import { structuredPatch } from 'diff/lib/patch/create.js';
import { decodeText } from '../file/text-file.ts';
import { formatPath } from '../path/show-path.ts';
import { splitLines } from './text-lines.ts';

/** Two versions of a text and its path. */
export interface DiffRequest {
  readonly path: string;
  /** Undefined when the text did not exist. */
  readonly before: string | undefined;
  /** Undefined when the text was removed. */
  readonly after: string | undefined;
}

/** A file before and after a change. */
export interface FileChange {
  readonly path: string;
  /** Absent when the file does not exist before the change, or after it. */
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
  /** Its permission bits before and after, if the change sets them. */
  readonly modes?: readonly [before: number, after: number];
  /** Type bits of the mode of a link or an empty folder. Default: a file. */
  readonly type?: number | undefined;
}

const CONTEXT = 3;
/** Maximum number of changed lines for which a minimal diff is computed; the time grows with its square. */
const MOST_CHANGES = 400;
/** Maximum total size of both versions for which a diff is computed, in bytes or characters. */
const LARGEST = 4_000_000;

/**
 * Compares two texts in the unified format; returns an empty string when they are equal.
 *
 * A carriage return at the end of a line is part of the line, and is kept. If there are too many changes, everything
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

/** Renders the first line and the number of lines; without lines, the number of the line before. */
function renderHunkRange(start: number, size: number): string {
  return `${size === 0 ? start - 1 : start}${size === 1 ? '' : `,${size}`}`;
}

/** Creates one hunk from the first to the last change. */
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

/** Lines that differ between two versions of a text: indexes of the first ones, and numbers of lines. */
export interface ChangedLines {
  readonly oldStart: number;
  readonly newStart: number;
  readonly removed: number;
  readonly added: number;
}

/** Compares two texts by lines. If there are too many differences, everything counts as one. */
export function findChangedLines(before: string, after: string): readonly ChangedLines[] {
  const options = { context: 0, maxEditLength: MOST_CHANGES };
  const { hunks } = structuredPatch('', '', before, after, '', '', options) ?? {};
  if (hunks === undefined) {
    const [removed, added] = [splitLines(before).length, splitLines(after).length];
    return [{ oldStart: 0, newStart: 0, removed, added }];
  }
  return hunks.map(({ oldStart, oldLines, newStart, newLines }) => {
    return { oldStart: oldStart - 1, newStart: newStart - 1, removed: oldLines, added: newLines };
  });
}

/** Compares two versions of a file in the unified format, or in words if a diff is impossible. */
export function renderFileChange({ modes: [old, now] = [0, 0], ...change }: FileChange): string {
  if (change.type === LINK || change.type === FOLDER) return renderEntryChange(change);
  const mode = old === now ? '' : `${formatPath(change.path)}: mode ${old.toString(8)} -> ${now.toString(8)}\n`;
  return `${renderContents(change)}${mode}`;
}

/** Describes a new or removed link or folder in words. */
function renderEntryChange({ path, before, after, type }: Omit<FileChange, 'modes'>): string {
  const isNew = before === undefined;
  const name = formatPath(path);
  if (type === FOLDER) return `${isNew ? 'new folder' : 'remove the empty folder'} ${name}\n`;
  const target = formatPath(Buffer.from(after ?? before ?? []).toString());
  return `${isNew ? 'new link' : 'remove the link'} ${name} -> ${target}\n`;
}

function renderContents({ path, before, after }: Omit<FileChange, 'modes'>): string {
  if (before !== undefined && after !== undefined && Buffer.compare(before, after) === 0) return '';
  const name = formatPath(path);
  const [old = 0, now = 0] = [before?.length, after?.length];
  const texts = [before, after].map((bytes) => bytes && (bytes.includes(0) ? null : (decodeText(bytes) ?? null)));
  if (texts.includes(null)) return `${name}: ${old} -> ${now} bytes that are not text\n`;
  if (old + now > LARGEST) return `${name}: ${old} -> ${now} bytes, too many to compare\n`;
  return renderUnifiedDiff({ path: name, before: texts[0] ?? undefined, after: texts[1] ?? undefined });
}

interface TextChange {
  readonly path: string;
  /** Undefined when the file does not exist; without content when the file is too large. */
  readonly before: { readonly size: number; readonly content?: Uint8Array } | undefined;
  readonly after: string;
}

/** Compares a file with the text that replaces it; the new version is always text, unlike the old one. */
export function renderTextChange({ path, before, after }: TextChange): string {
  const name = formatPath(path);
  const old = before?.content && decodeText(before.content);
  if (before !== undefined && old === undefined)
    return `${name}: ${before.size} bytes that are not text -> ${after.length} characters`;
  const size = old?.length ?? 0;
  if (size + after.length > LARGEST) return `${name}: ${size} -> ${after.length} characters, too many to compare`;
  return renderUnifiedDiff({ path: name, before: old, after });
}
