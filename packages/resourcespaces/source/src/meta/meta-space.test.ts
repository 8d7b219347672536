import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Approver, ToolContext } from '@bae/core';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { readSpace, Reloader } from './meta-space.ts';
import { CodeBase, ModuleIndex } from '../modules/module-index.ts';
import type { MetaHost } from '../provide-source.ts';
import { openMeta, SHOP } from '../../test/open-meta.ts';
import { openSource } from '../../test/open-source.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { toolContext } from '../../test/tool-context.ts';

const FILE = 'spaces/shop/shop.js';
const NAME = 'spaces.shop.shop';
const edit = (body: string, more = '') => `<source.meta.E:${NAME}.answer${more}>\n${body}\n</source.meta.E>`;
const saying = (text: string) => `export function answer() {\n  return '${text}';\n}`;

describe('the code of loaded spaces', () => {
  it('has no place where no app can load it, or none comes from here', async () => {
    const { agent } = openSource({ 'package.json': '{}' });
    const names = agent.tree.below(['source']).map(({ name }) => name);
    expect(names).toEqual(['config', 'deps', 'tests']);
    expect(openMeta({ spaces: [] }).agent.tree.at(['source', 'meta'])).toBeUndefined();
  });

  it('is listed by space, then by module, then as it is', async () => {
    const { send } = openMeta();
    expect(await send('<source.meta.R:>')).toBe('shop -- spaces/shop (1 module)');
    expect(await send('<source.meta.R:shop>')).toMatchInlineSnapshot(`
      "shop -- spaces/shop (1 module)
      spaces.shop.shop -- What it says (1 function)
      conventions:
        The first line of the description of a tool describes the result.
        Wrong input throws an error: what is wrong, why, and a tag that works.
        A tool that changes something declares its effect; state that has to survive a reload is kept in files."
    `);
    expect(await send(`<source.meta.R:${NAME}.answer>`)).toBe(SHOP.trimEnd());
    expect(await send(`<source.meta.R:${NAME}:2-2>`)).toContain('export function answer()');
  });

  it('is that of loaded spaces only', async () => {
    const { send, content } = openMeta();
    expect(await send('<source.meta.R:lib.other>')).toMatchInlineSnapshot(`
      "ResourceError: lib.other is not code of a space that is loaded from here (there are shop).
      Try: <source.R:lib.other>
      Try: <source.meta.R:>"
    `);
    expect(await send('<source.meta.E:lib.other.other>\nexport const other = 2;\n</source.meta.E>')).toContain(
      'ResourceError: lib.other.other is not code of a space',
    );
    expect(content('lib/other.js')).toBe('export const other = 1;\n');
    expect(await send('<source.meta.reload:shpo>')).toContain("no space 'shpo' is loaded from here");
    expect(await send('<source.meta.reload:shpo>')).toContain('Try: <source.meta.reload:shop>');
  });

  it('is suggested for a similar name', async () => {
    const { send } = openMeta();
    expect(await send('<source.meta.R:shpo>')).toBe(
      "ResourceError: no space 'shpo' is loaded from here. Did you mean shop?\nTry: <source.meta.R:shop>",
    );
    expect(await send('<source.meta.R:shop>')).toContain('shop -- spaces/shop');
  });

  it('is changed and loaded in one go', async () => {
    const { send, host, content } = openMeta();
    const result = await send(edit(saying('closed')));
    expect(result).toContain('Edited answer in spaces.shop.shop (3 lines)');
    expect(result).toContain('\nReloaded shop.');
    expect(host.answer).toBe('closed');
    expect(content(FILE)).toContain('closed');
    await send('<source.undo:>');
    expect(content(FILE)).toBe(SHOP);
  });

  it('is put back when it cannot be loaded, and what was in use stays', async () => {
    const { send, host, content } = openMeta();
    await send(edit(saying('first')));
    const before = content(FILE);
    const result = await send(edit("export function answer() {\n  throw new Error('no licence');\n}"));
    expect(result).toMatchInlineSnapshot(`
      "ReloadError: shop cannot be loaded: Error: no licence. Rolled back.
      Undid edit of spaces/shop/shop.js (3 lines)
      Try: <source.meta.R:shop>"
    `);
    expect(content(FILE)).toBe(before);
    expect(host.answer).toBe('first');
    expect(host.timesRebuilt).toBe(1);
  });

  it('changes nothing that is stale, or that is not well formed', async () => {
    const { send, change, content, host } = openMeta();
    await send(`<source.meta.R:${NAME}.answer>`);
    change(FILE, SHOP.replace('open', 'changed by somebody'));
    expect(await send(edit(saying('mine')))).toContain('ConflictError');
    expect(content(FILE)).toContain('changed by somebody');
    await send(`<source.meta.R:${NAME}.answer>`);
    expect(await send(edit('export function answer( {'))).toContain('ParseError');
    expect(content(FILE)).toContain('changed by somebody');
    expect(host.answer).toBe('');
  });

  it('asks before anything is written or run', async () => {
    const asked: string[] = [];
    const approver: Approver = {
      approve: ({ reason = '' }) => {
        asked.push(reason);
        return reason.includes('runs the changed code') ? { allow: false, reason: 'no' } : { allow: true };
      },
    };
    const { send, content, host } = openMeta({ approver });
    expect(await send(edit(saying('mine')))).toContain('ApprovalError');
    expect(await send('<source.meta.reload:shop>')).toContain('ApprovalError');
    expect(asked.at(-1)).toContain('runs the changed code of shop in bae itself');
    expect(content(FILE)).toBe(SHOP);
    expect(host.answer).toBe('');
  });

  it('of what runs the tools is used by the next start', async () => {
    const { send, content, host } = openMeta({
      spaces: [{ name: 'shop', folder: 'spaces/shop', needsRestart: true }],
    });
    expect(await send('<source.meta.R:>')).toBe('shop -- spaces/shop (1 module, a change takes effect after restart)');
    expect(await send(edit(saying('later')))).toContain('a change takes effect after restart');
    expect(content(FILE)).toContain('later');
    expect(host.answer).toBe('');
  });
});

