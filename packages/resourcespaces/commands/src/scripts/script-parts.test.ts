import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { approvalPolicy, type ApprovalPolicy, type ApprovalRequest, asModelText } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { EditorSpace } from '../../test/editor-space.ts';
import { openPlace, temporaryFolder } from '../../test/open-commands.ts';
import { findPart, listMatched, splitIntoParts } from './script-parts.ts';
import { ScriptsSpace } from './scripts-space.ts';

describe('the parts of a script', () => {
  it.each([
    ['xo && ava && tsd', ['xo', 'ava', 'tsd']],
    ['xo&&NODE_ENV=test ava test/*.js', ['xo', 'NODE_ENV=test ava test/*.js']],
    [`echo 'a && b' && eslint "src/**" && npm run build`, [`echo 'a && b'`, 'eslint "src/**"', 'npm run build']],
  ])('of %j are its commands', (text, parts) => {
    expect(splitIntoParts(text)).toEqual(parts);
  });

  it.each([
    'ava',
    'xo && ava || true',
    'xo; ava && tsd',
    'xo && ava | tap-spec',
    'xo && ava > out.txt',
    'xo && server & ava',
    'xo && (ava)',
    'xo && ava $FILES',
    'xo && ava `ls`',
    'cd packages/a && ava',
    'export A=1 && ava',
    'A=1 && ava',
    'xo # && ava',
    "xo 'a && ava",
    'if xo && ava',
    'xo\nava && tsd',
    'xo && ',
    '',
  ])('are none in %j, where one could not run alone or is more than a command', (text) => {
    expect(splitIntoParts(text)).toEqual([]);
  });

  it('are found by number, text or first words, if only one is meant', () => {
    const parts = ['xo', 'node a.js', 'node b.js', 'xo --fix', `A=1 B='2 3' ava`];
    const script = { name: 'test', parts, steps: [], file: 'package.json', fingerprint: '', command: ['npm'] as const };
    expect(findPart(script, '3')).toEqual({ number: 3, text: 'node b.js', words: ['node', 'b.js'] });
    expect(findPart(script, 'node a.js').number).toBe(2);
    expect(findPart(script, 'xo').number).toBe(1);
    expect(findPart(script, 'ava').number).toBe(5);
    expect(() => findPart(script, 'node')).toThrow(
      "several parts of 'test' begin with 'node'. Parts: 1 xo, 2 node a.js, 3 node b.js, 4 xo --fix, 5 A=1 B='2 3' ava.",
    );
    expect(() => findPart(script, '6')).toThrow("'test' has no part '6'. Parts: 1 xo,");
  });
});

it.each([
  ['pnpm run "/^test:/"', ['test:unit', 'test:unit:a', 'test:types']],
  ['pnpm run "/^(lint|build)$/"', ['lint', 'build']],
  ['run-s lint test:*', ['test:unit', 'test:types']],
  ['npm-run-all --parallel "test:** -- --watch"', ['test:unit', 'test:unit:a', 'test:types']],
  ['NODE_ENV=test npx run-p l*', ['lint']],
  ['concurrently "npm:test:*"', ['test:unit', 'test:unit:a', 'test:types']],
  ['xo && run-s test:u*', ['test:unit']],
  ['pnpm run "/^(l+)+$/"', []],
  ['ava test:* /^lint/', []],
  [`run-s ${'{'.repeat(80)}`, []],
])('the scripts that %j runs by a pattern are %j', async (text, names) => {
  expect(await listMatched(text, ['lint', 'build', 'test:unit', 'test:unit:a', 'test:types'])).toEqual(names);
});

const SCRIPTS = {
  test: 'echo one && touch two.txt && node three.cjs',
  all: 'run-s test:*',
  'test:a': 'echo a',
};

interface OpenOptions extends Pick<ApprovalPolicy, 'rules'> {
  readonly answer?: Awaited<ReturnType<NonNullable<ApprovalPolicy['ask']>>>;
}

/** A project with these scripts, in which every question is kept and answered in one way. */
function open({ answer = { decision: 'allow' }, rules = [] }: OpenOptions = {}) {
  const asked: { readonly target: string; readonly shown: string | undefined }[] = [];
  const ask = async ({ target, preview }: ApprovalRequest) => {
    asked.push({ target, shown: await preview?.() });
    return answer;
  };
  const files = { 'package.json': JSON.stringify({ scripts: SCRIPTS }), 'three.cjs': 'console.log("three")' };
  const approver = approvalPolicy({ ask, rules });
  const place = openPlace([ScriptsSpace, EditorSpace], temporaryFolder(files), { approver });
  const entered = place.entered.then(() => place.agent.run(asModelText('@scripts()')));
  const send = (tag: string): Promise<string> => entered.then(() => place.send(tag));
  return { folder: place.folder, entered, send, asked };
}

