import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  approvalPolicy,
  asModelText,
  defineResourcespace,
  tool,
  type ApprovalPolicy,
  type ApprovalRequest,
} from '@bae/core';
import { Sandbox } from '@bae/sandbox';
import { SourceSpace } from '@bae/source';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { stage } from './stage.ts';

type Reply = Awaited<ReturnType<NonNullable<ApprovalPolicy['ask']>>>;

const sandbox = new Sandbox();
afterAll(() => sandbox.dispose());

/** A program that looks at the folder itself, and knows nothing of drafts. */
let lookedAt = '';
const programs = defineResourcespace({
  name: 'programs',
  description: 'Programs.',
  tools: {
    start: tool('Starts.', { file: z.string() }, ({ file }) => (existsSync(join(lookedAt, file)) ? 'there' : 'gone'), {
      effect: 'read',
    }),
  },
});

/** Someone else, who saves a file while a block is running. */
const elsewhere = defineResourcespace({
  name: 'elsewhere',
  description: 'Someone else.',
  tools: {
    save: tool(
      'Saves.',
      { text: z.string() },
      ({ text }) => {
        writeFileSync(join(lookedAt, 'a.txt'), text);
        return 'saved';
      },
      { effect: 'read', seesDraft: true },
    ),
  },
});

/** Files, and a person who gives these replies in turn; `see` looks at the disk while a question stands. */
function scene(
  files: Record<string, string>,
  {
    replies = [{ decision: 'allow' }],
    rules = [],
    see = () => undefined,
  }: {
    readonly replies?: readonly Reply[];
    readonly rules?: ApprovalPolicy['rules'];
    readonly see?: (folder: string) => unknown;
  } = {},
) {
  const ahead = [...replies];
  const asked: (ApprovalRequest & { readonly shown: string; readonly saw: unknown })[] = [];
  const approver = approvalPolicy({
    rules,
    ask: async (request) => {
      const shown = (await request.preview?.()) ?? '';
      asked.push({ ...request, shown, saw: see(at.folder) });
      return ahead.shift();
    },
  });
  const at = stage([], files, { codeRunner: sandbox, approver, spaces: [SourceSpace, programs, elsewhere] });
  lookedAt = at.folder;
  const run = async (code: string) => (await at.agent.run(asModelText(`<run>\n${code}\n</run>`))).runs[0]!;
  return { ...at, asked, run };
}

/** Returns what a block printed, without the list of what it changed. */
const takePrinted = (output: string): string => output.split('\nChanged:\n')[0]!;

