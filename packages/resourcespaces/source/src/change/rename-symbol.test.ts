// @module-tag long

import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { approvalPolicy, type ApprovalRequest } from '@bae/core';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSource } from '../../test/open-source.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { toolContext } from '../../test/tool-context.ts';
import { TSCONFIG } from '../../test/temporary-project.ts';
import { CodeBase, ModuleIndex } from '../modules/module-index.ts';
import { ModuleFiles } from '../type-service/module-files.ts';
import type { TypeQuery } from '../type-service/compiler-session.ts';
import { TypeService } from '../type-service/type-service.ts';
import { planRename } from './rename-symbol.ts';

const FILES = {
  'package.json': '{ "type": "module", "workspaces": ["packages/*"] }',
  'packages/core/package.json': '{ "name": "core", "type": "module" }',
  'packages/core/tsconfig.json': TSCONFIG,
  'packages/core/src/index.ts': "export { Box } from './box.ts';\n",
  'packages/core/src/box.ts': '/** A Box. */\r\nexport class Box {\r\n  size = 1;\r\n}\r\n',
  'packages/app/package.json': '{ "name": "app", "type": "module" }',
  'packages/app/tsconfig.json': TSCONFIG,
  'packages/app/src/main.ts':
    "import { Box } from '../../core/src/index.ts';\nexport const o = { Box, size: new Box().size };\n",
};
const GUIDE = { 'docs/guide.md': '# Boxes\nA Box holds things.\n' };
const PATHS = ['packages/app/src/main.ts', 'packages/core/src/box.ts', 'packages/core/src/index.ts'] as const;
const RENAMED = `Renamed Box in core.box to Crate: 5 places in 3 modules
  app.main (3)
  core.box (1)
  core (1)
Box still occurs in 3 lines, not changed: 1 in code (something else with this name, or a use whose type is unknown), 1 in comments, 1 in documents
  app.main:2: export const o = { Box: Crate, size: new Crate().size };  <E:app.main old="export const o = { Box: Crate, size: new Crate().size };" new="export const o = { Crate: Crate, size: new Crate().size };">
  core.box:1: /** A Box. */  <E:core.box old="/** A Box. */" new="/** A Crate. */">
  docs/guide.md:2: A Box holds things.  <home.R:docs/guide.md:2>
Undo it with <undo:>
no new type errors with TypeScript 7.0.2`;