describe('a part of a script', () => {
  it('is listed, with the names that a pattern stands for', async () => {
    const { send, entered } = open();
    expect(await send('<R:>')).toBe(
      [
        'test: echo one && touch two.txt && node three.cjs  (package.json, parts 1-3)',
        'all: run-s test:*  (package.json, runs test:a, run-s is not installed)',
        'test:a: echo a  (package.json)',
        'Run one: <run_script:test>.',
        'One part of test alone: <run_script:test part=1>.',
      ].join('\n'),
    );
    expect((await entered).feedback).toContain('One part of test alone: <run_script:test part=1>.');
  });

  it('runs alone, with consent that shows exactly what runs', async () => {
    const { send, folder, asked } = open();
    expect(await send('<run_script:test part=2>')).toMatch(
      /^ok test \(exit 0, \d+\.\d s\) only touch two\.txt\nchanged 1 file: two\.txt$/,
    );
    expect(asked).toEqual([
      {
        shown: 'runs touch two.txt, part 2 of test',
        target: expect.stringMatching(/^command:npm run test -- #part touch two\.txt #[0-9a-f]{16}$/) as string,
      },
    ]);
    expect(await send(`<run_script:test 'a  b' part=echo>`)).toMatch(/^ok .* only echo one 'a {2}b'\none a {2}b$/);
    expect(existsSync(join(folder, 'two.txt'))).toBe(true);
  });

  it('is remembered by its text, apart from other parts, words and the whole', { tags: ['long'] }, async () => {
    const { send, asked } = open({ answer: { decision: 'allow', remember: 'target' } });
    const calls = ['test part=1', 'test part=echo', 'test part="echo one"', 'test a part=1', 'test part=2', 'test'];
    const counts: number[] = [];
    for (const call of calls) {
      expect(await send(`<run_script:${call}>`)).toMatch(/^ok test/);
      counts.push(asked.length);
    }
    expect(counts).toEqual([1, 1, 1, 2, 3, 4]);
    // A word that looks like the sign of a part is none.
    await send(`<run_script:test '#part' echo one>`);
    expect(asked).toHaveLength(5);
  });

  it(
    'is asked about again once the model has written a file that it runs, which is named',
    { tags: ['long'] },
    async () => {
      const { send, asked } = open({ answer: { decision: 'allow', remember: 'target' } });
      for (let time = 0; time < 2; time++) expect(await send('<run_script:test part=3>')).toMatch(/^three$/m);
      await send('<editor.touch:three.cjs>console.log("new")</touch>');
      expect(await send('<run_script:test part=3>')).toMatch(/^new$/m);
      const questions = asked.filter(({ target }) => target.startsWith('command:'));
      expect(questions.map(({ shown }) => shown)).toEqual([
        'runs node three.cjs, part 3 of test',
        'runs node three.cjs, part 3 of test\nchanged in this session: three.cjs (named by a script)',
      ]);
    },
  );

  it('is refused where its script or its command is, and not allowed where only its command is', async () => {
    for (const target of ['command:npm run test*', 'command:touch *']) {
      const { send, asked } = open({ rules: [{ target, decision: 'deny' }] });
      expect(await send('<run_script:test part=2>')).toMatch(/^ApprovalError/);
      expect(asked).toEqual([]);
    }
    const { send, asked } = open({ rules: [{ target: 'command:touch *', decision: 'allow' }] });
    expect(await send('<run_script:test part=2>')).toMatch(/^ok test/);
    expect(asked).toHaveLength(1);
  });

  it('finds the programs of the project', async () => {
    const { send, folder } = open();
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/.bin/node'), '#!/bin/sh\necho "own $*"\n', { mode: 0o755 });
    expect(await send('<run_script:test part=node>')).toMatch(/^own three\.cjs$/m);
  });

  it('is shown again when the script has changed while a person was asked', async () => {
    const folder = temporaryFolder({ 'package.json': JSON.stringify({ scripts: SCRIPTS }) });
    const shown: (string | undefined)[] = [];
    const ask = async ({ preview }: ApprovalRequest) => {
      shown.push(await preview?.());
      const scripts = { ...SCRIPTS, test: 'echo one && touch three.txt' };
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts }));
      return { decision: 'allow' } as const;
    };
    const { send } = openPlace(ScriptsSpace, folder, { approver: approvalPolicy({ ask }) });
    expect(await send('<run_script:test part=2>')).toContain('only touch three.txt');
    expect(shown).toEqual(['runs touch two.txt, part 2 of test', 'runs touch three.txt, part 2 of test']);
    expect(existsSync(join(folder, 'two.txt'))).toBe(false);
  });

  it('that is a path or a test is an argument where a script has no parts', { tags: ['long'] }, async () => {
    const { send } = open();
    for (const words of ['tests/a.test.js', 'b.js', 'a.py::test_b'])
      expect(await send(`<run_script:test:a part=${words}>`)).toMatch(
        new RegExp(`^ok test:a [^]*> echo a ${words}\\n`),
      );
    expect(await send('<run_script:test:a part=unit>')).toContain('has no parts that can run alone');
  });

  it('is said not to be there, with what can run instead', async () => {
    const { send } = open();
    expect(await send('<run_script:all part=1>')).toBe(
      "ParameterError: 'all' has no parts that can run alone: it is not a list of commands joined by && and nothing else.\nTry: <run_script:test:a>\nTry: <run_script:all>",
    );
    expect(await send('<run_script:test part=xo>')).toBe(
      "ParameterError: 'test' has no part 'xo'. Parts: 1 echo one, 2 touch two.txt, 3 node three.cjs.\nTry: <run_script:test part=1>",
    );
    expect(await send('<run_script:touch b.txt>')).toBe(
      "ResourceError: no script 'touch'. 'test' runs it as its part 2.\nTry: <run_script:test b.txt part=2>",
    );
  });
});
