import { createAgent } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { openMemoryTerminal } from '../../test/memory-terminal.ts';
import { sampleHome, sampleSpaces } from '../../test/sample-spaces.ts';
import { serveLines } from './do.ts';

const agentOf = () =>
  createAgent({ home: sampleHome, spaces: sampleSpaces, approver: { approve: () => ({ allow: true }) } });

async function serve(...lines: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  const terminal = openMemoryTerminal();
  terminal.input.end(lines.map((line) => `${line}\n`).join(''));
  await serveLines(agentOf(), { terminal, signal: new AbortController().signal });
  const answers = terminal.out.text.split('\n').filter((line) => line !== '');
  return answers.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const resultsOf = (answer: Record<string, unknown> | undefined) =>
  (answer?.['results'] ?? []) as { readonly id: string }[];
const text = (value: string): string => JSON.stringify({ text: value });

describe('serveLines', () => {
  it('has a result for every call, and the location afterwards', async () => {
    const [answer] = await serve(text('@tasks()\n<R:7>\n<done:x>\n'));
    expect(answer?.['location']).toBe('tasks');
    expect(answer?.['results']).toMatchObject([
      { verb: 'go', tag: '@tasks()', ok: true },
      { verb: 'read', tag: '<R:7>', space: 'tasks', ok: true, text: 'read 7' },
      { verb: 'done', tag: '<done:x>', space: 'tasks', ok: false, errorType: 'ParameterError' },
    ]);
    const keys = Object.keys(resultsOf(answer)[1] ?? {});
    expect(keys).toEqual(['id', 'tag', 'verb', 'space', 'ok', 'text', 'ms']);
  });

  it('stays where it went, from line to line', async () => {
    const answers = await serve(text('@source()'), text('<R:a>'), text('@back()'));
    expect(answers.map(({ location }) => location)).toEqual(['source', 'source', 'home']);
    expect(answers[1]?.['results']).toMatchObject([{ space: 'source' }]);
  });

  it('has no result and no feedback for plain prose', async () => {
    expect(await serve(text('Hello.'))).toEqual([{ feedback: '', results: [], problems: [], location: 'home' }]);
  });

  it('lists what could not be read, by code and line', async () => {
    const [answer] = await serve(text('<R:a>\n\n<W:b>\nnever closed'));
    expect(answer?.['problems']).toEqual([{ code: 'unclosed-body', line: 3 }]);
    expect(answer?.['results']).toHaveLength(1);
  });

  it('gives every call an id of its own', async () => {
    const answers = await serve(text('<R:a>\n<R:b>'), text('<R:c>'));
    const ids = answers.flatMap((answer) => resultsOf(answer).map(({ id }) => id));
    expect(new Set(ids).size).toBe(3);
  });

  it('skips blank lines, and takes a byte order mark for none', async () => {
    expect(await serve('', '  ', `\uFEFF${text('<R:a>')}`)).toHaveLength(1);
  });

  it.each([
    ['nonsense', /^the line is not JSON \(.+\)\. Send one JSON object a line: \{"text": "<R:package\.json>"\}$/],
    ['"text"', /^the line is not a JSON object\./],
    ['[{"text": "x"}]', /^the line is not a JSON object\./],
    ['{}', /^the object has no "text"\./],
    ['{"text": null}', /^"text" is not a string\./],
  ])('explains what is wrong with %s, and goes on', async (line, message) => {
    const [refusal, next] = await serve(line, text('<R:a>'));
    expect(refusal).toEqual({
      error: { message: expect.stringMatching(message) as string, expected: expect.any(String) as string, got: line },
    });
    expect(next?.['results']).toHaveLength(1);
  });

  it('quotes no more than the beginning of a long bad line', async () => {
    const [refusal] = await serve('x'.repeat(10_000));
    expect(refusal).toMatchObject({ error: { got: `${'x'.repeat(79)}…` } });
  });

  it('stops waiting for lines when it is asked to', async () => {
    const terminal = openMemoryTerminal();
    const stop = new AbortController();
    const served = serveLines(agentOf(), { terminal, signal: stop.signal });
    stop.abort(new Error('enough'));
    await expect(served).rejects.toThrow('enough');
  });
});