describe('renaming a symbol', () => {
  it("says what the project's own compiler says to it, and where there is none to ask", async () => {
    const { folder, send } = openSource(FILES);
    mkdirSync(join(folder, 'node_modules'));
    const installed = dirname(fileURLToPath(import.meta.resolve('typescript-5/package.json')));
    symlinkSync(installed, join(folder, 'node_modules/typescript'));
    expect(await send('<rename:core.box.Box to=Crate>')).toMatch(/\nno new type errors with TypeScript 5\.9\.3$/);
    const plain = openSource({ 'a.js': 'export function one() {}\none();\n' });
    expect(await plain.send('<rename:a.one to=two>')).toMatch(
      /\ntypes were not checked: no tsconfig includes this module$/,
    );
  });

  it('changes every module that names it, in all packages', async () => {
    const { send, content } = openSource({ ...FILES, ...GUIDE });
    expect(await send('<rename:core.box.Box to=Crate>')).toBe(RENAMED);
    expect(PATHS.map(content)).toEqual([
      "import { Crate } from '../../core/src/index.ts';\nexport const o = { Box: Crate, size: new Crate().size };\n",
      '/** A Box. */\r\nexport class Crate {\r\n  size = 1;\r\n}\r\n',
      "export { Crate } from './box.ts';\n",
    ]);
    expect(await send('<diagnostics:>')).toMatch(/^no type errors in the project/);
    expect(await send('<R:core.Crate>')).toContain('export class Crate');
  });

  it('can be undone as a whole', async () => {
    const { send, content } = openSource(FILES);
    await send('<rename:core.box.Box to=Crate>');
    await send('<undo:>');
    expect(PATHS.map(content)).toEqual(PATHS.map((path) => FILES[path]));
  });

  it('lists where the name still occurs', async () => {
    const { send } = openSource({
      ...FILES,
      'packages/app/src/other.ts': "import { Box } from 'not-installed';\nexport const boxes = [Box];\n",
    });
    expect((await send('<rename:core.box.Box to=Crate>')).split('\n')).toContain(
      'the name stands for something else, or cannot be resolved, in 1 other module: app.other',
    );
  });

  it('lists a name that may be a word of prose first where it is code, and offers to edit only that', async () => {
    const { send } = openSource({
      'package.json': '{"name":"demo"}',
      'src/fail.ts': 'export class Failure {}\n',
      'src/command.ts':
        "import { Failure } from './fail.js';\n/** Says why commands fail. */\n/** See `fail` and fail(code). */\nexport class Command {\n  fail() { return new Failure(); }\n}\n",
      'README.md': 'Commands fail.\nCall `program.fail()`.\n',
    });
    const [, ...rows] = (await send('<rename:Command.fail to=exit>')).split(/^fail still occurs in 4 lines.*\n/m);
    expect(rows.join('').split('\n').slice(0, 4)).toEqual([
      '  command:3: /** See `fail` and fail(code). */  <E:command old="/** See `fail` and fail(code). */" new="/** See `exit` and exit(code). */">',
      '  README.md:2: Call `program.fail()`.  <home.R:README.md:2>',
      '  command:2: /** Says why commands fail. */  <R:command:2>',
      '  README.md:1: Commands fail.  <home.R:README.md:1>',
    ]);
  });

  it('tells code from strings and comments, also where a string has the signs of one', async () => {
    const { send } = openSource({
      'package.json': '{"name":"demo","type":"module"}',
      'tsconfig.json': TSCONFIG,
      'src/box.ts': `export const deepBox = 1;
const known: Record<string, number> = {};
export const a = known['deepBox'];
export const b = 'at // deepBox'; // a link
export const c = \`
  // deepBox
\`;
export const d = 'x'; // deepBox
/*
 * deepBox
 */
export const e = 'at //' + known.deepBox; // deepBox
`,
    });
    const result = await send('<rename:deepBox to=crate>');
    expect(result).toContain(
      'deepBox still occurs in 6 lines, not changed: 1 in code (something else with this name, or a use whose type is unknown), 3 in strings (text, or keys), 2 in comments\n  box:12: ',
    );
  });

  it('says how often the name still occurs, and where the rest of it is', async () => {
    const title = 'it would be a Box';
    const { send } = openSource({
      ...FILES,
      'docs/guide.md': `${'A Box is a Box.\n'.repeat(70)}Boxes are many.\n`,
      'packages/core/src/box.test.ts': `import { Box } from './box.ts';\nexport const a = new Box();\nconst t = '${title}';\n`,
    });
    const lines = (await send('<rename:core.box.Box to=Crate>')).split('\n');
    expect(lines).toContain(
      'Box still occurs in 73 lines, not changed: 1 in code (something else with this name, or a use whose type is unknown), 1 in strings (text, or keys), 1 in comments, 70 in documents',
    );
    expect(lines).toContain(String.raw`  … 63 more: <home.Grep:\bBox\b>`);
    expect(lines.join('\n')).toContain(`box.test:3: const t = '${title}';`);
  });

  it('changes a member, and finds it by the module that passes it on', async () => {
    const { send, content } = openSource(FILES);
    expect(await send('<rename:core.Box.size to=width>')).toContain('Renamed Box.size in core.box to width: 2 places');
    expect(content('packages/app/src/main.ts')).toContain('{ Box, size: new Box().width }');
  });

  it('goes on where an edit was made of what it changed', async () => {
    const { send, edit, sendAll } = openSource({ ...FILES, ...GUIDE });
    await send('<R:core.box>');
    const [renamed, edited] = await sendAll(
      '<rename:core.box.Box to=Crate>\n<E:core.box.Crate>\nexport class Crate {\n  size = 2;\n}\n</E>',
    );
    expect([renamed, edited?.split('\n')[0]]).toEqual([RENAMED, 'Edited Crate in core.box (3 lines)']);
    expect(await edit('core.box.Crate', 'export class Crate {\n  size = 3;\n}')).toContain('Edited Crate');
  });
});

