import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { allowAll, asModelText, createAgent, defineResourcespace } from '@bae/core';
import { SourceSpace } from '@bae/source';
import { provideWorkspace } from '@bae/workspace';
import { expect, it, onTestFinished } from 'vitest';
import { scratchFolder } from './scratch-folder.ts';

const REPOSITORY = join(import.meta.dirname, '../..');
const CORE = join(REPOSITORY, 'packages/core');
const WANTED = 20;

/** Core alone, in a folder of its own, with what it depends on. */
function copyOfCore(): string {
  const folder = scratchFolder();
  for (const name of ['src', 'test', 'package.json']) {
    cpSync(join(CORE, name), join(folder, name), { recursive: true, force: true });
  }
  symlinkSync(join(CORE, 'node_modules'), join(folder, 'node_modules'));
  const settings = JSON.parse(readFileSync(join(REPOSITORY, 'tsconfig.base.json'), 'utf8')) as Record<string, object>;
  const options = { ...settings['compilerOptions'], noEmit: true, incremental: false };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['src', 'test'] }));
  return folder;
}

/** What the compiler says by itself, as it is run by people. */
function compile(folder: string): string {
  const bin = createRequire(import.meta.url).resolve('typescript/package.json');
  try {
    execFileSync(process.execPath, [join(dirname(bin), 'bin/tsc'), '--noEmit', '-p', folder], { encoding: 'utf8' });
    return '';
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}

/** Addresses of exported symbols, taken evenly from all modules. */
function exportedSymbols(folder: string): readonly string[] {
  const all = globSync('src/**/*.ts', { cwd: folder })
    .filter((path) => !path.endsWith('.test.ts'))
    .toSorted()
    .flatMap((path) => {
      const text = readFileSync(join(folder, path), 'utf8');
      const names = text.matchAll(/^export (?:abstract )?(?:class|function|interface|const|type) (\w+)/gm);
      return [...names].map(([, name]) => `${path.slice(4, -3).replaceAll('/', '.')}.${name}`);
    });
  const step = Math.floor(all.length / WANTED);
  return all.filter((_, index) => index % step === 0).slice(0, WANTED);
}

it('gives no new error for twenty exported symbols of core', async () => {
  const folder = copyOfCore();
  expect(compile(folder)).toBe('');
  const home = defineResourcespace({ name: 'lobby', description: 'Before the source.', tools: {} });
  const agent = createAgent({ home, spaces: [SourceSpace], provide: [provideWorkspace(folder)], approver: allowAll });
  onTestFinished(() => agent.close());
  await agent.run(asModelText('@source()'));
  const symbols = exportedSymbols(folder);
  expect(symbols).toHaveLength(WANTED);
  for (const [index, address] of symbols.entries()) {
    const { calls } = await agent.run(asModelText(`<rename:${address} to=Renamed${index}>`));
    expect(calls[0]?.result.text).toMatch(
      new RegExp(`^Renamed \\w+ in [\\w.-]+ to Renamed${index}: \\d+ places? in \\d+ modules?`),
    );
  }
  expect(compile(folder)).toBe('');
}, 600_000);
