import { asModelText } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import { describe, expect, it } from 'vitest';
import { readServers } from '../servers/mounted-servers.ts';
import { readCorpus } from './text-corpus.ts';

/** Characters that are read: enough for every kind of text in `pnpm test`, ten times that in `pnpm faults`. */
const SIZE = process.env['BAE_FAULTS'] === undefined ? 2_500_000 : 25_000_000;

const servers = readServers();
const tools = servers.flatMap((server) => server.tools);
const NAMES = {
  spaces: new Set(servers.map(({ name }) => name)),
  tools: new Set(tools.map(({ name }) => name)),
  misspeltSpaces: 'problem',
} as const;
const corpus = readCorpus(SIZE);

const read = (text: string) => parse(asModelText(text), NAMES);

/** What would be executed, each with where it stands. */
function listExecuted(path: string, { calls, runs }: ReturnType<typeof parse>): readonly string[] {
  return [...calls.map(({ line, tag }) => `${path}:${line} ${tag}`), ...runs.map((code) => `${path} <run>${code}`)];
}

describe('text that nobody wrote as calls, with 373 tools of 19 places', () => {
  it('is a corpus of many files of several kinds', () => {
    const kinds = new Set(corpus.map(({ path }) => path.slice(path.lastIndexOf('.'))));
    expect(corpus.reduce((sum, { text }) => sum + text.length, 0)).toBeGreaterThanOrEqual(SIZE);
    expect(corpus.length).toBeGreaterThan(200);
    expect([...kinds]).toEqual(expect.arrayContaining(['.md', '.ts', '.js', '.json']));
  });

  it('executes nothing as an answer', () => {
    expect(corpus.flatMap(({ path, text }) => listExecuted(path, read(text)))).toEqual([]);
  });

  it('executes nothing paragraph by paragraph, which opens every fence', () => {
    const executed = corpus.flatMap(({ path, text }) =>
      text.split(/\n\s*\n/).flatMap((paragraph) => listExecuted(path, read(paragraph))),
    );
    expect(executed).toEqual([]);
  });

  it('executes the one call among it', () => {
    const executed = corpus.slice(0, 50).flatMap(({ path, text }) => {
      const paragraphs = text.split(/\n\s*\n/);
      const called = [...paragraphs.slice(0, 2), '<list_issues:shop/web state=opened>', ...paragraphs.slice(2)];
      return called.flatMap((paragraph) => listExecuted(path, read(paragraph)));
    });
    expect(executed).toHaveLength(50);
  });
});

describe('definitions of tools, quoted on lines of their own', () => {
  const definitions = tools.flatMap(({ name, description, inputSchema }) => [
    description,
    { name, description, inputSchema },
    { name, description, input_schema: inputSchema },
    { type: 'function', name, description, parameters: inputSchema },
    { type: 'function', function: { name, description, parameters: inputSchema } },
  ]);

  it('are no calls', () => {
    const executed = definitions.flatMap((one) => {
      const text = typeof one === 'string' ? one : JSON.stringify(one);
      return listExecuted('', read(`This is the definition:\n${text}\nIt has changed since.`));
    });
    expect(executed).toEqual([]);
  });
});