describe('reloading code', () => {
  it('takes back all changes that were not loaded yet', async () => {
    const { send, content, host } = openMeta();
    expect(await send(edit(saying('one'), ' reload=false'))).toContain('Not loaded yet: <source.meta.reload:shop>');
    expect(host.answer).toBe('');
    await send(edit('export function answer() {\n  return missing;\n}', ' reload=false'));
    const result = await send('<source.meta.reload:shop>');
    expect(result).toContain(
      'ReloadError: shop cannot be loaded: ReferenceError: missing is not defined. Rolled back.',
    );
    expect(result.match(/Undid edit/g)).toHaveLength(2);
    expect(content(FILE)).toBe(SHOP);
  });

  it('keeps what was loaded well before', async () => {
    const { send, content } = openMeta();
    await send(edit(saying('one'), ' reload=false'));
    expect(await send('<source.meta.reload:shop>')).toBe('Reloaded shop.');
    await send(`<source.E:${NAME}.answer>\nexport function answer() {\n  return missing;\n}\n</source.E>`);
    expect(await send('<source.meta.reload:shop>')).toContain('Rolled back.');
    expect(content(FILE)).toContain("'one'");
  });

  it('keeps it also when a later change was undone meanwhile', async () => {
    const { send, content } = openMeta();
    await send(edit(saying('one')));
    await send(edit(saying('two')));
    await send('<source.undo:>');
    expect(await send(edit('export function answer() {\n  return missing;\n}'))).toContain('Rolled back.');
    expect(content(FILE)).toContain("'one'");
  });

  it('never takes back what is no code of the space', async () => {
    const { send, content } = openMeta();
    await send(`<source.E:${NAME}.answer>\nexport function answer() {\n  return missing;\n}\n</source.E>`);
    await send('<source.E:lib.other.other>\nexport const other = 2;\n</source.E>');
    const result = await send('<source.meta.reload:shop>');
    expect(result).toContain('Not rolled back: other files were changed in between, or together with it.');
    expect(content('lib/other.js')).toBe('export const other = 2;\n');
    expect(content(FILE)).toContain('missing');
  });

  it('only warns when nothing but new modules was added', async () => {
    const { send, change, content } = openMeta();
    change(FILE, "throw new Error('broken from outside');\n");
    await send('<source.W:spaces.shop.price>\nexport const price = 5;\n</source.W>');
    expect(await send('<source.meta.reload:shop>')).toBe(
      'Warning: shop cannot be loaded: Error: broken from outside. Only new modules were added, and they stay; the previous code stays in use.',
    );
    expect(content('spaces/shop/price.js')).toContain('price = 5');
  });

  it('fails when others broke the code', async () => {
    const { send, change } = openMeta();
    change(FILE, "throw new Error('broken from outside');\n");
    expect(await send('<source.meta.reload:shop>')).toBe(
      'ReloadError: shop cannot be loaded: Error: broken from outside. The previous code stays in use.',
    );
  });
});