describe('a renaming that is not made', () => {
  it.each([
    ['1x', "EditError: Box in core.box was not renamed: '1x' is not an identifier. Nothing was changed."],
    ['class', "EditError: Box in core.box was not renamed: 'class' is a reserved word. Nothing was changed."],
    ['Box', 'EditError: Box in core.box was not renamed: it is called Box already. Nothing was changed.'],
  ])('to %s gives the reason', async (to, result) => {
    const { send } = openSource(FILES);
    expect(await send(`<rename:core.box.Box to=${to}>`)).toBe(`${result}\nTry: <references:core.box.Box>`);
  });

  it('names the errors that it would bring, by module', async () => {
    const { send, content, change } = openSource(FILES);
    change(PATHS[0], `${FILES[PATHS[0]]}class Crate {}\nexport const c = new Crate();\n`);
    const result = await send('<rename:core.box.Box to=Crate>');
    expect(result).toContain('EditError: Box in core.box was not renamed; it would bring');
    expect(result).toContain("\n  app.main:1: TS2440: Import declaration conflicts with local declaration of 'Crate'.");
    expect(content(PATHS[1])).toBe(FILES[PATHS[1]]);
  });

  it('names the modules in which the new name means something else', async () => {
    const { send, content } = openSource({
      'tsconfig.json': TSCONFIG,
      'src/a.ts': 'export const a = 1;\nexport function f(b: number): number {\n  return a + b;\n}\n',
    });
    expect(await send('<rename:a.a to=b>')).toBe(
      'EditError: a in a was not renamed: b already means something else in a. Nothing was changed.\nTry: <references:a.a>',
    );
    expect(content('src/a.ts')).toContain('return a + b');
  });

  it('is about a symbol, in the project', async () => {
    const { send } = openSource(FILES);
    expect(await send('<rename:core.box to=Crate>')).toBe(
      "ResourceError: 'core.box' is a module (target: expected a symbol).\nUsage: rename(target: string, to: string)\nTry: <R:core.box>",
    );
    expect(await send('<rename:core.box.Bax to=Crate>')).toContain('Did you mean Box?');
    expect(await send('<rename:core.box.Box>')).toContain('rename needs to.\nTry: <rename:core.box.Box to="…">');
  });

  it('would change a module that changed since it was shown', async () => {
    const { send, change, content } = openSource(FILES);
    await send('<R:app.main>');
    change(PATHS[0], `// mine\n${FILES[PATHS[0]]}`);
    expect(await send('<rename:core.box.Box to=Crate>')).toBe(
      'ConflictError: app.main changed since you read it (line count 2 -> 3). Re-read before editing.\nTry: <R:app.main:1-3>',
    );
    expect(content(PATHS[1])).toBe(FILES[PATHS[1]]);
  });

  it('leaves nothing changed when one of the modules cannot be written', async () => {
    const { send, content, folder } = openSource(FILES);
    chmodSync(join(folder, PATHS[2]), 0o444);
    expect(await send('<rename:core.box.Box to=Crate>')).toMatch(/^FileError: .*index\.ts/);
    expect(PATHS.map(content)).toEqual(PATHS.map((path) => FILES[path]));
    expect(await send('<undo:>')).toBe('Nothing to undo: no change of this session is left.');
  });
});

describe('consent to a renaming', () => {
  it('is requested with the changes of all modules', async () => {
    const requests: ApprovalRequest[] = [];
    const previews: string[] = [];
    const { send, content } = openSource(FILES, {
      async approve(request) {
        requests.push(request);
        if (request.preview !== undefined) previews.push(await request.preview());
        return { allow: false, reason: 'not today' };
      },
    });
    expect(await send('<rename:core.box.Box to=Crate>')).toContain('not today');
    expect(requests[0]).toMatchObject({ tool: 'rename', effect: 'write' });
    expect(requests[0]?.touches).toEqual(PATHS);
    expect(previews[0]).toContain('--- packages/app/src/main.ts');
    expect(previews[0]).toContain("+export { Crate } from './box.ts';");
    expect(content(PATHS[1])).toBe(FILES[PATHS[1]]);
  });
});

describe('rules for a renaming', () => {
  it.each([
    ['packages/core/src/index.ts', false],
    ['packages/other/**', true],
  ])('deny it when they deny one of its modules: %s', async (target, isMade) => {
    const rules = [
      { target, decision: 'deny' },
      { tool: 'rename', decision: 'allow' },
    ] as const;
    const { send, content } = openSource(FILES, approvalPolicy({ rules }));
    expect((await send('<rename:core.box.Box to=Crate>')).startsWith('Renamed')).toBe(isMade);
    expect(content(PATHS[1]).includes('Crate')).toBe(isMade);
  });

  it.each([
    ['packages/core/**', false],
    ['packages/**', true],
  ])('allow it for all of its modules or not: %s', async (target, isMade) => {
    const { send } = openSource(FILES, approvalPolicy({ rules: [{ target, decision: 'allow' }] }));
    expect((await send('<rename:core.box.Box to=Crate>')).startsWith('Renamed')).toBe(isMade);
  });
});

const PAIR = {
  'tsconfig.json': TSCONFIG,
  'src/a.ts': 'export const a = 1;\n',
  'src/b.ts': "import { a } from './a.ts';\nexport const b = a;\n",
};

it('is not made when a module changes right after the compiler has returned', async () => {
  const folder = temporaryFolder(PAIR);
  const path = join(folder, 'src/b.ts');
  const mine = `// mine\n${PAIR['src/b.ts']}`;
  const root = new WorkspaceRoot(folder);
  const index = new ModuleIndex(root);
  class Overtaken extends TypeService {
    override async run<T>(query: (types: TypeQuery) => Promise<T>, signal?: AbortSignal): Promise<T> {
      const plan = await super.run(query, signal);
      writeFileSync(path, mine);
      return plan;
    }
  }
  const types = new Overtaken(new ModuleFiles(root, index));
  onTestFinished(() => types[Symbol.asyncDispose]());
  const renaming = { types, request: { target: 'a.a', to: 'one' }, context: toolContext('rename') };
  await expect(planRename(new CodeBase(root, index), renaming)).rejects.toThrow(
    'b changed while a was looked for. Nothing was changed.',
  );
  expect(readFileSync(path, 'utf8')).toBe(mine);
  expect(readFileSync(join(folder, 'src/a.ts'), 'utf8')).toBe(PAIR['src/a.ts']);
});
