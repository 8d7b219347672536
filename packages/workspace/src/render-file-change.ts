import { isUtf8 } from 'node:buffer';
import type { FileChange } from './journal/undo-preview.ts';
import { showPath } from './show-path.ts';
import { unifiedDiff } from './unified-diff.ts';

/** Bytes of both versions together up to which the difference is worked out. */
const LARGEST = 4_000_000;

/** What is different between two versions of a file, in the unified format, or in words where that cannot be. */
export function renderFileChange({ path, before, after }: FileChange): string {
  const shown = showPath(path);
  const [old = 0, now = 0] = [before?.length, after?.length];
  if (![before, after].every(isText)) return `${shown}: ${old} -> ${now} bytes that are no text\n`;
  if (old + now > LARGEST) return `${shown}: ${old} -> ${now} bytes, too many to compare\n`;
  return unifiedDiff({ path: shown, before: decoded(before), after: decoded(after) });
}

function isText(bytes: Uint8Array | undefined): boolean {
  return bytes === undefined || (isUtf8(bytes) && !bytes.includes(0));
}

function decoded(bytes: Uint8Array | undefined): string | undefined {
  return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
