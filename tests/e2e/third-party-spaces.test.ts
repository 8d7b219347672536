import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild-wasm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBae } from './run-bae.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures/spaces');
const INSTALLED = join(import.meta.dirname, '../node_modules');

/** Packages as three authors would write them: without a build, built by another compiler, with spaces that come and go. */
const NAMES = ['glossary', 'reminders', 'rooms'];

let project: string;
beforeAll(async () => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'bae-third-party-')));
  for (const name of ['@bae/core', 'zod']) {
    const link = join(project, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(realpathSync(join(INSTALLED, name)), link);
  }
  for (const name of NAMES) cpSync(join(FIXTURES, name), folderOf(name), { recursive: true });
  await build({
    absWorkingDir: join(FIXTURES, 'reminders'),
    entryPoints: ['src/index.ts'],
    outfile: join(folderOf('reminders'), 'dist/index.js'),
    bundle: true,
    packages: 'external',
    format: 'esm',
    logLevel: 'silent',
  });
  await Promise.all(NAMES.map((name) => bae('manifest', name)));
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const folderOf = (name: string) => join(project, 'node_modules', `bae-resourcespace-${name}`);

const bae = (...args: readonly string[]) => say('', ...args);

/** Runs bae in the project; what it says of a failure is thrown. */
async function say(input: string, ...args: readonly string[]): Promise<string> {
  const env = { HOME: project, XDG_CONFIG_HOME: join(project, 'config') };
  const { code, stdout, stderr } = await runBae([...args, '--cwd', project], { env, input });
  if (code !== 0 || stderr !== '') throw new Error(`bae ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
}

describe('a package of someone else', () => {
  it.concurrent.each(NAMES)('keeps the whole contract: %s', async (name) => {
    expect(await bae('conformance', name)).toMatch(/\n(\d+) of \1 \(100 %\)\n/);
  });

  it('is described, trusted and used, also in a space that is made meanwhile', async () => {
    writeFileSync(join(project, 'bae.config.json'), JSON.stringify({ spaces: NAMES, disabled: ['source'] }));
    await bae('trust', '--yes');
    const text = [
      '<glossary.R:churn>',
      '<reminders.W:2>Pay the rent</W>',
      '<reminders.R:2>',
      '<rooms.build:attic>',
      '@rooms.attic()',
      '<put:a trunk>',
      '<R:>',
    ];
    const out = await say(text.join('\n'), 'do', '--yes');
    const answers = [
      'Customers who leave.',
      'Reminder 2 written.',
      'Pay the rent',
      '@rooms.attic()',
      'Entering rooms.attic',
    ];
    expect(out.split('\n').filter((line) => [...answers, 'a trunk'].includes(line))).toEqual([...answers, 'a trunk']);
  });
});
