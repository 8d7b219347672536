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
  '--no-ignore-dot', '--no-ignore-exclude', '--crlf', '--line-number', '--no-heading',
]; // prettier-ignore
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
const LOG_BYTES = 128 * 1024 * 1024;
const LOG_ROUNDS = 5;

/**
 * Limit for a single file. ripgrep maps it into its memory, which ends it when the file is cut meanwhile, as logs are; so
 * a workspace has it read.
 */
const NAMED_LIMIT = 1.2;

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
    const searches = {
      'with rows all along': { pattern: 'WARN' },
      'with rows at the end': { pattern: 'ERROR' },
      'of which every line matches': { pattern: 'web' },
      'one of them named': { pattern: 'WARN', path: 'app-0.log' },
    };
    for (const [which, query] of Object.entries(searches)) {
      const limit = 'path' in query ? NAMED_LIMIT : 1.1;
      const { pattern, path = './' }: { readonly pattern: string; readonly path?: string } = query;
      const times = await mediansInTurn(
        {
          ripgrep: () => timeOf(() => callRipgrep(folder, pattern, path)),
          workspace: () => timeOf(() => workspace.grep(query)),
        },
        LOG_ROUNDS,
      );
      found.push(ratio(`grep of a gigabyte of logs, ${which} ÷ ripgrep`, times.workspace / times.ripgrep, limit));
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
async function callRipgrep(folder: string, pattern: string, path = './'): Promise<void> {
  const program = await findRipgrep();
  if (program === undefined) throw new Error('there is no ripgrep for this platform');
  const skipped = SKIPPED.flatMap((name) => ['-g', `!${name}/`]);
  const parameters = [...SAME_FILES, ...skipped, '-e', pattern, '--', path];
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
