import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { findRipgrep, type Ripgrep, type RipgrepRun, runRipgrep } from './ripgrep.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

const NOTHING: RipgrepRun = { options: [], paths: [], onOutput: () => undefined };

/** A program in place of ripgrep. */
function programOf(script: string): { readonly program: string; readonly root: string } {
  const root = temporaryFolder({ rg: `#!/bin/sh\n${script}\n` });
  chmodSync(join(root, 'rg'), 0o755);
  return { program: join(root, 'rg'), root };
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function outputOf({
  program,
  root,
  ...run
}: Pick<Ripgrep, 'program' | 'root'> & Pick<RipgrepRun, 'input' | 'onDebug'>): Promise<string> {
  const pieces: Buffer[] = [];
  const onOutput = (bytes: Buffer) => pieces.push(bytes);
  await runRipgrep({ program, root, pattern: 'x' }, { ...run, options: [], paths: [], onOutput });
  return Buffer.concat(pieces).toString();
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('runRipgrep', () => {
  it('kills the program and what it started when it is cancelled', { tags: ['long'] }, async () => {
    const { program, root } = programOf(
      'PATH=/usr/bin:/bin; sleep 100 & echo "$$ $!" > pids.tmp; mv pids.tmp pids; wait',
    );
    const controller = new AbortController();
    const run = runRipgrep({ program, root, pattern: 'x', signal: controller.signal }, NOTHING);
    await until(() => existsSync(join(root, 'pids')));
    const pids = readFileSync(join(root, 'pids'), 'utf8').trim().split(' ').map(Number);
    expect(pids.map(isAlive)).toEqual([true, true]);
    controller.abort(new Error('stop'));
    await expect(run).rejects.toThrow('stop');
    await until(() => !pids.some(isAlive));
  });

  it('hands over an empty environment and no input', async () => {
    const { program, root } = programOf('/usr/bin/env | /bin/sed "s/=.*//"; /bin/cat');
    const names = (await outputOf({ program, root })).trim().split('\n');
    expect(names.filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name))).toEqual([]);
  });

  it('hands over as much of the input as is wanted', async () => {
    const { program, root } = programOf('/usr/bin/head -c 5');
    let given = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        given++;
        yield Buffer.alloc(10_000, 'a');
      }
    }
    expect(await outputOf({ program, root, input: endless() })).toBe('aaaaa');
    expect(given).toBeLessThan(1000);
  });

  it('separates debug lines from errors', async () => {
    const { program, root } = programOf(
      'echo "rg: DEBUG|a: one" >&2; echo "error: odd" >&2; echo "rg: DEBUG|b: two" >&2; exit 2',
    );
    const lines: string[] = [];
    const run = () => outputOf({ program, root, onDebug: (line) => lines.push(line) });
    expect(await describeOutcome(run)).toBe('PatternError: odd. Quote or escape it.\nTry: <Grep:x>');
    expect(lines).toEqual(['rg: DEBUG|a: one', 'rg: DEBUG|b: two']);
  });

  it('reports that it was stopped from outside', async () => {
    const { program, root } = programOf('kill -9 $$');
    const run = () => runRipgrep({ program, root, pattern: 'x' }, NOTHING);
    expect(await describeOutcome(run)).toContain('FileError: the search was stopped from outside.');
  });
});

describe('findRipgrep', () => {
  it('finds the packaged program', async () => {
    expect(existsSync((await findRipgrep()) ?? '')).toBe(true);
  });
});

describe('a workspace whose ripgrep is not there', () => {
  it('searches without it', async () => {
    const folder = temporaryFolder({ 'a.txt': 'hit' });
    expect(await new WorkspaceRoot(folder, { ripgrep: join(folder, 'none') }).grep({ pattern: 'hit' })).toMatchObject({
      matches: 1,
    });
  });
});