const MANY = Object.fromEntries(
  Array.from({ length: 200 }, (_, n) => [`spaces/shop/part-${n}.js`, `export const part${n} = 1;\n`]),
);
const SPACE = { name: 'shop', folder: 'spaces/shop', needsRestart: false };

function read(page: number) {
  const root = new WorkspaceRoot(temporaryFolder(MANY));
  return readSpace(new CodeBase(root, new ModuleIndex(root)), { space: SPACE, page }, toolContext('read'));
}

describe('the modules of a space', () => {
  it('are shown in pages, with conventions at the end', async () => {
    expect((await read(1)).text).toMatch(/\n\[page 1 of \d+; next: <R:shop page=2>\]$/);
    expect((await read(99)).text).toContain('\nconventions:\n');
  });

  it('are all that code gets, unless it asks for a page', async () => {
    const whole = await (await read(1)).whole?.();
    const rows = (whole as string).split('\n');
    expect(rows[0]).toBe('shop -- spaces/shop (200 modules)');
    expect(rows.slice(1)).toHaveLength(200);
    expect(rows.slice(1).every((row) => row.startsWith('spaces.shop.part-'))).toBe(true);
    expect((await read(2)).whole).toBeUndefined();
  });
});

const HOST: Partial<MetaHost> = {
  reload: () => Promise.reject(new Error('broken')),
  rebuild: async () => undefined,
};
const CONTEXT = {
  fromCode: false,
  batch: [],
  session: { id: 'mine', seen: new Map<string, string>() },
  signal: new AbortController().signal,
} as unknown as ToolContext;
const PATHS = ['lib/other.js', 'spaces/shop/shop.js'];

/** Changes files in this order, as one change, and loads the space anew; returns the result. */
async function reloadAfter(paths: readonly string[]) {
  const folder = temporaryFolder(Object.fromEntries(PATHS.map((path) => [path, 'old'])));
  const root = new WorkspaceRoot(folder);
  for (const path of paths) await root.write(path, 'new', { session: 'mine', group: 'one' });
  const space = { name: 'shop', folder: 'spaces/shop', needsRestart: false };
  const result = await new Reloader(root, HOST as MetaHost).reload(space, CONTEXT).catch(String);
  return { result, texts: PATHS.map((path) => readFileSync(join(folder, path), 'utf8')) };
}

describe('code that cannot be loaded', () => {
  it('is put back when nothing else was changed together with it', async () => {
    const { result, texts } = await reloadAfter(['spaces/shop/shop.js']);
    expect(result).toContain('Rolled back.');
    expect(texts).toEqual(['old', 'old']);
  });

  it.each([[PATHS], [PATHS.toReversed()]])(
    'stays when other files were changed together with it: %j',
    async (paths) => {
      const { result, texts } = await reloadAfter(paths);
      expect(result).toContain('Not rolled back: other files were changed in between, or together with it.');
      expect(texts).toEqual(['new', 'new']);
    },
  );
});
