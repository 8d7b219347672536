import { asModelText, createAgent } from '@bae/core';
import { provideWorkspace } from '@bae/workspace';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { FilesystemSpace } from './filesystem-space.ts';

const LINES = Array.from({ length: 3000 }, (_, line) => `line ${line + 1} of a long file`);

/** The result of a call in an agent with a limit. */
async function resultOf(tag: string, cap: number | undefined, files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder(files);
  const agent = createAgent({
    home: FilesystemSpace,
    provide: [provideWorkspace(folder)],
    ...(cap !== undefined && { cap }),
  });
  const { calls } = await agent.run(asModelText(tag));
  return calls[0]?.result.text ?? '';
}

/** A page without the line that ends it. */
async function pageOf(tag: string, cap: number | undefined): Promise<string> {
  const text = await resultOf(tag, cap, { 'long.txt': LINES.join('\n'), 'wide.txt': 'x'.repeat(100_000) });
  expect(text).toMatch(/next: <R:/);
  return text.slice(0, text.lastIndexOf('\n['));
}

it.each([
  [50, 400],
  [200, 1600],
  [undefined, 4000],
  [1000, 8000],
])('at a limit of %s tokens a page has up to %s characters', async (cap, length) => {
  for (const tag of ['<R:long.txt>', '<R:long.txt:7->', '<R:wide.txt>']) {
    const page = await pageOf(tag, cap);
    // Numbers before lines, which a range shows, are not counted.
    const content = page.replaceAll(/^\d+\|/gm, '');
    expect(content.length).toBeLessThanOrEqual(length);
    expect(content.length).toBeGreaterThan(length - 100);
  }
});

/** 300 files with short names, which fit a result of any limit, each with one matching line. */
const MANY = Object.fromEntries(Array.from({ length: 300 }, (_, number) => [String(number + 100), 'x\n'] as const));

it.each([
  [100, 20, 10],
  [200, 40, 20],
  [undefined, 100, 50],
  [1000, 200, 100],
])('at a limit of %s tokens %s paths are listed, and at most %s matching lines', async (cap, paths, matches) => {
  for (const tag of ['<G:*>', '<R:.>']) {
    const lines = (await resultOf(tag, cap, MANY)).split('\n');
    expect(lines.at(-1)).toMatch(new RegExp(`^\\.\\.\\. ${300 - paths} more \\(300 total\\)`));
    expect(lines).toHaveLength(paths + 1);
  }
  const text = await resultOf('<Grep:x>', cap, MANY);
  expect(text).toContain('\n... (300 total matches in 300 files)');
  expect(/\nby file: .*, \+\d+ files\n/.test(text)).toBe(cap === undefined || cap >= 300);
  const rows = text.split('\n').filter((line) => /^\S+:1: /.test(line)).length;
  expect(rows).toBeLessThanOrEqual(matches);
  expect(rows).toBeGreaterThan(matches * 0.7);
});
