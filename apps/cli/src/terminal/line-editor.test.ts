import { PassThrough } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openVirtualScreen } from '../../test/virtual-screen.ts';
import { LineEditor, type EditorEvents } from './line-editor.ts';

const UP = '\u001B[A';
const DOWN = '\u001B[B';
const LEFT = '\u001B[D';

/** An editor in a terminal that shows what a person would see. */
function open({ columns = 40, rows = 12, ...more }: { columns?: number; rows?: number } & Partial<EditorEvents> = {}) {
  const screen = openVirtualScreen({ columns, rows });
  const { terminal, bytes, resize, onResize } = screen;
  const input = new PassThrough();
  let written = '';
  const { write } = screen;
  screen.write = (text) => {
    written += text;
    write(text);
  };
  const sent: string[] = [];
  const interrupts: boolean[] = [];
  let ends = 0;
  const editor = new LineEditor(
    { input, screen, columns: screen.columns, rows: screen.rows, onResize },
    {
      onText: (text) => sent.push(text),
      onInterrupt: (wasEmpty) => interrupts.push(wasEmpty),
      onEnd: () => ends++,
      complete: async () => ({ candidates: [], typed: '' }),
      history: () => [],
      ...more,
    },
  );
  const type = async (text: string): Promise<void> => {
    input.write(text);
    await setImmediate();
    await setImmediate();
  };
  /** What is on the screen, with `|` at the cursor. */
  const read = async (): Promise<string> => {
    const lines = [...(await screen.read())];
    const { active } = terminal.buffer;
    const row = active.baseY + active.cursorY;
    const line = active.getLine(row)!;
    let before = '';
    for (let column = 0; column < active.cursorX; column++)
      before += line.getCell(column)?.getChars() || (line.getCell(column)?.getWidth() === 0 ? '' : ' ');
    while (lines.length <= row) lines.push('');
    lines[row] = `${before}|${lines[row]!.slice(before.length)}`;
    while (lines.length > 1 && lines.at(-1) === '') lines.pop();
    return lines.join('\n');
  };
  return { editor, type, read, sent, interrupts, resize, ends: () => ends, bytes, input, codes: () => written };
}

