import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { runBae, startProgram } from './run-bae.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-undo-'));
  writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\n');
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const content = (name: string) => readFileSync(join(cwd, name), 'utf8');
const change = (text: string) => runBae(['do', '--yes'], { cwd, input: text });
const TIME = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d`;

interface ListedOperation {
  readonly action: string;
  readonly path: string;
  readonly session: string;
}

async function listed(): Promise<readonly ListedOperation[]> {
  const { out } = await runBae(['undo', '--list', '--json'], { cwd });
  return (JSON.parse(out) as { operations: readonly ListedOperation[] }).operations;
}

describe('bae undo', () => {
  it('takes back the last change, one after the other', async () => {
    await change('<E:a.txt old="two" new="2">\n<W:new/b.txt>\nb\n</W>');
    expect(await runBae(['undo', '--yes'], { cwd })).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        new RegExp(String.raw`^undone: ${TIME} {2}write new/b\.txt \(0 -> 1 lines\) {2}[0-9a-f]{8}\n$`),
      ) as string,
      err: '',
    });
    expect([existsSync(join(cwd, 'new')), content('a.txt')]).toEqual([false, 'one\n2\n']);
    expect((await runBae(['undo', '--yes'], { cwd })).code).toBe(0);
    expect(content('a.txt')).toBe('one\ntwo\n');
  });

  it('takes back several at once', async () => {
    await change('<W:a.txt>x</W>\n<W:b.txt>b</W>\n<W:c.txt>c</W>');
    const { code, out } = await runBae(['undo', '2', '--yes', '--json'], { cwd });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      undone: [
        { action: 'write', path: 'c.txt' },
        { action: 'write', path: 'b.txt' },
      ],
    });
    expect([existsSync(join(cwd, 'b.txt')), content('a.txt')]).toEqual([false, 'x']);
  });

  it('shows what it would do, and does it only when somebody says so', async () => {
    await change('<E:a.txt old="two" new="2">');
    const { code, out, err } = await runBae(['undo'], { cwd });
    expect(out.split('\n').slice(1).join('\n')).toBe('--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-2\n+two\n');
    expect(err).toBe('bae: not undone: no one is available to confirm it.\nTry: bae undo --yes\n');
    expect([code, content('a.txt')]).toEqual([1, 'one\n2\n']);
  });

  it('undoes what a process did that was killed', async () => {
    const bae = startProgram(['do', '--json', '--yes'], { cwd });
    bae.child.stdin?.write(`${JSON.stringify({ text: '<W:a.txt>gone</W>' })}\n`);
    await bae.printed('\n');
    bae.child.kill('SIGKILL');
    await bae.end;
    expect(content('a.txt')).toBe('gone');
    expect((await runBae(['undo', '--yes'], { cwd })).code).toBe(0);
    expect(content('a.txt')).toBe('one\ntwo\n');
  });

  it('lists what can be undone, newest first, and undoes nothing', async () => {
    expect(await runBae(['undo', '--list'], { cwd })).toEqual({ code: 0, out: '(nothing can be undone)\n', err: '' });
    await change('<W:a.txt>x</W>\n<W:b.txt>b</W>');
    const { out } = await runBae(['undo', '--list'], { cwd });
    expect(out.split('\n').map((line) => line.split('  ')[1])).toEqual([
      'write b.txt (0 -> 1 lines)',
      'write a.txt (2 -> 1 lines)',
      undefined,
    ]);
    expect(content('a.txt')).toBe('x');
  });

  it('counts what was changed together as one', async () => {
    mkdirSync(join(cwd, 'src'));
    writeFileSync(join(cwd, 'package.json'), '{ "name": "p", "type": "module" }');
    writeFileSync(join(cwd, 'src/one.ts'), 'export function one() {}\n');
    writeFileSync(join(cwd, 'src/two.ts'), 'import { one } from "./one.ts";\none();\n');
    await change('<W:a.txt>first</W>');
    await change('<source.rename:one.one to=first>');
    expect(content('src/two.ts')).toContain('first();');
    const { out, err } = await runBae(['undo', '2', '--yes'], { cwd });
    expect(out.match(/^undone: /gm)).toHaveLength(2);
    expect(err).toContain('bae: that was all of session ');
  });

  it('does not mention other sessions where none has left a change', async () => {
    await change('<W:a.txt>x</W>');
    expect(await runBae(['undo', '5', '--yes'], { cwd })).toMatchObject({ code: 0, err: '' });
  });

  it('undoes those of the session that is named', async () => {
    await change('<W:a.txt>first</W>');
    await change('<W:b.txt>second</W>');
    const [second, first] = await listed();
    expect(first?.session).not.toBe(second?.session);
    const id = first?.session.slice(0, 8) ?? '';
    expect(await runBae(['undo', '5', '--yes', '--session', id], { cwd })).toMatchObject({
      code: 0,
      err: `bae: that was all of session ${id}. What other sessions changed is left: bae undo --list\n`,
    });
    expect([content('a.txt'), content('b.txt')]).toEqual(['one\ntwo\n', 'second']);
    const { code, err } = await runBae(['undo', '--yes', '--session', 'nobody'], { cwd });
    expect(err).toBe(
      `bae: --session nobody: no session with changes that can be undone has an id that begins like this. There are ${second?.session.slice(0, 12)}.\nTry: bae undo --list\n`,
    );
    expect(code).toBe(1);
  });

  it('leaves later changes alone, and reports it', async () => {
    await change('<W:a.txt>x</W>');
    writeFileSync(join(cwd, 'a.txt'), 'mine\n');
    const { code, out, err } = await runBae(['undo', '--yes'], { cwd });
    expect(err).toMatch(/^bae: a\.txt changed after the write that is to be undone /);
    expect([code, out, content('a.txt')]).toEqual([1, '', 'mine\n']);
    expect((await runBae(['undo'], { cwd })).err).toBe(err);
  });

  it(
    'does not undo what another user wrote to the journal of the folder, and keeps it',
    { tags: ['long'] },
    async () => {
      const homes = mkdtempSync(join(tmpdir(), 'bae-undo-homes-'));
      onTestFinished(() => rmSync(homes, { recursive: true, force: true }));
      const asUser =
        (name: string, ...args: readonly string[]) =>
        (input?: string) =>
          startProgram(args, { cwd, env: { BAE_HOME: join(homes, name) }, input: input ?? '' }).end;
      await asUser('author', 'do', '--yes')('<W:a.txt>planted</W>');
      const journal = readdirSync(join(cwd, '.bae/journal'))[0]!;
      const sentence = `1 change in .bae/journal is not undone, because nothing proves that this user made it here. The old content stays in ${journal}.`;
      expect(await asUser('reader', 'undo', '--yes')()).toEqual({
        code: 1,
        out: '',
        err: `bae: nothing that bae did in ${basename(cwd)} can be undone. ${sentence}\nTry: bae undo --list\n`,
      });
      expect(await asUser('reader', 'undo', '--list')()).toMatchObject({
        code: 0,
        out: `(nothing can be undone)\n${sentence}\n`,
      });
      expect(JSON.parse((await asUser('reader', 'undo', '--list', '--json')()).out)).toEqual({
        operations: [],
        unproven: [`${journal}/1`],
      });
      // The reader's own change is undone, and only that.
      await asUser('reader', 'do', '--yes')('<W:b.txt>mine</W>');
      expect((await asUser('reader', 'undo', '5', '--yes')()).out).toMatch(/^undone: .* write b\.txt .*\n$/);
      expect([existsSync(join(cwd, 'b.txt')), content('a.txt')]).toEqual([false, 'planted']);
      expect((await asUser('author', 'undo', '--yes')()).code).toBe(0);
      expect(content('a.txt')).toBe('one\ntwo\n');
    },
  );

  it('reports when there is nothing to undo', async () => {
    const { code, err } = await runBae(['undo', '--yes'], { cwd });
    expect(code).toBe(1);
    expect(err).toMatch(/^bae: nothing that bae did in bae-undo-\w+ can be undone\.\nTry: bae undo --list\n$/);
  });

  it.each([
    [['undo', 'all'], 'bae undo takes the number of changes to undo, a whole number of at least 1; got "all".'],
    [['undo', '0'], 'bae undo takes the number of changes to undo, a whole number of at least 1; got "0".'],
    [['undo', '1', '2'], 'bae undo takes the number of changes to undo, a whole number of at least 1; got "1 2".'],
    [['undo', '--list', '2'], 'bae undo --list takes no number.'],
    [['undo', '--json'], 'bae undo --json asks nothing: give it --yes, or --list to undo nothing.'],
    [['do', '--list'], 'bae do takes no --list; it belongs to bae undo and bae trust.'],
  ])('does not understand %j', async (args, message) => {
    expect(await runBae(args, { cwd })).toMatchObject({ code: 2, err: expect.stringContaining(message) as string });
  });
});
