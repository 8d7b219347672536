import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { launcher } from './run-bae.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MOST_FILES = 47;

describe('a read of one file', () => {
  // In a process of its own, which executes what was built and not what the test runner makes of it.
  it(`executes at most ${MOST_FILES} files of source`, async () => {
    const script = join(import.meta.dirname, 'files-of-one-read.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [script, ROOT]);
    const { feedback, files } = JSON.parse(stdout) as { readonly feedback: string; readonly files: readonly string[] };
    expect(feedback).toContain('bae-monorepo');
    expect(files).toContain(join(ROOT, 'packages/core/src/tool-router/tool-router.ts'));
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(MOST_FILES);
  });
});

/** Prints the files that a process has loaded, when it ends. */
const LIST_LOADED = `
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.on('exit', () => console.error(JSON.stringify(loaded)));`;

/** Names that only the code of a server has. */
const OF_A_SERVER = /@hono\/node-server|getRequestListener|store-postgres|pg-boss|served_sessions/;

describe('bae at the keyboard', () => {
  const list = async (...args: readonly string[]): Promise<readonly string[]> => {
    const hook = `data:text/javascript,${encodeURIComponent(LIST_LOADED)}`;
    const { stderr } = await promisify(execFile)(process.execPath, ['--import', hook, launcher, ...args], {
      cwd: ROOT,
    });
    const files = JSON.parse(stderr.trim().split('\n').at(-1)!) as readonly string[];
    return files
      .filter((url) => url.startsWith('file:'))
      .filter((url) => OF_A_SERVER.test(readFileSync(new URL(url), 'utf8')));
  };

  it('loads nothing of the server', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bae-loaded-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    expect(await list('do', '<R:package.json>')).toEqual([]);
    expect(await list('serve', 'token', 'list', '--data', folder)).not.toEqual([]);
  });
});
