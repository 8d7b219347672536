import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Puts files of many kinds in a folder: line breaks, modes, links, something that is not a text. */
export function plantTree(folder: string): void {
  mkdirSync(join(folder, 'src/deep'), { recursive: true });
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'lf.txt'), 'one\ntwo\nthree\nfour\nfive\n');
  writeFileSync(join(folder, 'crlf.txt'), 'one\r\ntwo\r\nthree\r\n');
  writeFileSync(join(folder, 'src/mixed.txt'), '\ufeffone\r\ntwo\nthree');
  writeFileSync(join(folder, 'src/deep/endless.txt'), 'one\ntwo');
  writeFileSync(join(folder, 'src/run.sh'), '#!/bin/sh\necho one\n');
  writeFileSync(join(folder, 'bytes.bin'), Buffer.from([0, 255, 1, 254, 13, 10]));
  chmodSync(join(folder, 'src/run.sh'), 0o750);
  chmodSync(join(folder, 'crlf.txt'), 0o600);
  symlinkSync('lf.txt', join(folder, 'link.txt'));
  symlinkSync('src', join(folder, 'linked'));
  symlinkSync('not-there/yet.txt', join(folder, 'dangling.txt'));
}

/** Everything below a folder but bae's own: kind, mode, and content or target. Two trees are equal when these are. */
export function treeOf(folder: string, below = ''): Readonly<Record<string, string>> {
  const tree: Record<string, string> = {};
  for (const name of readdirSync(join(folder, below)).toSorted()) {
    const path = join(below, name);
    if (path === '.bae') continue;
    const absolute = join(folder, path);
    const stats = lstatSync(absolute);
    const mode = (stats.mode & 0o7777).toString(8);
    if (stats.isSymbolicLink()) tree[path] = `link to ${readlinkSync(absolute)}`;
    else if (stats.isDirectory()) Object.assign(tree, { [path]: `folder ${mode}` }, treeOf(folder, path));
    else tree[path] = `file ${mode} ${createHash('sha256').update(readFileSync(absolute)).digest('hex')}`;
  }
  return tree;
}
