import { spawn } from 'node:child_process';
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
  return found;
}

function ratio(name: string, value: number, atMost: number): Measurement {
  return { name, value, unit: 'x', limit: { atMost } };
}

/** ripgrep over the same files: every matching line with its number, read to the end. */
async function callRipgrep(folder: string, pattern: string): Promise<void> {
  const program = await findRipgrep();
  if (program === undefined) throw new Error('there is no ripgrep for this platform');
  const skipped = SKIPPED.flatMap((name) => ['-g', `!${name}/`]);
  const parameters = [...SAME_FILES, ...skipped, ...EVERY_LINE, '-e', pattern, '--', './'];
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
