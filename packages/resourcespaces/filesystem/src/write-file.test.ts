import { describe, expect, it } from 'vitest';
import { openHome } from '../test/open-home.ts';
import { openSpace } from '../test/open-space.ts';

describe('writing a file', () => {
  it('says of a new one that it is executable, if a program is named to run it', async () => {
    const tags = '<W:run>\n#!/bin/sh\necho\n</W>\n<W:run>\n#!/bin/sh\n</W>';
    const [made, replaced] = await openHome().send(tags);
    expect(made).toBe('Wrote 15 chars (2 lines) to run (new file, executable)');
    expect(replaced).toBe('Wrote 10 chars (1 line) to run (replaced 2 lines)');
  });

  it('is refused if the text leaves a part out that would be lost', async () => {
    const home = openHome({
      'a.ts': 'const a = 1;\nconst b = 2;\nconst c = 3;\nconst d = 4;\nconst e = 5;\n',
      'b.ts': '',
    });
    const before = home.content('a.ts');
    const text = '// ... existing code ...\nconst e = 6;';
    const [refused] = await home.send(`<W:a.ts>\n${text}\n</W>`);
    expect(refused).toBe(
      'EditError: `// ... existing code ...` leaves out a part of a.ts, but a write replaces the whole file. Nothing was changed. Send the whole text, or an edit.\nTry: <E:a.ts>\n<old>…</old>\n<new>…</new>\n</E>\nTry: <R:a.ts>',
    );
    expect(home.content('a.ts')).toBe(before);
    await home.send(`<W:b.ts>\n${text}\n</W>\n<W:new.ts>\n${text}\n</W>`);
    expect([home.content('b.ts'), home.content('new.ts')]).toEqual([`${text}\n`, `${text}\n`]);
    // It was there before.
    expect((await home.send(`<W:b.ts>\n// ... existing code ...\n</W>`))[0]).toContain('Wrote 25 chars');
  });

  it.each([
    ['', true, '', 'Wrote 0 chars (0 lines)'],
    ['', false, '', 'Wrote 0 chars (0 lines)'],
    ['a', true, 'a\n', 'Wrote 2 chars (1 line)'],
    ['a\n', true, 'a\n', 'Wrote 2 chars (1 line)'],
    ['\nline\n', true, '\nline\n', 'Wrote 6 chars (2 lines)'],
    ['a\n\n', true, 'a\n\n', 'Wrote 3 chars (2 lines)'],
    ['a\nb', false, 'a\nb', 'Wrote 3 chars (2 lines)'],
    ['😀', false, '😀', 'Wrote 1 char (1 line)'],
    ['\ufeffa\r\n', true, '\ufeffa\r\n', 'Wrote 4 chars (1 line)'],
  ])('ends %j as it came (block %j)', async (content, block, expected, result) => {
    const space = openSpace();
    expect(await space.call('write', { target: 'a.txt', content }, { block })).toBe(`${result} to a.txt (new file)`);
    expect(space.content('a.txt')).toBe(expected);
  });

  it('shows what it replaced, and in a hint how much it wrote', async () => {
    const space = openSpace({ 'out.txt': 'x\n'.repeat(10) });
    expect(await space.output('write', { target: 'out.txt', content: 'hello world' })).toEqual({
      text: 'Wrote 12 chars (1 line) to out.txt (replaced 10 lines)',
      hint: '12 chars',
    });
  });

  it('says so when the file had this text', async () => {
    const space = openSpace({ 'a.txt': 'a\n' });
    expect(await space.call('write', { target: 'a.txt', content: 'a\n' })).toBe(
      'Wrote 2 chars (1 line) to a.txt (no change: the file already had this text)',
    );
  });

  it.each([
    ['notes.md overwrite=true', 'overwrite'],
    ['a b.md, mode="r w"', 'mode'],
    ["x.txt  title=''", 'title'],
  ])('takes %j for a parameter that does not exist', async (target, name) => {
    const space = openSpace();
    const mark = target.includes('"') ? "'" : '"';
    const expected = [
      `EditError: write has no parameter '${name}', and there is no file '${target}'. Nothing was changed. Put quotes around a name that ends like that.`,
      `Try: <W:${mark}${target}${mark}>`,
    ];
    expect(await space.call('write', { target, content: 'x' })).toBe(expected.join('\n'));
    expect(await space.call('glob', { pattern: '*' })).toBe('(no matches)');
  });

  it('never suggests to replace a file to which something was to be added', async () => {
    const { send, content } = openHome({ 'a.ts': 'one\n' });
    expect(await send('<W:a.ts append=true>\ntwo\n</W>')).toEqual([
      expect.stringMatching(
        /^EditError: write replaces a whole file and has no parameter 'append'\. Nothing was changed\.(?![^]*<W:a\.ts>)[^]*\nTry: <R:a\.ts>$/,
      ),
    ]);
    await send('<R:a.ts>');
    await send('<E:a.ts:2>\ntwo\n</E>');
    expect(content('a.ts')).toBe('one\ntwo\n');
  });

  it.each(['report v=2', 'a b.md, mode="r w"', "x.txt  title=''", 'is "it" a=\'b\''])(
    'writes %j when the quotes are there that it asked for',
    async (name) => {
      const { send, content } = openHome();
      const [refused = ''] = await send(`<W:${name}>x</W>`);
      const [, , tag = ''] = /Try: (<W:.*>)x<\/W>\nTry: (<W:.*>)…<\/W>$/.exec(refused) ?? [];
      expect(await send(`${tag}x</W>`)).toEqual([`Wrote 1 char (1 line) to ${name} (new file)`]);
      expect(content(name)).toBe('x');
    },
  );

  it('writes such a name in JSON, which names its parameters', async () => {
    const call = { name: 'Write', arguments: { file_path: 'report v=2', content: 'x' } };
    expect(await openHome().send(JSON.stringify(call))).toEqual(['Wrote 1 char (1 line) to report v=2 (new file)']);
  });

  it.each([
    'a=b.md',
    'k=v',
    'notes a = b',
    'x 1=2',
    'my file v=2.txt',
    'dir name=x/file.txt',
    'dir a="x/b"',
    "dir a='x.y'",
  ])('takes %j for a name', async (target) => {
    const space = openSpace();
    expect(await space.call('write', { target, content: 'x' })).toContain('(new file)');
  });

  it('takes what code sends for a name, whatever it looks like', async () => {
    const space = openSpace();
    const call = { target: 'notes.md overwrite=true', content: 'x' };
    expect(await space.call('write', call, { fromCode: true })).toContain('to notes.md overwrite=true (new file)');
  });

  it('writes a file that is there, whatever it is called', async () => {
    const space = openSpace({ 'notes.md a=b': '' });
    expect(await space.call('write', { target: 'notes.md a=b', content: 'x' })).toContain('(replaced ');
  });

  it('names the path as it was given', async () => {
    const space = openSpace();
    expect(await space.call('write', { target: './d//a.txt', content: 'x' })).toBe(
      'Wrote 2 chars (1 line) to ./d//a.txt (new file)',
    );
    expect(space.content('d/a.txt')).toBe('x\n');
  });

  it('does not take a range for a part of the name', async () => {
    const space = openSpace({ 'a.py': 'a\nb\n' });
    expect(await space.call('write', { target: 'a.py', content: 'x' }, { range: [1, 2], argument: 'a.py:1-2' })).toBe(
      'EditError: write replaces the whole file; lines of it are edited.\nTry: <E:a.py:1-2>\nTry: <W:a.py>',
    );
    expect(space.content('a.py')).toBe('a\nb\n');
  });

  it('refuses folders and what lies outside', async () => {
    const space = openSpace({ 'd/a': '' });
    expect(await space.call('write', { target: 'd', content: 'x' })).toBe(
      'FileError: d is a folder, not a file.\nTry: <R:d>',
    );
    expect(await space.call('write', { target: '../d', content: 'x' })).toContain(
      'PathError: ../d is outside the workspace',
    );
    expect(await space.call('write', { target: '/etc/bae', content: 'x' })).toContain(
      'PathError: /etc/bae is outside the workspace',
    );
    expect(await space.call('write', { target: '', content: 'x' })).toBe(
      'FileError: . is a folder, not a file.\nTry: <R:.>',
    );
    expect(await space.call('edit', { target: '', old: 'x', new: 'y' })).toContain('FileError: . is a folder');
  });
});
