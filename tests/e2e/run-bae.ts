import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const repository = fileURLToPath(new URL('../..', import.meta.url));
export const launcher = join(repository, 'apps/cli/bin/bae.mjs');

/** What a run of the program left behind. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Everything about one run but its arguments. */
export interface RunOptions {
  readonly input?: string;
  /** Variables besides the usual ones; undefined to leave one of those out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Runs the program as a person would: a process of its own, with no keys in its environment. */
export function runBae(args: readonly string[], { input = '', env = {} }: RunOptions = {}): Promise<Run> {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [launcher, ...args], { env: { PATH, HOME, NO_COLOR: '1', ...env } });
  const run = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (run.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (run.stderr += text));
  // A program that ends before it has read everything is the program's business.
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ ...run, code }));
  });
}

/** A copy of this very repository's sources, to work on. */
export function repositoryCopy(): string {
  const parent = mkdtempSync(join(tmpdir(), 'bae-e2e-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  const folder = join(parent, 'repository');
  for (const name of ['README.md', 'package.json', 'docs', 'packages/core/src']) {
    cpSync(join(repository, name), join(folder, name), { recursive: true });
  }
  return folder;
}
