import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is gone after the test, and how to put files into it. */
export interface ScratchFolder {
  readonly path: string;
  readonly put: (name: string, content: string | object) => void;
}

/** Makes a folder for one test; its path has no links in it. */
export function scratchFolder(): ScratchFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'bae-dev-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    put: (name, content) => {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), typeof content === 'string' ? content : JSON.stringify(content));
    },
  };
}
