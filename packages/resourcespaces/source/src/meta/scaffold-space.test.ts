import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { approvalPolicy, type Approver } from '@bae/core';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { openMeta } from '../../test/open-meta.ts';
import { openSource } from '../../test/open-source.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { CodeBase, ModuleIndex } from '../modules/module-index.ts';
import type { MetaHost } from '../provide-source.ts';
import { planScaffold } from './scaffold-space.ts';

const make = (name: string, options = '') => `<source.W:${name}${options}></source.W>`;
const FILES = ['package.json', 'src/weather-space.js'];
const BEFORE = ['lib/other.js', 'package.json', 'spaces/shop/shop.js'];

/** A project, and the files that it has. */
function open(files: Readonly<Record<string, string>> = {}, options: Parameters<typeof openMeta>[0] = {}) {
  const opened = openMeta(options);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(opened.folder, path)), { recursive: true });
    writeFileSync(join(opened.folder, path), text);
  }
  const list = () =>
    readdirSync(opened.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(opened.folder.length + 1))
      .toSorted();
  return { ...opened, list };
}

describe('a name without dots and content', () => {
  it('makes a resourcespace, and lists its files and what is left to do', async () => {
    const { send, content, list } = open();
    expect(await send(make('weather'))).toMatchInlineSnapshot(`
      "Created space weather: 2 files in spaces/weather
        src/weather-space.js -- the view
        package.json
      Not in use yet: that is up to the user, since no tool changes the settings of bae.
        1. trust weather
        2. start anew
      Go on with <source.R:spaces.weather.src.weather-space>
      Undo all of it with <source.undo:>"
    `);
    expect(list()).toEqual([...BEFORE, ...FILES.map((file) => `spaces/weather/${file}`)].toSorted());
    expect(content('spaces/weather/src/weather-space.js')).toBe("export const name = 'weather';\n");
  });

  it('names tags as they work where the call came from', async () => {
    const { send } = open();
    await send('@source()');
    const result = await send('<W:weather></W>');
    expect(result).toContain('\nGo on with <R:spaces.weather.src.weather-space>\nUndo all of it with <undo:>');
  });

  it('makes TypeScript where there is any', async () => {
    for (const path of ['lib/typed.ts', 'tsconfig.json']) {
      const { send, list } = open({ [path]: '' });
      await send(make('weather'));
      expect(list()).toContain('spaces/weather/src/weather-space.ts');
    }
  });

  it('is taken back whole, with its folders and nothing else', async () => {
    const { send, list, folder } = open();
    await send(make('weather'));
    expect(await send('<source.undo:>')).toBe(
      'Undid scaffold of spaces/weather/package.json (the new file is gone)\nUndid scaffold of spaces.weather.src.weather-space (the new file is gone)',
    );
    expect(list()).toEqual(BEFORE);
    expect(readdirSync(join(folder, 'spaces'))).toEqual(['shop']);
    expect(await send('<source.undo:>')).toContain('Nothing to undo');
  });

  it('is not taken back in part when one of its files was changed', async () => {
    const { send, change, list } = open();
    await send(make('weather'));
    change('spaces/weather/src/weather-space.js', 'mine');
    expect(await send('<source.undo:>')).toContain('ConflictError');
    expect(list()).toHaveLength(BEFORE.length + FILES.length);
  });
});

describe('a module', () => {
  it.each([
    ['<source.W:weather>\nexport const a = 1;\n</source.W>', 'Created module weather (1 line)', 'weather.js'],
    ['<source.W:lib.weather></source.W>', 'Created module lib.weather (0 lines)', 'lib/weather.js'],
  ])('is what %j makes', async (tag, result, path) => {
    const { send, list } = open();
    expect(await send(tag)).toBe(result);
    expect(list()).toEqual([...BEFORE, path].toSorted());
  });
});