describe('LineEditor', () => {
  it('shows what is typed, and sends it with Enter', async () => {
    const { editor, type, read, sent } = open();
    editor.ask('home> ');
    await type('hello');
    expect(await read()).toBe('home> hello|');
    await type('\r');
    expect(sent).toEqual(['hello']);
    expect(await read()).toBe('home> hello\n|');
  });

  it.each(['\n', '\u001B\r', '\u001B[13;2u'])('begins a new line with %j', async (key) => {
    const { editor, type, read, sent } = open();
    editor.ask('> ');
    await type(`one${key}`);
    await type('two');
    expect(await read()).toBe('> one\n… two|');
    await type(`${UP}!\r`);
    expect(sent).toEqual(['one!\ntwo']);
    expect(await read()).toBe('> one!\n… two\n|');
  });

  it('shows a paste and sends nothing of it by itself', async () => {
    const { editor, type, read, sent } = open();
    editor.ask('> ');
    await type('\u001B[200~<R:a>\r\n<W:b>\rrm -rf \u001B[3D\r</W>\r\u001B[201~');
    expect(sent).toEqual([]);
    expect(await read()).toBe('> <R:a>\n… <W:b>\n… rm -rf ␛[3D\n… </W>|');
    await type('\r');
    expect(sent).toEqual(['<R:a>\n<W:b>\nrm -rf \u001B[3D\n</W>']);
  });

  it('takes back changes, and what was discarded by mistake', async () => {
    const { editor, type, read } = open();
    editor.ask('> ');
    await type('one two');
    await type('\u0015');
    expect(await read()).toBe('> |');
    await type('\u001F');
    expect(await read()).toBe('> one two|');
    await type('\u001F');
    expect(await read()).toBe('> one |');
  });

  it('goes to earlier texts from the first and last line, and back to the new one', async () => {
    const { editor, type, read } = open({ history: () => ['newest\nof two', 'older'] });
    editor.ask('> ');
    await type(`draft${UP}`);
    expect(await read()).toBe('> newest\n… of two|');
    await type(`${UP}${UP}`);
    expect(await read()).toBe('> older|');
    await type(`${DOWN}${DOWN}`);
    expect(await read()).toBe('> draft|');
  });

  it('finds earlier texts with Ctrl-R, and gives up with Escape', async () => {
    const { editor, type, read, sent } = open({ history: () => ['<R:b.ts>', '<Grep:TODO>', '<R:a.ts>'] });
    editor.ask('> ');
    await type('\u0012R:');
    expect(await read()).toBe('search R:: <R:b.ts>|');
    await type('\u0012');
    expect(await read()).toBe('search R:: <R:a.ts>|');
    await type('\r');
    expect(sent).toEqual(['<R:a.ts>']);
    editor.ask('> ');
    await type('mine\u0012TODO');
    expect(editor.text).toBe('<Grep:TODO>');
    await type('\u0003');
    expect(editor.text).toBe('mine');
  });

  it('completes with Tab, and shows what there is to choose from', async () => {
    const names = ['source()', 'sources()', 'tasks()'];
    const complete = async (line: string) => ({
      candidates: names.filter((one) => one.startsWith(line)),
      typed: line,
    });
    const { editor, type, read } = open({ complete });
    editor.ask('> ');
    await type('so\t');
    expect(await read()).toBe('> source|');
    await type('\t');
    expect(await read()).toBe('source()   sources()\n> source|');
  });

  it('tells why nothing can be completed', async () => {
    const { editor, type, read } = open({ complete: () => Promise.reject(new Error('the place does not answer.')) });
    editor.ask('> ');
    await type('so\t');
    expect(await read()).toBe('the place does not answer.\n> so|');
  });

  it('goes on in a new line after a \\ at the end, where a text may go on', async () => {
    const { editor, type, read, sent } = open({ isContinued: (text) => !text.startsWith('code') });
    editor.ask('> ');
    await type('one\\\r');
    await type(`two${UP}!`);
    expect(await read()).toBe('> one!|\n… two');
    await type('\r');
    editor.ask('> ');
    await type('code\\\r');
    expect(sent).toEqual(['one!\ntwo', 'code\\']);
  });

  it('leaves what there is to choose from to others while no text is requested, and the clearing of the screen', async () => {
    const printed: (string | boolean)[][] = [];
    const { type, bytes } = open({
      complete: async () => ({ candidates: ['a()', 'b()'], typed: '' }),
      print: (...call) => void printed.push(call),
    });
    const before = bytes();
    await type('\t\u000C');
    expect(printed).toEqual([
      ['', true],
      ['a()  b()\n', false],
    ]);
    expect(bytes()).toBe(before);
  });

  it('tells why another editor has not written the text', async () => {
    const { editor, type, read } = open({ edit: () => Promise.reject(new Error('vi ended with 1.')) });
    editor.ask('> ');
    await type('this\u0007');
    expect(await read()).toBe('vi ended with 1.\n> this|');
  });

  it('asks the terminal for unambiguous keys, except while another editor or nobody reads them', async () => {
    const [on, off] = ['[>5u', '[<u'];
    const { promise: edited, resolve } = Promise.withResolvers<string>();
    const modes = () =>
      codes()
        .split(/(?=\[)/)
        .filter((code) => /^\[[<>]\d?u/.test(code))
        .map((code) => code.slice(0, code.indexOf('u') + 1));
    const { editor, type, codes, input } = open({ edit: () => edited });
    editor.ask('> ');
    await type('this\u0007');
    expect([modes(), input.isPaused()]).toEqual([[on, off], true]);
    resolve('that');
    await edited;
    await setImmediate();
    expect([editor.text, input.isPaused()]).toEqual(['that', false]);
    editor.close();
    expect(modes()).toEqual([on, off, on, off]);
  });

  it('lets another editor write the text', async () => {
    const { editor, type, read, sent } = open({ edit: async (text) => `${text}, and more\n` });
    editor.ask('> ');
    await type('this\u0007');
    expect(await read()).toBe('> this, and more|');
    await type('\r');
    expect(sent).toEqual(['this, and more']);
  });

  it('discards the text with Ctrl-C, and reports one at an empty prompt', async () => {
    const { editor, type, read, interrupts } = open();
    editor.ask('> ');
    await type('rm -rf\u0003');
    expect([editor.text, interrupts]).toEqual(['', [false]]);
    expect(await read()).toBe('> rm -rf\n> |');
    await type('\u0003');
    expect(interrupts).toEqual([false, true]);
  });

  it.each(['\u001B', '\u0003'])('reports %j while no text is requested, and keeps what is typed', async (key) => {
    const { editor, type, interrupts } = open();
    await type(`ahead${key}`);
    await expect.poll(() => interrupts).toEqual([true]);
    expect(editor.text).toBe('ahead');
  });

  it('gives up a question with Escape, and no prompt', async () => {
    const { editor, type, interrupts, read } = open();
    editor.ask('home> ');
    await type('\u001B[27u');
    expect(interrupts).toEqual([]);
    editor.stopAsking();
    editor.ask('run it? ', true);
    await type('\u001B[27u');
    expect(interrupts).toEqual([true]);
    expect(await read()).toBe('home> \nrun it? \n|');
  });

  it('goes up and down by a row in a text that is wider than the screen', async () => {
    const { editor, type, read } = open({ columns: 10, history: () => ['earlier'] });
    editor.ask('> ');
    await type(`one two three${UP}X`);
    expect(await read()).toBe('> oneX| two\n three');
    await type(`${DOWN}Y`);
    expect(editor.text).toBe('oneX two threeY');
    await type(`${UP}${UP}`);
    expect(editor.text).toBe('earlier');
  });

  it('ends with Ctrl-D when there is no text, and deletes otherwise', async () => {
    const { editor, type, ends } = open();
    editor.ask('> ');
    await type(`ab${LEFT}\u0004`);
    expect([editor.text, ends()]).toEqual(['a', 0]);
    await type('\u007F\u0004');
    expect(ends()).toBe(1);
  });

  it('leaves no line below it when it ends, or is closed', async () => {
    const { editor, type, read } = open({ footer: () => 'plan · 12 %' });
    editor.ask('> ');
    await type('\u0004');
    expect(await read()).toBe('> \n|');
    editor.ask('> ');
    await type('text');
    editor.close();
    expect(await read()).toBe('> \n> text\n|');
  });

  it('keeps a text in its place when something is printed above', async () => {
    const { editor, type, read } = open({ columns: 12 });
    editor.ask('> ');
    await type('a text of several rows');
    editor.printAbove('news\n');
    expect(await read()).toBe('news\n> a text of \nseveral rows\n|');
  });

  it('knows where the text begins after a prompt of several rows', async () => {
    const { editor, type, read } = open({ columns: 20 });
    editor.printAbove('before\n');
    editor.ask('Is that what you want to be done? ');
    await type('yes');
    await type('\u0001no, ');
    expect(await read()).toBe('before\nIs that what you \nwant to be done? no,\n |yes');
    await type('\r');
    expect(await read()).toBe('before\nIs that what you \nwant to be done? no,\n yes\n|');
  });

  it('shows the part around the cursor of a text that is higher than the screen', async () => {
    const { editor, type, read } = open({ rows: 5 });
    editor.ask('> ');
    await type(`\u001B[200~${Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\r')}\u001B[201~`);
    expect((await read()).split('\n').slice(-4)).toEqual(['… line 26', '… line 27', '… line 28', '… line 29|']);
    await type(UP.repeat(20));
    expect(await read()).toContain('… line 9|');
  });

  it('writes no more than a character for a character at the end', async () => {
    const { editor, type, read, bytes } = open();
    editor.ask('> ');
    await type('a');
    await read();
    const before = bytes();
    await type('b');
    await read();
    expect(bytes() - before).toBe(1);
  });

  it('leaves nothing of an old row where a terminal shows characters narrower than they are', async () => {
    const { editor, type, read } = open({ columns: 8 });
    editor.ask('> ');
    for (const key of ['a', 'b', '\u0001', '👍', '👍', '👍']) await type(key);
    expect(await read()).toBe('> 👍👍👍\n|ab');
  });

  it('finds its column in another row where a terminal shows characters narrower than they are', async () => {
    const { editor, type, read } = open();
    editor.ask('> ');
    for (const key of ['a', 'b', '\n', '👍', UP, 'c']) await type(key);
    expect(await read()).toBe('> abc|\n… 👍');
  });

  it('shows every text as it is, whatever its characters and whatever the width', async () => {
    const character = fc.constantFrom('a', 'b', ' ', '漢', '👍', 'é', '\n');
    const key = fc.constantFrom(LEFT, '\u001B[C', '\u007F', '\u0001', '\u0005', UP, DOWN, '\u001B\u007F');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 4, arbitrary: character }, key), { maxLength: 40 }),
        fc.integer({ min: 8, max: 30 }),
        async (keys, columns) => {
          const { editor, type, read } = open({ columns, rows: 60 });
          editor.ask('> ');
          for (const one of keys) await type(one);
          const shown = (await read()).replace('|', '');
          // Wrapping adds line breaks, and blanks at the end of a row are not seen.
          const flat = (text: string) => text.replaceAll(/[\s…]/g, '');
          expect(flat(shown)).toBe(flat(`> ${editor.text}`));
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the line below a text', () => {
  it('stays below it as it grows, and is gone when the text is sent', async () => {
    const { editor, type, read } = open({ columns: 20, footer: () => 'plan · 12 %' });
    editor.ask('home> ');
    expect(await read()).toBe('home> |\nplan · 12 %');
    await type('some words that wrap');
    expect(await read()).toBe('home> some words tha\nt wrap|\nplan · 12 %');
    await type('\n');
    await type('x');
    expect(await read()).toBe('home> some words tha\nt wrap\n… x|\nplan · 12 %');
    await type('\r');
    expect(await read()).toBe('home> some words tha\nt wrap\n… x\n|');
  });

  it('is not written again for each key', async () => {
    const { editor, type, bytes, read } = open({ footer: () => 'plan · 12 % of the context' });
    editor.ask('home> ');
    await type('some');
    await read();
    const before = bytes();
    await type('x');
    await read();
    expect(bytes() - before).toBe(1);
  });
});

it('a prompt and keys of someone else are drawn anew after each key', async () => {
  let mode = 'ask';
  const { editor, type, read } = open({ keys: { 'shift-tab': () => void (mode = 'plan') } });
  editor.ask(() => `${mode}> `);
  await type('hello');
  await type('\u001B[Z');
  expect(await read()).toBe('plan> hello|');
});

it('other lines take the place of the screen, and the text stays', async () => {
  const { editor, type, read } = open();
  editor.ask('home> ');
  await type('hello');
  editor.redraw('one\r\ntwo\r\n');
  expect(await read()).toBe('one\ntwo\nhome> hello|');
});
