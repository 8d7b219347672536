import fc from 'fast-check';
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
    ['<rename:a.ts to=b.ts>', '<move:a.ts to=b.ts>'],
    ['<LS:src>', '<R:src>'],
    ['<tree:.>', '<R:.>'],
    ['<edit file_path=a.txt old_string=x new_string=y>', '<E:a.txt old="x" new="y">'],
    ['<delete/>', '<delete:>'],
    ['<R:a.ts>, <R:b.ts>', '<R:a.ts> <R:b.ts>'],
    ['Read <R:a.ts> and <G:*.md>, then <Grep:TODO>', '<R:a.ts> <G:*.md> <Grep:TODO>'],
    ['<R:a.ts> <!-- the entry -->', '<R:a.ts>'],
    ['<E:a.ts x -> y>', '<E:a.ts old="…" new="…">'],
    ['<Bash>cat a.ts</Bash>', '<R:a.ts>'],
    ['<Bash command="ls src"/>', '<R:src>'],
    ['<Foo:bar>', 'help'],
    ['[list_rows()]', 'help'],
    ['[get_weather("Berlin")]', 'help'],
    ['</W>', '<W:…>…</W>'],
    ['</R>', '<R:…>'],
    ['<source/>', '@source()'],
    ['<source()>', '@source()'],
    ['<source:>', '@source()'],
    ['<source: math>', '@source()'],
    ['</source:math>', '@source()'],
    ['<source/R:math>', '<source.R:math>'],
    ['<source().R:math>', '<source.R:math>'],
    ['<#R:a.ts>', '<R:a.ts>'],
    ['<ls:>', '<R:>'],
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

describe('a command for a shell where no tool runs commands', () => {
  const places = new Map([
    ['run_script', 'scripts'],
    ['test', 'source.tests'],
    ['diff', 'git'],
    ['log', 'git'],
  ]);
  const known = { spaces: new Set(['scripts', 'git', 'source']), tools: new Set(places.keys()) };
  const answer = (text: string, options = { ...known, locate: (name: string) => places.get(name) }) => {
    const { calls, problems } = parse(asModelText(text), options);
    expect(calls).toEqual([]);
    const [, lines, line] =
      /(?:Write this instead:\n([^]*)|Write (.*) alone on its line\.)$/.exec(problems[0]?.message ?? '') ?? [];
    return lines ?? line;
  };

  it.each([
    ['ls src && npm test', '<R:src>\n<scripts.run_script:test>'],
    ['ls src; make all', '@scripts()'],
    ['ls src | wc -l', '@scripts()'],
    ['ls src', '<R:src>'],
    ['cat src/a.ts', '<R:src/a.ts>'],
    ['grep -rn TODO src', '<Grep:TODO src>'],
    ['rg TODO', '<Grep:TODO>'],
    ['npm test', '<scripts.run_script:test>'],
    ['npm run lint:fix', '<scripts.run_script:lint:fix>'],
    ['cd /repo && pnpm build 2>&1 | tail -20', '<scripts.run_script:build>'],
    ['pytest -q tests/test_a.py', '<source.tests.test:tests/test_a.py>'],
    ['git diff src/a.ts', '<git.diff:src/a.ts>'],
    ['git log', '<git.log:>'],
    ['npm install', '@scripts()'],
    ['make all', '@scripts()'],
  ])('is answered with the call that does the same: %s', (command, expected) => {
    expect(answer(`<bash>${command}</bash>`)).toBe(expected);
    expect(answer(`Let me see.\n\n<bash>\n${command}\n</bash>`)).toBe(expected);
    if (!command.includes('>')) {
      expect(answer(`<exec:${command}>`)).toBe(expected);
      expect(answer(`<terminal.sh:${command}>`)).toBe(expected);
    }
    expect(answer(`$ ${command}`)).toBe(expected);
  });

  it('suggests no place that there is not', () => {
    expect(answer('<exec:npm test>', { ...KNOWN, locate: () => undefined })).toBeUndefined();
  });
});

describe('a line of the form <name:argument>', () => {
  const read = (text: string) => parse(asModelText(text), KNOWN);

  it('is a call also with the @ of a place', () => {
    expect(read('<@source.R:math>').calls).toEqual([
      { verb: 'read', space: 'source', arg: 'math', line: 1, tag: '<@source.R:math>' },
    ]);
    expect(read('<@R:a.ts>').calls).toMatchObject([{ verb: 'read', arg: 'a.ts' }]);
    expect(read('<@source.W:math>\nx\n</@source.W>\n<R:b>').calls).toMatchObject([
      { verb: 'write', arg: 'math', body: 'x' },
      { verb: 'read' },
    ]);
    expect(read('<@source.delete:>').calls).toMatchObject([{ verb: 'delete', space: 'source', arg: '' }]);
    expect(read('<@source.meta:>').calls).toMatchObject([{ verb: 'go', arg: 'source.meta' }]);
    expect(read('<@source:>').calls).toMatchObject([{ verb: 'go', arg: 'source' }]);
    expect(read('<@sorce.raed:math>').calls).toEqual([]);
  });

  it('is run or answered, whatever stands around a known name', () => {
    const known = fc.constantFrom(
      'R',
      'write',
      'Grep',
      'delete',
      'create_issue',
      'source',
      'source.R',
      'source.delete',
    );
    const before = fc.constantFrom('', '@', '/', '#', '$', '!', '~', '@@', '.', '@/');
    const after = fc.constantFrom('', '()', '.', '/', '.x', '/x', '.help');
    const argument = fc.constantFrom('', ' ', 'a.ts', ' a.ts', 'a b=c', '"x"', '7');
    fc.assert(
      fc.property(before, known, after, argument, (start, name, end, arg) => {
        const { calls, problems } = read(`<${start}${name}${end}:${arg}>`);
        expect(calls.length + problems.length).toBeGreaterThan(0);
      }),
      { numRuns: 500 },
    );
  });

  it('is prose without a known name', () => {
    for (const text of ['<Result: 42>', '<https://example.org>', '<@>', '<@:x>', '<@everyone: hello>', '<:x>'])
      expect(read(text)).toMatchObject({ calls: [], problems: [], prose: text });
  });
});
