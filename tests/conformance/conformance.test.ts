import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runExamples } from './run-examples.ts';
import { readExamples } from './example.ts';

const runner = join(import.meta.dirname, 'run.mjs');
const folder = mkdtempSync(join(tmpdir(), 'bae-conformance-'));

function runOn(file: string): { status: number | null; lines: readonly string[]; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [runner, file], {
    encoding: 'utf8',
    env: { ...process.env, INIT_CWD: folder },
  });
  return { status, lines: stdout.trimEnd().split('\n'), stderr };
}

function runOnText(text: string): ReturnType<typeof runOn> {
  writeFileSync(join(folder, 'vectors.json'), text);
  return runOn('vectors.json');
}

afterAll(async () => {
  const { rm } = await import('node:fs/promises');
  await rm(folder, { recursive: true });
});

describe('the examples of this repository', async () => {
  const examples = readExamples(readFileSync(join(import.meta.dirname, 'vectors.json'), 'utf8'));
  const outcomes = await runExamples(examples);
  it.each(outcomes)('$fn $id comes out as written', ({ got, expected }) => {
    expect(got).toEqual(expected);
  });
});

describe('run.mjs', () => {
  it('ends with the count and exits 0 when everything passes', () => {
    const { status, lines } = runOn(join(import.meta.dirname, 'vectors.json'));
    expect(lines).toEqual(['124 passed, 0 failed']);
    expect(status).toBe(0);
  });

  it('shows what was expected and what came, and exits 1', () => {
    const example = { id: 'X1', fn: 'splitRange', input: { arg: 'a:1-2' }, expected: { target: 'b', range: null } };
    const { status, lines } = runOnText(JSON.stringify([example]));
    expect(lines).toEqual([
      'FAILED X1 (splitRange)',
      '  expected {"target":"b","range":null}',
      '  got      {"target":"a","range":[1,2]}',
      '0 passed, 1 failed',
    ]);
    expect(status).toBe(1);
  });

  it('counts a function it does not know as a failure', () => {
    const { status, lines } = runOnText(JSON.stringify([{ id: 'X2', fn: 'toString', input: {}, expected: {} }]));
    expect(lines.join('\n')).toContain("unknown function 'toString'; known: parse, splitRange, splitGrep");
    expect(lines.at(-1)).toBe('0 passed, 1 failed');
    expect(status).toBe(1);
  });

  it.each([
    ['not JSON', '[{', 'JSON'],
    ['no array', '{}', 'expected an array of examples {id, fn, input, expected}'],
    ['no example in it', '[{"id":"X3"}]', 'entry 0 is no example: it needs id, fn, input and expected'],
  ])('exits 2 with a reason when the file is %s', (_, text, reason) => {
    const { status, stderr } = runOnText(text);
    expect(status).toBe(2);
    expect(stderr).toContain(reason);
  });

  it('exits 2 when the file is missing or none is named', () => {
    expect(runOn('missing.json')).toMatchObject({ status: 2, stderr: expect.stringContaining('missing.json') });
    expect(runOn('')).toMatchObject({ status: 2 });
  });
});
