// @module-tag long

import { approvalPolicy } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';

const FILES = {
  'package.json': '{ "type": "module" }',
  'lib/index.js': "export { add } from './add.js';\n",
  'lib/add.js': 'export function add(a, b) {\n  return a + b;\n}\n',
  'lib/add.test.js': `import { test } from 'node:test';
import assert from 'node:assert';
import { add } from './add.js';
test('adds', () => assert.strictEqual(add(1, 2), 3));
`,
  'lib/none.test.js': 'export {};\n',
};
const WRONG = 'export function add(a, b) {\n  return a - b;\n}';

describe('an edit with a test', () => {
  it('stays when the test passes', async () => {
    const { send, content } = openSource(FILES);
    const result = await send(
      '<E:lib.add.add test=lib.add.test>\nexport function add(a, b) {\n  return b + a;\n}\n</E>',
    );
    expect(result.split('\n')[0]).toBe('Edited add in lib.add (3 lines)');
    expect(result.split('\n').at(-1)).toBe('lib.add.test: 1 passed');
    expect(content('lib/add.js')).toContain('b + a');
  });

  it('is taken back when the test fails, which is shown', async () => {
    const { send, edit, content } = openSource(FILES);
    await edit('lib.add.add', '/** Adds. */\nexport function add(a, b) {\n  return a + b;\n}');
    const before = content('lib/add.js');
    const result = await send(`<E:lib.add.add test=lib.add.test>\n${WRONG}\n</E>`);
    expect(result).toMatch(
      /^EditError: lib\.add\.test did not pass \(0 passed, 1 failed\), and the change was undone\.\nlib\.add\.test\n {2}FAIL adds\n/,
    );
    expect(result).toContain('-1 !== 3');
    expect(result).toMatch(/\nTry: <source\.tests\.R:lib\.add\.test>$/);
    expect(content('lib/add.js')).toBe(before);
    expect(await send('<undo:>')).toContain('Undid edit of lib.add');
    expect(content('lib/add.js')).toBe(FILES['lib/add.js']);
  });

  it('is taken back when no test ran, or there is none', async () => {
    const { send, content } = openSource(FILES);
    expect(await send(`<E:lib.add.add test=lib.nome.test>\n${WRONG}\n</E>`)).toBe(
      "ResourceError: no test module or test 'lib.nome.test'. There are 2.\nTry: <source.tests.R:lib.none.test>",
    );
    expect(content('lib/add.js')).toBe(FILES['lib/add.js']);
    expect(await send(`<E:lib.add.add test=lib.none.test>\n${WRONG}\n</E>`)).toBe(
      'EditError: lib.none.test ran no test, and the change was undone.\nTry: <source.tests.R:lib.none.test>',
    );
    expect(content('lib/add.js')).toBe(FILES['lib/add.js']);
  });

  it('can go on from what was taken back', async () => {
    const { send, edit } = openSource(FILES);
    await send('<R:lib.add>');
    await send(`<E:lib.add.add test=lib.add.test>\n${WRONG}\n</E>`);
    expect(await edit('lib.add.add', WRONG)).toContain('Edited add in lib.add');
  });
});

describe('a write with a test', () => {
  it('may be the test, and all that it wrote is taken back', async () => {
    const { send, content } = openSource(FILES);
    const test = "import { test } from 'node:test';\ntest('fails', () => {\n  throw new Error('no');\n});";
    expect(await send(`<W:lib.new.test test=lib.new.test>\n${test}\n</W>`)).toContain('FAIL fails\n');
    expect(() => content('lib/new.test.js')).toThrow();
    const broken = `<W:lib.more export=true test=lib.add.test>\nthrow new Error('loaded');\nexport const more = 1;\n</W>`;
    expect(await send(broken)).toContain('lib.add.test: 1 passed');
    expect(content('lib/index.js')).toContain('more');
  });
});

describe('consent to running tests', () => {
  it('is asked for before anything is changed', async () => {
    const { send, content } = openSource(FILES, {
      approve: async ({ reason }) =>
        reason === undefined ? { allow: true } : { allow: false, reason: `no: ${reason}` },
    });
    expect(await send(`<E:lib.add.add test=lib.add.test>\n${WRONG}\n</E>`)).toContain(
      'no: it runs the tests lib.add.test',
    );
    expect(content('lib/add.js')).toBe(FILES['lib/add.js']);
  });

  it('is not needed for the change itself: without an answer, the tests are not run, and that is said once', async () => {
    const policy = approvalPolicy({
      ask: async ({ reason }) => (reason === undefined ? { decision: 'allow' } : undefined),
      remedy: () => 'Ask Ann.',
    });
    const { send, content } = openSource(FILES, policy);
    expect(await send(`<E:lib.add.add test=lib.add.test>\n${WRONG}\n</E>`)).toMatch(
      /\nlib\.add\.test was not run: no one is available to approve it\. Ask Ann\.$/,
    );
    expect(content('lib/add.js')).not.toBe(FILES['lib/add.js']);
  });
});
