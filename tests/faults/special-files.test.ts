import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync, ftruncateSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { BaeError } from '@bae/core';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratchFolder } from './scratch-folder.ts';

const WINDOW = { line: 1, column: 1, chars: 4000 };
/** Reads that wait would use up the threads for disk access, of which there are four. */
const READS = 64;
/** The longest that a refusal may take, in milliseconds; by then it has usually taken one. */
const AT_ONCE_MS = 100;

const isRoot = process.getuid?.() === 0;

/** How an operation is refused. One that waits for the other end of a pipe is never fast. */
async function refusal(operation: () => Promise<unknown>): Promise<string> {
  let message = '';
  for (let attempt = 0; attempt < 3; attempt++) {
    const start = performance.now();
    message = await operation().then(() => 'no error', messageOf);
    if (performance.now() - start < AT_ONCE_MS) return message;
  }
  return `${message} After more than ${AT_ONCE_MS} ms.`;
}

function messageOf(error: unknown): string {
  if (BaeError.is(error)) return error.message;
  throw error;
}

/** Everything that opens a file. */
const WAYS: readonly ((workspace: WorkspaceRoot, path: string) => Promise<unknown>)[] = [
  (workspace, path) => workspace.readText(path),
  (workspace, path) => workspace.readWindow(path, WINDOW),
  (workspace, path) => workspace.digest(path),
  (workspace, path) => workspace.grep({ pattern: 'x', path }),
  (workspace, path) => workspace.write(path, 'x'),
  (workspace, path) => workspace.remove(path),
];

type Create = (path: string) => unknown;

const SPECIALS: readonly (readonly [kind: string, create: Create])[] = [
  ['pipe', (path) => execFileSync('mkfifo', [path])],
  [
    'socket',
    (path) => {
      const server = createServer().listen(path);
      onTestFinished(() => void server.close());
      return once(server, 'listening');
    },
  ],
  // Only root may create one.
  ...(isRoot ? [['device', (path: string) => execFileSync('mknod', [path, 'c', '1', '5'])] as const] : []),
];

describe.runIf(process.platform === 'linux')('what is no regular file', () => {
  it.each(SPECIALS)('is refused at once: %s', async (kind, create) => {
    const folder = scratchFolder({ 'a.txt': 'text' });
    await create(join(folder, 'special'));
    const workspace = new WorkspaceRoot(folder);
    for (const way of WAYS) {
      expect(await refusal(() => way(workspace, 'special'))).toBe(
        `special is a ${kind}, not a file. Only regular files can be used.`,
      );
    }
  });

  it('does not keep later reads waiting', async () => {
    const folder = scratchFolder({ 'a.txt': 'text' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const workspace = new WorkspaceRoot(folder);
    const reads = Array.from({ length: READS }, () => refusal(() => workspace.readText('pipe')));
    const { text } = await workspace.readText('a.txt');
    expect(text).toBe('text');
    expect(new Set(await Promise.all(reads))).toEqual(
      new Set(['pipe is a pipe, not a file. Only regular files can be used.']),
    );
  });

  it('is refused where the kernel answers in place of a disk', async () => {
    const workspace = new WorkspaceRoot('/');
    for (const path of ['proc/self/environ', '/proc/self/mem', 'proc/kmsg', 'proc/self/root/proc/self/environ']) {
      expect(await refusal(() => workspace.readText(path))).toBe(
        `${path} is a kernel file, not a file. Only regular files can be used.`,
      );
    }
  });
});

describe('a window of a huge file', () => {
  it('takes little memory', { tags: ['long'] }, () => {
    const folder = scratchFolder();
    const file = openSync(join(folder, 'huge.log'), 'w');
    writeSync(file, 'line\n'.repeat(4000));
    ftruncateSync(file, 256 * 1024 ** 2);
    closeSync(file);
    const script = join(import.meta.dirname, 'processes/read-window.ts');
    const { stdout, stderr } = spawnSync(process.execPath, [script, folder, 'huge.log'], { encoding: 'utf8' });
    expect(stderr).toBe('');
    const { added, text, lines } = JSON.parse(stdout) as Readonly<Record<'added' | 'text' | 'lines', number>>;
    expect([text, lines]).toEqual([4000, 4001]);
    expect(added).toBeLessThan(64 * 1024 ** 2);
  });
});
