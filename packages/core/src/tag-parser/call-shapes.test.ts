import { describe, expect, it } from 'vitest';
import { asModelText } from '../protocol/model.ts';
import { parse } from './parse.ts';

const KNOWN = { spaces: new Set(['source']), tools: new Set(['delete', 'move', 'create_issue']) };

/** Returns the tag that is suggested for a text without calls; `help` if none is. */
function suggest(text: string): string | undefined {
  const { calls, runs, problems } = parse(asModelText(text), KNOWN);
  expect([calls, runs]).toEqual([[], []]);
  const [message] = problems.map((problem) => problem.message);
  return /Write (.*) alone on its line\.$/.exec(message ?? '')?.[1] ?? /Type <(help):>/.exec(message ?? '')?.[1];
}

describe('a line that was probably meant as a call', () => {
  it.each([
    ['<ls:.>', '<R:.>'],
    ['<ls>', '<R:>'],
    ['<help>', '<help:>'],
    ['<R src/a.ts>', '<R:src/a.ts>'],
    ['<R>src/a.ts</R>', '<R:src/a.ts>'],
    ['<R:src/a.ts>…</R>', '<R:src/a.ts>'],
    ['R: src/a.ts', '<R:src/a.ts>'],
    ['[Grep:TODO]', '<Grep:TODO>'],
    ['<grep -rn TODO src>', '<Grep:TODO src>'],
    ['- <R:a.ts>', '<R:a.ts>'],
    ['**<R:a.ts>**', '<R:a.ts>'],
    ['<R:a.ts>.', '<R:a.ts>'],
    ['<R:a.ts>,', '<R:a.ts>'],
    ['<R:a.ts> (to see it)', '<R:a.ts>'],
    ['<R:a.ts> # read it', '<R:a.ts>'],
    ['<R:a.ts> -- the entry', '<R:a.ts>'],
    ['<Grep:TODO>.', '<Grep:TODO>'],
    ['<Grep:TODO> path=src', '<Grep:TODO path=src>'],
    ['read("a.ts")', '<R:a.ts>'],
    ['await home.read("a.ts");', '<R:a.ts>'],
    ['<cat:a.ts>', '<R:a.ts>'],
    ['<rm:a.ts>', '<delete:a.ts>'],
    ['<mv:a.ts b.ts>', '<move:a.ts to=b.ts>'],
    ['<Foo:bar>', 'help'],
    ['[list_rows()]', 'help'],
    ['[get_weather("Berlin")]', 'help'],
    ['</W>', '<W:…>…</W>'],
    ['</R>', '<R:…>'],
    ['<source/>', '@source()'],
    ['<source()>', '@source()'],
    ['<open:source>', '@source()'],
    ['source()', '@source()'],
    ['<run lang="ts">', '<run>'],
    ['{"tool":"read","path":"a.ts"}', '<R:a.ts>'],
    ['<tool>create_issue</tool>', '<create_issue:…>'],
    ['<｜tool▁call▁begin｜>read', '<R:…>'],
  ])('%s: %s', (text, expected) => {
    expect(suggest(text)).toBe(expected);
    expect(suggest(`Let me look.\n\n${text}\n`)).toBe(expected);
  });

  it.each([
    'R: yes',
    'Note: a.ts is done.',
    '[1]',
    '<b>bold</b>',
    '<div class="x">',
    'https://example.com/<id>',
    'The result is (see above)',
    '{"tool":"hammer","path":"a.ts"}',
    '```\n<R src/a.ts>\n```',
  ])('is not prose such as %s', (text) => {
    expect(suggest(text)).toBeUndefined();
  });
});
