import type { FileDigest } from './file-digest.ts';
import type { FileChange } from './journal/undo-preview.ts';
import { showPath } from './show-path.ts';
import { decodeText } from './text-file.ts';
import { unifiedDiff } from './unified-diff.ts';

/** Bytes or characters of both versions together up to which the difference is worked out. */
const LARGEST = 4_000_000;

/** What is different between two versions of a file, in the unified format, or in words where that cannot be. */
export function renderFileChange({ path, before, after }: FileChange): string {
  const shown = showPath(path);
  const [old = 0, now = 0] = [before?.length, after?.length];
  const texts = [before, after].map((bytes) => bytes && (bytes.includes(0) ? null : (decodeText(bytes) ?? null)));
  if (texts.includes(null)) return `${shown}: ${old} -> ${now} bytes that are no text\n`;
  if (old + now > LARGEST) return `${shown}: ${old} -> ${now} bytes, too many to compare\n`;
  return unifiedDiff({ path: shown, before: texts[0] ?? undefined, after: texts[1] ?? undefined });
}

/** A file, and the text that takes its place. */
interface TextChange {
  readonly path: string;
  /** Undefined when nothing is there; without content when that is too large. */
  readonly before: (Pick<FileDigest, 'size'> & { readonly content?: Uint8Array }) | undefined;
  readonly after: string;
}

/** The same for a text that is written: it has characters, whatever it replaces. */
export function renderTextChange({ path, before, after }: TextChange): string {
  const shown = showPath(path);
  const old = before?.content && decodeText(before.content);
  if (before !== undefined && old === undefined)
    return `${shown}: ${before.size} bytes that are no text -> ${after.length} characters`;
  const size = old?.length ?? 0;
  if (size + after.length > LARGEST) return `${shown}: ${size} -> ${after.length} characters, too many to compare`;
  return unifiedDiff({ path: shown, before: old, after });
}
