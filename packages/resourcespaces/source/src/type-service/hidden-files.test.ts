// @module-tag long

import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allowAll, approvalPolicy } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';

const TYPESCRIPT_5 = dirname(fileURLToPath(import.meta.resolve('typescript-5/package.json')));

const SETTINGS = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    module: 'preserve',
    resolveJsonModule: true,
    allowJs: true,
    checkJs: true,
    types: [],
    skipLibCheck: true,
  },
};
const FILES = {
  'package.json': '{ "type": "module" }',
  'tsconfig.json': JSON.stringify(SETTINGS),
  'secrets.json': '{ "quokka": "hush-1", "other": 2 }\n',
  'private/keys.ts': "export const quokka = 'hush-2';\nexport interface Kind { readonly quokka: 1 }\n",
  'private/old.js': "export const quokka = 'hush-3';\n",
  'a.ts':
    "import all from './secrets.json';\nexport const a: number = { ...all };\nexport const token: number = all.quok;\n",
  'b.ts': "import * as all from './private/keys';\nexport const b: number = { ...all };\nall.quok;\n",
  'c.ts': "import * as all from './private/old.js';\nexport const c: number = { ...all };\n",
  'd.ts': "import * as all from './linked.json';\nexport const d: number = { ...all };\n",
  'f.ts': "import * as all from './folder/keys';\nexport const f: number = { ...all };\n",
  'e.ts': "export const e: typeof import('./secrets.json') = 5;\nexport const wrong: number = '';\n",
};
const denies = approvalPolicy({
  rules: [{ effect: 'read', target: 'private', decision: 'deny' }, { decision: 'allow' }],
});

/** Opens the project, with a compiler of its own if wanted. */
function open(isOwn: boolean, approver = denies) {
  const opened = openSource(FILES, approver);
  symlinkSync('secrets.json', join(opened.folder, 'linked.json'));
  symlinkSync('private', join(opened.folder, 'folder'));
  if (isOwn) {
    const place = join(opened.folder, 'node_modules/typescript');
    mkdirSync(dirname(place), { recursive: true });
    cpSync(TYPESCRIPT_5, place, { recursive: true, dereference: true });
  }
  return opened;
}

describe.each([
  ['the compiler of this package', false],
  ["the project's own compiler", true],
])('%s', (_, isOwn) => {
  it('names nothing of a file that may hold passwords, or that a rule names', async () => {
    const { sendAll } = open(isOwn);
    const calls = [
      '<diagnostics:>',
      ...['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `<diagnostics:${name}>`),
      '<diagnostics:private.keys>',
      '<W:new>\nimport all from "./secrets.json";\nexport const x: number = { ...all };\n</W>',
      '<references:a.a>',
      '<rename:a.token to=pass>',
      '<R:private.keys>',
    ];
    const texts = await sendAll(calls.join('\n'));
    expect(texts).toHaveLength(calls.length);
    expect(texts.join('\n')).not.toMatch(/quokka|hush|other/);
    expect(texts[0]).not.toMatch(/TS1203|private/);
    // Everything else is checked as before.
    expect(texts[0]).toContain("TS2322: Type 'string' is not assignable to type 'number'.");
  }, 60_000);

  it('names nothing of a file that settings extend', async () => {
    const { send, change } = open(isOwn);
    change('tsconfig.json', JSON.stringify({ ...SETTINGS, extends: './secrets.json' }));
    change('secrets.json', '{ "compilerOptions": { "quokka": 1, "target": "hush" } }');
    expect(await send('<diagnostics:>')).not.toMatch(/quokka|hush/);
  }, 60_000);

  it('invents no errors about what it does not see', async () => {
    const { send } = open(isOwn);
    for (const name of ['a', 'b', 'c'])
      expect(await send(`<diagnostics:${name}>`)).toMatch(/^no type errors in \w \(1 module checked/);
  }, 60_000);
});

it('leaves out a test that may not be read, and shows the others', async () => {
  const test = (name: string) => `import test from 'node:test';\ntest('${name}', () => {});\n`;
  const files = { 'package.json': '{}', 'private/a.test.ts': test('quokka'), 'b.test.ts': test('open') };
  const { send } = openSource(files, denies);
  expect(await send('<source.tests.R:>')).toMatch(/b\.test 1 test/);
  expect(await send('<source.tests.R:private/a.test.ts>')).toContain('is named by a rule about reading');
});

it('names what is in other files', async () => {
  const { send } = open(false, allowAll);
  expect(await send('<diagnostics:b>')).toContain('quokka');
});