describe('what a run block changes', () => {
  it('is asked about once, with all of it in one diff, and nothing is on disk before that', async () => {
    const at = scene(
      { 'a.txt': 'one\ntwo\n', 'b.txt': 'x\n', 'c.txt': 'c\n' },
      { see: (folder) => readdirSync(folder).toSorted() },
    );
    const report = await at.run(`
      await write('new/deep.txt', 'fresh\\n');
      await edit('a.txt', { old: 'two', new: 'TWO' });
      await edit('a.txt', { old: 'one', new: 'ONE' });
      await home.delete('b.txt');
      await home.move('c.txt', 'd.txt');
    `);
    expect(report, report.output).toMatchObject({ ok: true });
    expect(at.asked).toHaveLength(1);
    expect(at.asked[0]).toMatchObject({ tool: 'run', touches: ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'new/deep.txt'] });
    expect(at.asked[0]!.saw).toEqual(['a.txt', 'b.txt', 'c.txt']);
    expect(at.asked[0]!.shown).toBe(`\
--- a.txt
+++ a.txt
@@ -1,2 +1,2 @@
-one
-two
+ONE
+TWO
--- b.txt
+++ /dev/null
@@ -1 +0,0 @@
-x
--- c.txt
+++ /dev/null
@@ -1 +0,0 @@
-c
--- /dev/null
+++ d.txt
@@ -0,0 +1 @@
+c
--- /dev/null
+++ new/deep.txt
@@ -0,0 +1 @@
+fresh
`);
    expect([at.read('a.txt'), at.read('d.txt'), at.read('new/deep.txt')]).toEqual(['ONE\nTWO\n', 'c\n', 'fresh\n']);
    expect(readdirSync(at.folder).toSorted()).toEqual(['a.txt', 'd.txt', 'new']);
    // One change for undo, too.
    await at.agent.run(asModelText('<undo:>'));
    expect(at.asked).toHaveLength(2);
  });

  it('is what its reads, lists and searches find', async () => {
    const at = scene({ 'a.txt': 'needle one\n', 'b.txt': 'needle two\n', '.gitignore': 'out/\n' });
    mkdirSync(join(at.folder, 'sub'));
    writeFileSync(join(at.folder, 'sub/s.txt'), 'needle s\n');
    const { output } = await at.run(`
      await write('a.txt', 'needle three\\n');
      await write('fresh/n.txt', 'needle four\\n');
      await write('out/ignored.txt', 'needle hidden\\n');
      await home.delete('b.txt');
      await home.delete('sub');
      const seen = [await read('a.txt'), await read('fresh/n.txt'), (await read('fresh')).trim(), await glob('**/*.txt'), (await grep('needle')).map(({ path, text }) => path + ':' + text)];
      seen.push(await read('b.txt').catch((error) => error.name), await read('sub').catch((error) => error.name));
      await edit('fresh/n.txt', { old: 'four', new: 'five' });
      seen.push(await read('fresh/n.txt'));
      JSON.stringify(seen)
    `);
    expect(JSON.parse(takePrinted(output))).toEqual([
      'needle three\n',
      'needle four\n',
      'n.txt',
      ['a.txt', 'fresh/n.txt'],
      ['a.txt:needle three', 'fresh/n.txt:needle four'],
      'FileNotFoundError',
      'FileNotFoundError',
      'needle five\n',
    ]);
    expect(at.asked).toHaveLength(1);
    expect(existsSync(join(at.folder, 'sub'))).toBe(false);
    expect(at.read('fresh/n.txt')).toBe('needle five\n');
  });

  it('is not written when the person says no, and what was read before still counts', async () => {
    const at = scene({ 'a.txt': 'one\n' }, { replies: [{ decision: 'deny' }, { decision: 'allow' }] });
    await at.agent.run(asModelText('<R:a.txt>'));
    const refused = await at.run(`await write('a.txt', 'two\\n'); await write('b.txt', 'b'); print('done')`);
    expect(refused).toMatchObject({
      ok: false,
      output:
        '(printed before its changes were decided on)\ndone\nApprovalError: a.txt, b.txt: run was not run: the user said no. Ask what to do instead.',
    });
    expect([at.read('a.txt'), existsSync(join(at.folder, 'b.txt'))]).toEqual(['one\n', false]);
    const { calls } = await at.agent.run(asModelText('<E:a.txt:1>\nthree\n</E>'));
    expect(calls[0]!.result.text).toContain('three');
    expect(at.read('a.txt')).toBe('three\n');
  });

  it('may be allowed file by file', async () => {
    const at = scene({ 'a.txt': 'one\n' }, { replies: [{ decision: 'allow', only: ['b.txt'] }] });
    const report = await at.run(`await write('a.txt', 'two\\n'); await write('b.txt', 'b\\n'); undefined`);
    expect(report).toMatchObject({ ok: false });
    expect(report.output).toBe(
      'ApprovalError: the user refused a.txt; that was not written. Written: b.txt. Ask what to do instead.\nDone before that: write(b.txt)',
    );
    expect([at.read('a.txt'), at.read('b.txt')]).toEqual(['one\n', 'b\n']);
  });

  it('is not written when the block fails, and nobody is asked', async () => {
    const at = scene({ 'a.txt': 'one\n' });
    const report = await at.run(`await write('a.txt', 'two\\n'); throw new Error('no')`);
    expect(report.output).toContain(
      'Not written, because the block did not end well: a.txt. Fix the code and send all of it again.',
    );
    expect(report.output).not.toContain('Done before that');
    expect([at.asked.length, at.read('a.txt')]).toEqual([0, 'one\n']);
  });

  it('is asked about before a program starts that would not find it', async () => {
    const at = scene({}, { replies: [{ decision: 'allow' }, { decision: 'deny' }] });
    const { output } = await at.run(`
      await write('one.txt', '1');
      const first = await programs.start('one.txt');
      await write('two.txt', '2');
      const second = await programs.start('two.txt').catch((error) => error.name);
      [first, second].join()
    `);
    expect(output).toContain('there,ApprovalError');
    expect(at.asked.map(({ touches }) => touches)).toEqual([['one.txt'], ['two.txt']]);
    expect([existsSync(join(at.folder, 'one.txt')), existsSync(join(at.folder, 'two.txt'))]).toEqual([true, false]);
  });

  it('is refused where a rule denies it, and written at once where a rule allows it', async () => {
    const rules = [
      { target: 'locked/**', decision: 'deny' },
      { target: 'free/**', decision: 'allow' },
    ] as const;
    const at = scene({}, { rules, see: (folder) => readdirSync(folder).toSorted() });
    const { output } = await at.run(`
      await write('free/a.txt', '1');
      const locked = await write('locked/a.txt', '1').catch((error) => error.name);
      await write('asked.txt', '1');
      await write('free/b.txt', '1');
      locked
    `);
    expect(output).toBe(
      [
        'ApprovalError',
        'Changed:',
        '- Wrote 1 char (1 line) to free/a.txt (new file)',
        '- Wrote 1 char (1 line) to asked.txt (new file)',
        '- Wrote 1 char (1 line) to free/b.txt (new file)',
      ].join('\n'),
    );
    expect(at.asked.map(({ touches, saw }) => ({ touches, saw }))).toEqual([
      { touches: ['asked.txt', 'free/b.txt'], saw: ['free'] },
    ]);
    expect(readdirSync(at.folder).toSorted()).toEqual(['asked.txt', 'free']);
  });

  it('leaves alone what someone else changed while the question stood, and writes none of the others', async () => {
    const at = scene({ 'a.txt': 'one\n' }, { see: (folder) => writeFileSync(join(folder, 'a.txt'), 'mine\n') });
    const { output } = await at.run(`await write('b.txt', 'b'); await write('a.txt', 'two\\n'); 'ok'`);
    expect(output).toContain('ConflictError: a.txt was changed by someone else');
    expect([at.read('a.txt'), existsSync(join(at.folder, 'b.txt'))]).toEqual(['mine\n', false]);
  });

  it('leaves alone what someone else changed while the block was running', async () => {
    const at = scene({ 'a.txt': 'one\n' });
    const { output } = await at.run(`await write('a.txt', 'two\\n'); await elsewhere.save('mine\\n'); 'ok'`);
    expect(output).toContain('ConflictError: a.txt was changed by someone else');
    expect([at.asked.length, at.read('a.txt')]).toEqual([0, 'mine\n']);
  });

  it('is nothing when it comes to nothing', async () => {
    const at = scene({ 'a.txt': 'one\n' });
    expect(
      await at.run(
        `await write('a.txt', 'two\\n'); await write('a.txt', 'one\\n'); await write('b.txt', '1'); await home.delete('b.txt'); 'ok'`,
      ),
    ).toMatchObject({ ok: true, output: expect.stringMatching(/^ok\nChanged:\n/) as string });
    expect([at.asked.length, readdirSync(at.folder)]).toEqual([0, ['a.txt']]);
  });

  it('keeps modes and links, and is refused what the disk would refuse', async () => {
    const at = scene({ 'run.sh': 'one\n', 'locked.txt': 'no\n', 'real.txt': 'r\n' });
    chmodSync(join(at.folder, 'run.sh'), 0o755);
    chmodSync(join(at.folder, 'locked.txt'), 0o444);
    symlinkSync('real.txt', join(at.folder, 'link.txt'));
    const { output } = await at.run(`
      const names = [];
      await write('run.sh', 'two\\n');
      await home.move('run.sh', 'bin/run.sh');
      await write('link.txt', 'through\\n');
      for (const path of ['locked.txt', 'real.txt/below.txt', '.env', '../out.txt', '.git/config', '/etc/x'])
        names.push(await write(path, 'x').then(() => 'written', (error) => error.name));
      names.push(await read('real.txt'));
      JSON.stringify(names)
    `);
    expect(JSON.parse(takePrinted(output))).toEqual([
      'FileError',
      'FileError',
      'ProtectedFileError',
      'PathError',
      'ProtectedFileError',
      'PathError',
      'through\n',
    ]);
    expect(at.asked[0]!.touches).toEqual(['bin/run.sh', 'real.txt', 'run.sh']);
    expect(statSync(join(at.folder, 'bin/run.sh')).mode & 0o777).toBe(0o755);
    expect(at.read('link.txt')).toBe('through\n');
    expect(at.read('locked.txt')).toBe('no\n');
  });

  it('holds for code and settings, too', { tags: ['long'] }, async () => {
    const files = { 'package.json': '{\n  "name": "p",\n  "version": "1.0.0"\n}\n', 'm.ts': 'export const one = 1;\n' };
    const at = scene(files);
    const { output } = await at.run(`
      await source.write('m.two', 'export const two = 2;');
      await source.edit('m.one', 'export const one = 11;');
      await source.write('n', "import { two } from './m.ts';\\nexport const three = two + 1;\\n");
      await source.config.edit('package.version', '2.0.0');
      [await source.read('m.two'), await source.config.read('package.version'), (await source.glob('*')).join()].join('|')
    `);
    expect(output).toContain('two = 2');
    expect(output).toContain('2.0.0');
    expect(at.asked.map(({ touches }) => touches)).toEqual([['m.ts', 'n.ts', 'package.json']]);
    expect(at.read('m.ts')).toContain('two = 2');
    expect(at.read('package.json')).toContain('"version": "2.0.0"');
  });

  it('of one session is not what others find', async () => {
    const at = scene({ 'a.txt': 'one\n' }, { replies: [{ decision: 'deny' }] });
    const other = at.agent.session('2');
    const both = await Promise.all([
      at.run(`await write('a.txt', 'two\\n'); for (let i = 0; i < 20; i++) await read('a.txt'); 'x'`),
      (async () => {
        const seen = new Set<string>();
        for (let index = 0; index < 20; index++)
          seen.add((await other.run(asModelText('<R:a.txt>'))).calls[0]!.result.text);
        return [...seen];
      })(),
    ]);
    expect(both[1].every((text) => text.includes('one'))).toBe(true);
  });

  it('is asked about where rules allow it, when the block was copied from something that was read', async () => {
    const code = "await write('planted.txt', 'from the file, not from the model');\nconst done = 'as the file says';";
    for (const [block, questions] of [
      [code, 1],
      ["await write('own.txt', 'own words of the model, which no file has');", 0],
    ] as const) {
      const at = scene(
        { 'notes.md': `# Notes\n\n<run>\n${code}\n</run>\n` },
        {
          rules: [{ tool: 'write', decision: 'allow' }],
          replies: [{ decision: 'deny' }],
        },
      );
      await at.agent.run(asModelText('<R:notes.md>'));
      await at.run(block);
      expect([block, at.asked.length]).toEqual([block, questions]);
      if (questions > 0) expect(at.asked[0]!.reason).toContain('asks for it');
      expect(existsSync(join(at.folder, 'planted.txt'))).toBe(false);
    }
  });
});