describe('a resourcespace that there cannot be', () => {
  const MONOREPO = { 'package.json': '{"workspaces":["packages/*"]}', 'packages/weather/package.json': '{}' };

  const taken =
    'of this project, and no new resourcespace can have its name. Choose another one, or send the content of a module. Nothing was written.';
  const there =
    'spaces/weather already exists, and the new resourcespace weather would be made in spaces/weather. Choose another name, or let the user move what is there. Nothing was written.';
  const again = 'Try: <source.W:weather></W>';

  it.each([
    [
      {},
      make('Weather!'),
      `'Weather!' cannot be the name of a new resourcespace: it has small letters. Did you mean weather? Nothing was written.\n${again}`,
    ],
    [
      {},
      make('A'.repeat(300)),
      `'${'A'.repeat(60)}…' cannot be the name of a new resourcespace: it has small letters. Did you mean weather? Nothing was written.\n${again}`,
    ],
    [{}, make('lib'), `lib is a folder ${taken}\nTry: <source.R:lib>`],
    [{ 'weather.js': '' }, make('weather'), `weather is a module ${taken}\nTry: <source.R:weather>`],
    [MONOREPO, make('weather'), `weather is a package ${taken}\nTry: <source.R:weather>`],
    [{ 'spaces/weather/notes.txt': '' }, make('weather'), `${there}\nTry: <source.R:>`],
    [{ 'spaces/weather/src/old.js': '' }, make('weather'), `${there}\nTry: <source.R:spaces.weather>`],
    [
      {},
      make('weather', ' overwrite=true'),
      `overwrite is for modules, and weather without content is a new resourcespace. Leave it out, or send the module. Nothing was written.\n${again}`,
    ],
    [
      {},
      make('weather', ' export=true strict=true test=lib'),
      `export, strict, test are for modules, and weather without content is a new resourcespace. Leave them out, or send the module. Nothing was written.\n${again}`,
    ],
    [
      {},
      make('..'),
      "'..' leaves the project (target: expected a new module).\nUsage: write(target: string, overwrite: boolean = false, export: boolean = false, as?: module|member, strict: boolean = false, test?: string, content: string)\nTry: <source.R:>\nTry: <source.G:**>",
    ],
  ])('is refused, and nothing is written: %j %s', async (files, tag, result) => {
    const { send, list } = open(files);
    const before = list();
    expect(await send(tag)).toBe(`ResourceError: ${result}`);
    expect(list()).toEqual(before);
  });

  it('is refused without templates', async () => {
    const { write, sendAll } = openSource({ 'package.json': '{}' });
    expect(await write('weather', '')).toMatchInlineSnapshot(`
      "ResourceError: a name without content makes a resourcespace, and this agent has no templates for one: the command bae has them. Let the user run bae create space weather, or send the content of a module.
      Try: bae create space weather
      Try: <W:weather>content</W>"
    `);
    expect(await sendAll('<undo:>')).toEqual(['Nothing to undo: no change of this session is left.']);
  });
});

describe('consent to a resourcespace', () => {
  it('is requested with everything that would be written, and without it nothing is', async () => {
    const shown: string[] = [];
    const approver: Approver = {
      async approve({ preview }) {
        shown.push((await preview?.()) ?? '');
        return { allow: false, reason: 'not today' };
      },
    };
    const { send, list } = open({}, { approver });
    expect(await send(make('weather'))).toContain('not today');
    expect(list()).toEqual(BEFORE);
    expect(shown).toEqual([
      [
        "--- /dev/null\n+++ spaces/weather/src/weather-space.js\n@@ -0,0 +1 @@\n+export const name = 'weather';\n",
        '--- /dev/null\n+++ spaces/weather/package.json\n@@ -0,0 +1 @@\n+{ "name": "weather" }\n',
      ].join(''),
    ]);
  });

  it('is not requested for what cannot be', async () => {
    const approver: Approver = { approve: () => expect.unreachable() };
    expect(await open({}, { approver }).send(make('lib'))).toContain('lib is a folder of this project');
  });

  it('is given by no rule for some of its files, and refused by one for any', async () => {
    const all = { tool: 'write', decision: 'allow' } as const;
    for (const [given, created] of [
      [[all], true],
      [[{ ...all, target: 'spaces/weather/src/**' }], false],
      [[{ ...all, target: 'spaces/**' }], true],
      [[all, { target: '**/package.json', decision: 'deny' }], false],
    ] as const) {
      const { send, list } = open({}, { approver: approvalPolicy({ rules: given }) });
      expect((await send(make('weather'))).startsWith('Created')).toBe(created);
      expect(list().length > BEFORE.length).toBe(created);
    }
  });
});

/** Plans a space with one file. */
function plan(file: string, files: Readonly<Record<string, string>> = {}) {
  const root = new WorkspaceRoot(temporaryFolder(files));
  const made = new Map([[file, { text: '', about: '' }]]);
  const host: Partial<MetaHost> = {
    scaffold: async ({ name }) => ({ type: 'files', folder: `spaces/${name}`, files: made, steps: [] }),
  };
  const base = new CodeBase(root, new ModuleIndex(root));
  const request = { target: ' tea ', content: '\n', overwrite: false, export: false, strict: false };
  return planScaffold(base, request, host as MetaHost);
}

describe('planScaffold', () => {
  it('names the files as they are below the root', async () => {
    expect((await plan('src/tea.js')).touches).toEqual([{ path: 'spaces/tea/src/tea.js' }]);
  });

  it.each([
    ['.env', {}, 'spaces/tea/.env may hold passwords'],
    ['bae.config.json', {}, 'spaces/tea/bae.config.json belongs to bae'],
    ['a.js', { spaces: 'a file' }, 'spaces already exists, and the new resourcespace tea would be made in spaces/tea.'],
  ])('refuses %s beside %j before anybody is asked', async (file, files, problem) => {
    await expect(plan(file, files)).rejects.toThrow(problem);
  });
});
