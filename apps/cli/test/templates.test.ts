import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkResourcespace, type ResourcespaceContractOptions } from '@bae/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPackage } from '../src/create/new-package.ts';
import { writeScaffold } from '../src/create/scaffold.ts';
import { parseCreateArguments } from '../src/commands/create.ts';
import { parseArguments } from '../src/command-line/options.ts';

const repository = join(import.meta.dirname, '../../..');
const require = createRequire(import.meta.url);
const compiler = join(dirname(require.resolve('typescript/package.json')), 'bin/tsc');

let parent: string;
beforeAll(() => {
  // Beside the program, so that what it has installed is found.
  parent = realpathSync(mkdtempSync(join(tmpdir(), 'bae-templates-')));
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(parent, 'node_modules'));
});
afterAll(() => rmSync(parent, { recursive: true, force: true }));

function make(...words: readonly string[]): { readonly folder: string; readonly manifest: Manifest } {
  const { positionals, options } = parseArguments(['create', ...words, '--no-link'], ['create']);
  const request = parseCreateArguments(positionals, options, parent);
  const files = createPackage(request);
  writeScaffold(request.folder, files);
  return { folder: request.folder, manifest: JSON.parse(files.get('package.json')!) as Manifest };
}

type Ranges = Readonly<Record<string, string>>;
interface Manifest {
  readonly dependencies?: Ranges;
  readonly devDependencies?: Ranges;
  readonly peerDependencies?: Ranges;
}

const STYLES = [
  ['with decorators', ['space', 'one'], 'ts', 'OneSpace'],
  ['without decorators', ['space', 'two', '--no-decorators'], 'ts', 'two'],
  ['in JavaScript', ['space', 'three', '--javascript'], 'js', 'three'],
] as const;

describe.each(STYLES)('the template of a space %s', (_, words, ending, exported) => {
  it('has the right types, and keeps the whole contract', async () => {
    const { folder } = make(...words);
    if (ending === 'ts') expect(typeErrors(folder)).toBe('');
    const samples = (await import(join(folder, `src/samples.${ending}`))) as Record<
      string,
      ResourcespaceContractOptions
    >;
    const { checks, score } = await checkResourcespace(samples[exported]!);
    expect(checks.filter(({ status }) => status !== 'passed' && status !== 'not-applicable')).toEqual([]);
    expect(score.passed).toBe(score.of);
  });
});

describe('the template of an agent', () => {
  it('has the right types', () => {
    expect(typeErrors(make('agent', 'four').folder)).toBe('');
  });
});

describe('the packages that a new one asks for', () => {
  it('have the versions that bae itself is built and tested with', () => {
    const catalog = readFileSync(join(repository, 'pnpm-workspace.yaml'), 'utf8');
    const own = (JSON.parse(readFileSync(join(repository, 'apps/cli/package.json'), 'utf8')) as { version: string })
      .version;
    const asked = [make('space', 'five'), make('space', 'six', '--javascript'), make('agent', 'seven')].flatMap(
      ({ manifest: { dependencies, devDependencies, peerDependencies } }) =>
        [dependencies, devDependencies, peerDependencies].flatMap((ranges = {}) => Object.entries(ranges)),
    );
    const wrong = asked.filter(([name, range]) => {
      const quoted = new RegExp(`^  '?${name}'?: (.*)$`, 'm').exec(catalog)?.[1];
      return range !== (name.startsWith('@bae/') ? `^${own}` : quoted);
    });
    expect(asked.length).toBeGreaterThan(20);
    expect(wrong).toEqual([]);
  });
});

function typeErrors(folder: string): string {
  try {
    return execFileSync(process.execPath, [compiler, '-p', folder], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}
