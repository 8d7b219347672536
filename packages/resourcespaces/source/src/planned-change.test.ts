// @module-tag long

import { unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { approvalPolicy, type ApprovalPolicy, type Approver } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { openSource } from '../test/open-source.ts';
import { TSCONFIG } from '../test/temporary-project.ts';

const FILES = {
  'package.json': '{\n  "name": "shop"\n}\n',
  'tsconfig.json': TSCONFIG,
  'src/a.ts': 'export const a = 1;\n',
  'src/b.ts': "import { a } from './a.ts';\nexport const b = a;\n",
  'src/index.ts': "export { a } from './a.ts';\n",
};

/** A project whose person allows every change, after `meanwhile` has happened once. */
function changedWhileAsked(
  meanwhile: (folder: string) => void = () => undefined,
  rules: NonNullable<ApprovalPolicy['rules']> = [],
) {
  const shown: string[] = [];
  const touched: (readonly string[] | undefined)[] = [];
  const ask: ApprovalPolicy['ask'] = async ({ preview, touches }) => {
    touched.push(touches);
    const text = (await preview?.()) ?? '';
    if (shown.push((text.match(/^(?:[-+](?![-+]).*|[^-+@ ].*)$/gm) ?? []).join('\n')) === 1) meanwhile(opened.folder);
    return { decision: 'allow' };
  };
  const opened = openSource(FILES, approvalPolicy({ ask, rules }));
  return { ...opened, shown, touched };
}

const CALLS = [
  ['<E:a.a>\nexport const a = 2;\n</E>', '-export const a = 1;\n+export const a = 2;', ['src/a.ts']],
  [
    '<W:c export=true>\nexport const c = 1;\n</W>',
    "+export const c = 1;\n+export { c } from './c.ts';",
    ['src/c.ts', 'src/index.ts'],
  ],
  ['<rename:b.b to=bee>', '-export const b = a;\n+export const bee = a;', ['src/b.ts']],
  ['<source.config.E:package.name>store</source.config.E>', '-  "name": "shop"\n+  "name": "store"', ['package.json']],
] as const;

describe('a change of code', () => {
  it.each(CALLS)('makes what it has shown, to the files it has named: %s', async (call, preview, touches) => {
    const { send, content, shown, touched } = changedWhileAsked();
    expect(await send(call)).not.toContain('Error');
    expect([shown, touched]).toEqual([[preview], [touches]]);
    const added = preview.split('\n').filter((line) => line.startsWith('+'));
    const now = touches.map(content).join('');
    expect(added.every((line) => now.includes(line.slice(1)))).toBe(true);
  });

  it.each(CALLS.map(([call, , touches]) => [call, touches.at(-1)!]))(
    'is planned and shown again when a file changed while the person was asked: %s',
    async (call, path) => {
      const { send, content, shown } = changedWhileAsked((folder) => {
        const space = path.endsWith('.json') ? ' ' : '// of the person\n';
        writeFileSync(join(folder, path), `${space}${FILES[path as keyof typeof FILES]}`);
      });
      expect(await send(call)).not.toContain('Error');
      expect(content(path)).toMatch(path.endsWith('.json') ? /^ \{/ : /^\/\/ of the person\n/);
      expect(shown).toHaveLength(2);
    },
  );

  it('asks again when the new plan shows something else', async () => {
    const { send, content, shown } = changedWhileAsked((folder) =>
      writeFileSync(join(folder, 'src/a.ts'), 'export const a = 7;\n'),
    );
    expect(await send('<E:a.a>\nexport const a = 2;\n</E>')).toContain('Edited a in a');
    expect(shown.map((text) => text.split('\n')[0])).toEqual(['-export const a = 1;', '-export const a = 7;']);
    expect(content('src/a.ts')).toBe('export const a = 2;\n');
  });

  it('fails with the error of the new plan', async () => {
    const { send, content } = changedWhileAsked((folder) => writeFileSync(join(folder, 'src/c.ts'), '// mine\n'));
    expect(await send('<W:c>\nexport const c = 1;\n</W>')).toContain('c exists (1 line). Use edit, or overwrite=true.');
    expect(content('src/c.ts')).toBe('// mine\n');
    const gone = changedWhileAsked((folder) => unlinkSync(join(folder, 'src/a.ts')));
    expect(await gone.send('<E:a.a>\nexport const a = 2;\n</E>')).toContain("no module or symbol 'a.a'");
  });

  it('is refused when the session had read the module, which changed while the person was asked', async () => {
    const { send, content } = changedWhileAsked((folder) => writeFileSync(join(folder, 'src/a.ts'), '// mine\n'));
    await send('<R:a.a>');
    expect(await send('<rename:b.b to=bee>')).toContain('Renamed b');
    expect(content('src/a.ts')).toBe('// mine\n');
    expect(await send('<E:a.a>\nexport const a = 2;\n</E>')).toContain('ConflictError: a changed since you read it');
  });

  it('is undone as it was shown, or planned again', async () => {
    const { send, content, shown } = changedWhileAsked();
    await send('<E:a.a>\nexport const a = 2;\n</E>');
    expect(await send('<undo:>')).toBe('Undid edit of a (1 line)');
    expect(shown.at(-1)).toBe('-export const a = 2;\n+export const a = 1;');
    expect(content('src/a.ts')).toBe(FILES['src/a.ts']);
  });
});

it('consent to tests and to dependencies is requested with what would run', async () => {
  const shown: (string | undefined)[] = [];
  const approver: Approver = {
    async approve({ preview }) {
      shown.push(await preview?.());
      return { allow: false, reason: 'not today' };
    },
  };
  const { send } = openSource(
    { ...FILES, 'src/a.test.ts': '', '.npmrc': 'git=./evil.sh\nsave-exact=true\n' },
    approver,
  );
  await send('<source.tests.test:></source.tests.test>');
  await send('<source.deps.W:zod dev=true></source.deps.W>');
  const install = 'npm install --ignore-scripts --no-audit --no-fund --save-dev zod\n  .npmrc: git=./evil.sh';
  expect(shown).toEqual(['runs a.test', install]);
});

describe('rules that deny', () => {
  it('are compared before anything is planned, so that an error reveals nothing of the file', async () => {
    const { send } = changedWhileAsked(undefined, [{ target: 'src/a.ts', decision: 'deny' }]);
    expect(await send('<W:a>\nexport const a = 2;\n</W>')).toContain('a rule denies it');
    expect(await send('<E:a.a>\n(\n</E>')).toContain('a rule denies it');
  });

  it('hold for every file that a change touches', async () => {
    const { send, content } = changedWhileAsked(undefined, [{ target: 'src/index.ts', decision: 'deny' }]);
    expect(await send('<W:c export=true>\nexport const c = 1;\n</W>')).toContain('a rule denies it');
    expect(() => content('src/c.ts')).toThrow();
    const settings = changedWhileAsked(undefined, [{ target: 'package.json', decision: 'deny' }]);
    expect(await settings.send('<source.config.E:package.name>store</source.config.E>')).toContain('a rule denies it');
    expect(await settings.send('<source.deps.W:zod></source.deps.W>')).toContain('a rule denies it');
  });
});
