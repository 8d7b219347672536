import { readFileSync } from 'node:fs';
import { structuralPruner } from '@bae/core/pipeline';
import glob from 'fast-glob';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { stage } from '../loop/stage.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const CAP_TOKENS = 500;

/** Source, documents, settings and compiled packages, as tools return them: every text that has to be cut. */
const files = [
  ...glob.sync(['{packages,apps,docs,examples}/**/*.{ts,md,json}', 'pnpm-lock.yaml'], {
    cwd: ROOT,
    absolute: true,
    ignore: ['**/node_modules/**', '**/dist/**'],
  }),
  ...glob.sync(['{zod,vitest,typescript,oxlint,knip}/**/*.{js,mjs,md,json,css,html}'], {
    cwd: `${ROOT}node_modules`,
    absolute: true,
    followSymbolicLinks: true,
  }),
];
const cut = files
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
  .filter(({ text }) => text.length > 4000 && text.length < 400_000)
  .map(({ file, text }) => ({ file, text, pruned: structuralPruner.prune(text, { ref: 'result:12' }).text }));

describe('results that are cut', () => {
  const sizes = cut.map(({ file, pruned }) => ({ file, tokens: countTokens(pruned) }));

  it('have at most 500 real tokens in 99 of 100 cases, and never over 550', () => {
    expect(sizes.length).toBeGreaterThan(300);
    const over = sizes.filter(({ tokens }) => tokens > CAP_TOKENS);
    expect(over.length / sizes.length, JSON.stringify(over)).toBeLessThanOrEqual(0.01);
    expect(sizes.filter(({ tokens }) => tokens > CAP_TOKENS * 1.1)).toEqual([]);
  });

  it('hold for lists of people, whose names are seldom whole words of a vocabulary', () => {
    const first = ['Annukka', 'Bjarte', 'Ceferino', 'Dzmitry', 'Eluned', 'Folasade', 'Gwilym', 'Hjördis', 'Ixchel'];
    const last = ['Abubakarov', 'Bhattacharjee', 'Czartoryska', 'Dhaliwal', 'Etxeberria', 'Fjeldstad', 'Gryffydd'];
    const people = Array.from({ length: 300 }, (_, index) => {
      const [name, family] = [first[index % first.length]!, last[index % last.length]!];
      return `- ${name} ${family} <${`${name}.${family}${index}`.toLowerCase()}@example.org> @${family.toLowerCase()}${name}`;
    });
    const { text } = structuralPruner.prune(people.join('\n'), { ref: 'result:12' });
    expect(countTokens(text)).toBeLessThanOrEqual(CAP_TOKENS * 1.1);
  });

  it.each([
    ['ideographs that are seldom written', 0x3400, 0x3fff],
    ['ideographs in the order of their codes', 0x4e00, 0x5fff],
    ['ideographs of the second plane', 0x20000, 0x20fff],
    ['syllables of Hangul', 0xac00, 0xbfff],
    ['letters of Ethiopic', 0x1200, 0x137c],
    ['letters of Cherokee', 0x13a0, 0x13f5],
    ['pictures', 0x1f300, 0x1f5ff],
    ['arrows and lines', 0x2190, 0x25ff],
  ])('hold for tables of %s', (_what, first, last) => {
    const letters = Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
    const rows = Array.from({ length: 100 }, (_, row) => [
      String(row),
      Array.from({ length: 30 }, (_unused, at) => letters[(row * 30 + at) % letters.length]).join(''),
    ]);
    const { text } = structuralPruner.prune(JSON.stringify(rows, null, 1), { ref: 'result:12' });
    expect(countTokens(text)).toBeLessThanOrEqual(CAP_TOKENS * 1.1);
  });

  it('use most of their room', () => {
    const median = sizes.map(({ tokens }) => tokens).toSorted((a, b) => a - b)[Math.floor(sizes.length / 2)]!;
    expect(median).toBeGreaterThan(350);
  });

  it('are JSON above their last line when they were JSON', () => {
    const json = cut.filter(({ file, text }) => file.endsWith('.json') && isJson(text));
    expect(json.length).toBeGreaterThan(1);
    for (const { file, pruned } of json) expect(isJson(pruned.slice(0, pruned.lastIndexOf('\n'))), file).toBe(true);
  });
});

it('takes at most 360 tokens to teach a model all of it', async () => {
  const { agent, model } = stage(['Done.']);
  await agent.ask('Begin');
  const [system] = model.sends[0]!;
  expect(system!.text).toContain('<run>');
  expect(countTokens(system!.text)).toBeLessThanOrEqual(360);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
