import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowAll, asModelText, createAgent } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { findRipgrep, provideWorkspace, WorkspaceRoot } from '@bae/workspace';
import fastGlob from 'fast-glob';
import { manyFiles, type ManyFiles } from './many-files.ts';
import { mediansInTurn, timeOf, type Measurement } from './measure.ts';

const ROUNDS = 21;
/** What no search looks into unless it is told to. */
const SKIPPED = ['.git', 'node_modules', '.venv', '__pycache__', 'dist', '.bae'];
/** What makes ripgrep search the same files. */
const SAME_FILES = [
  '--no-config', '--no-messages', '--no-follow', '--hidden', '--no-require-git', '--no-ignore-global', '--no-ignore-parent',
  '--no-ignore-dot', '--no-ignore-exclude', '--crlf', '--max-filesize', '1M',
]; // prettier-ignore
const EVERY_LINE = ['--line-number', '--no-heading'];
/** Expressions by how much they find. */
const EXPRESSIONS = { nothing: 'no such word', little: 'TODO error handle', 'very much': 'TODO' } as const;
const FILE_PATTERN = '**/*.ts';

/** A search takes hardly longer than the program or library that it is made with, called directly. */
export async function searchSpeed(): Promise<readonly Measurement[]> {
  using tree = manyFiles();
  const workspace = new WorkspaceRoot(tree.folder);
  const agent = createAgent({ home: FilesystemSpace, provide: [provideWorkspace(tree.folder)], approver: allowAll });
  const run = (tag: string) => agent.run(asModelText(tag));
  const found: Measurement[] = [];
  for (const [amount, pattern] of Object.entries(EXPRESSIONS)) {
    const times = await mediansInTurn(
      {
        ripgrep: () => timeOf(() => callRipgrep(tree.folder, pattern)),
        workspace: () => timeOf(() => workspace.grep({ pattern })),
        tool: () => timeOf(() => run(`<Grep:"${pattern}" .>`)),
      },
      ROUNDS,
    );
    found.push(ratio(`grep that finds ${amount} ÷ ripgrep`, times.workspace / times.ripgrep, 1.2));
    found.push(ratio(`the tool, finding ${amount} ÷ ripgrep`, times.tool / times.ripgrep, 1.2));
  }
  const times = await mediansInTurn(
    {
      fastGlob: () => timeOf(() => callFastGlob(tree)),
      workspace: () => timeOf(() => workspace.glob({ pattern: FILE_PATTERN })),
      tool: () => timeOf(() => run(`<G:${FILE_PATTERN}>`)),
    },
    ROUNDS,
  );
  found.push(ratio('glob ÷ fast-glob', times.workspace / times.fastGlob, 1.5));
  found.push(ratio('the tool ÷ fast-glob', times.tool / times.fastGlob, 1.5));
  await agent.close();
  return [...found, ...(await logSpeed())];
}

const LOGS = 8;
const LOG_BYTES = 24 * 1024 * 1024;
const LOG_ROUNDS = 5;

/** A search of large logs takes hardly longer than ripgrep, which prints every row of them. */
async function logSpeed(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'bae-logs-'));
  try {
    const usual = `2026-11-20T12:00:00.000Z INFO  web-1 GET /cart/42 200 17ms\n`.repeat(999);
    const block = `${usual}2026-11-20T12:00:01.000Z WARN  web-1 slow query\n`;
    const log = `${block.repeat(Math.ceil(LOG_BYTES / block.length))}2026-11-20T23:59:59.000Z ERROR pay-1 timed out\n`;
    for (let index = 0; index < LOGS; index++) writeFileSync(join(folder, `app-${index}.log`), log);
    const workspace = new WorkspaceRoot(folder);
    const found: Measurement[] = [];
    for (const [where, pattern, atMost] of [
      ['all along', 'WARN', 1.3],
      ['at the end', 'ERROR', 2],
    ] as const) {
      const times = await mediansInTurn(
        {
          ripgrep: () => timeOf(() => callRipgrep(folder, pattern, [...EVERY_LINE, '--max-filesize', '64M'])),
          workspace: () => timeOf(() => workspace.grep({ pattern })),
        },
        LOG_ROUNDS,
      );
      found.push(ratio(`grep of large logs, with rows ${where} ÷ ripgrep`, times.workspace / times.ripgrep, atMost));
    }
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function ratio(name: string, value: number, atMost: number): Measurement {
  return { name, value, unit: 'x', limit: { atMost } };
}

/** ripgrep over the same files: every matching line with its number, read to the end. */
async function callRipgrep(folder: string, pattern: string, output: readonly string[] = EVERY_LINE): Promise<void> {
  const program = await findRipgrep();
  if (program === undefined) throw new Error('there is no ripgrep for this platform');
  const skipped = SKIPPED.flatMap((name) => ['-g', `!${name}/`]);
  const parameters = [...SAME_FILES, ...skipped, ...output, '-e', pattern, '--', './'];
  const child = spawn(program, parameters, { cwd: folder, env: {}, stdio: ['ignore', 'pipe', 'ignore'] });
  child.stdout.resume();
  await new Promise((resolve, reject) => {
    child.on('close', resolve).on('error', reject);
  });
}

/** fast-glob over the same files, sorted as ours are. */
async function callFastGlob({ folder, ignored }: ManyFiles): Promise<readonly string[]> {
  const paths = await fastGlob(FILE_PATTERN, {
    cwd: folder,
    dot: true,
    followSymbolicLinks: false,
    ignore: [...SKIPPED.map((name) => `**/${name}/**`), ...ignored],
  });
  return paths.toSorted();
}
