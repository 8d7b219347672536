import type { ResolvedPath } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';
import { readFileSnapshot } from './file-content.ts';

/** Bytes of the largest file that an editor is asked for. */
const LARGEST = 4 * 1024 * 1024;

/**
 * What an editor has instead of a file that is on disk; undefined where it has nothing else. The path was checked
 * before, so an editor is never asked for what the workspace would not read.
 */
export async function readUnsavedText(file: ResolvedPath, root: RootFolder): Promise<Uint8Array | undefined> {
  const { readUnsaved } = root;
  // What a run block has written stands before what an editor has not saved.
  if (root.draft?.stampOf(file.path) !== undefined) return undefined;
  if (readUnsaved === undefined || file.stats?.isFile() !== true || file.stats.size > LARGEST) return undefined;
  const text = await readUnsaved(`${root.path}/${file.path}`).catch(() => undefined);
  if (text === undefined) return undefined;
  const saved = await readFileSnapshot(file, LARGEST);
  if (saved?.content === undefined || saved.binary) return undefined;
  return fold(text) === fold(Buffer.from(saved.content).toString('utf8')) ? undefined : Buffer.from(text);
}

/** Editors keep line breaks and the byte order mark apart from the text. */
function fold(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
