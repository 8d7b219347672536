import { createHash, type Hash } from 'node:crypto';
import { entriesOf, readBytes } from '../disk/read-files.ts';

/** What is in a package's folder and does not belong to it. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** SHA-256, in hexadecimal, of every file of a folder: its path, what it holds, where a link leads. */
export function folderDigest(folder: string): string {
  const hash = createHash('sha256');
  addFolder(hash, folder, '');
  return hash.digest('hex');
}

function addFolder(hash: Hash, folder: string, below: string): void {
  for (const { name, kind, link } of entriesOf(`${folder}/${below}`)) {
    if (SKIPPED.has(name)) continue;
    const path = `${below}${name}`;
    if (kind === 'folder') {
      addFolder(hash, folder, `${path}/`);
      continue;
    }
    add(hash, `${path}\0${kind}\0${link ?? ''}`);
    if (kind === 'file' || kind === 'link') add(hash, readBytes(`${folder}/${path}`) ?? '');
  }
}

/** With its length, so that one text can never be taken for two. */
function add(hash: Hash, part: string | Uint8Array): void {
  const length = `${Buffer.byteLength(part)}:`;
  if (typeof part === 'string') hash.update(`${length}${part}`);
  else hash.update(length).update(part);
}
