import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes a folder, without links in its path, that is removed after the test, and a function that puts files into it. */
export function scratchFolder() {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'bae-test-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return { path, put: (name: string, content: string | object) => put(path, name, content) };
}

/** Writes one file below a folder; an object becomes JSON. */
export function put(folder: string, name: string, content: string | object): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
}
