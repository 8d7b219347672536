import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { IMPORTS, putPackage, spaceModule } from '../../test/sample-package.ts';
import { put, scratchFolder } from '../../test/scratch.ts';
import { readPackageManifest } from '../package/read-plugin.ts';
import { importPlugin, readSpaceName } from './import-plugin.ts';
import { TIME_LIMIT_MS } from './load-time.ts';

afterEach(() => void vi.useRealTimers());

const name = 'bae-resourcespace-a';
const load = (code: string) => importPlugin(readPackageManifest(putPackage(scratchFolder(), { name, code })));

describe('importPlugin', () => {
  it('takes every space that a module exports, once', async () => {
    const module = await load(`${spaceModule('a')}${spaceModule('b').replace(IMPORTS, '')}
      export const alias = a; export const version = 1; export function other() {}
      export class Plain {}
    `);
    expect(module.spaces({}, []).map(readSpaceName)).toEqual(['a', 'b']);
    expect(module.options).toBeUndefined();
  });

  it('takes a decorated class', async () => {
    const module = await load(`${IMPORTS}
      class TicketsSpace { enter() { return ''; } }
      resourcespace({ name: 'tickets', description: 'Tickets.' })(TicketsSpace);
      export { TicketsSpace };`);
    expect(module.spaces({}, []).map(readSpaceName)).toEqual(['tickets']);
  });

  it('takes a list, and a function of the options that makes one space or several', async () => {
    const one = spaceModule('a').replace('export const', 'const');
    expect((await load(`${one} export const spaces = [a];`)).spaces({}, []).map(readSpaceName)).toEqual(['a']);
    expect((await load(`${one} export const spaces = () => a;`)).spaces({}, []).map(readSpaceName)).toEqual(['a']);
    const module = await load(`${one} export const options = z.object({ name: z.string() });
      export function spaces({ name }) { return [{ ...a, name }]; }`);
    expect(module.spaces({ name: 'other' }, []).map(readSpaceName)).toEqual(['other']);
    expect(module.options!.safeParse({}).success).toBe(false);
  });

  it('hands a function what is provided, by token; the later of two values counts', async () => {
    const one = spaceModule('a').replace('export const', 'const');
    const module = await load(
      `${one} export const spaces = (options, provided) => ({ ...a, name: provided.get('name') + ' of ' + provided.size });`,
    );
    const provide = ['first', 'second'].map((value) => ({ token: 'name', value }));
    expect(module.spaces({}, provide).map(readSpaceName)).toEqual(['second of 1']);
    expect(module.spaces({}, []).map(readSpaceName)).toEqual(['undefined of 0']);
  });

  it('names the package whose code fails', async () => {
    await expect(load('throw new Error("boom\\nat once.");')).rejects.toThrow(
      `${name} cannot be loaded: Error: boom at once.`,
    );
    await expect(load('throw { toString() { throw 1 } };')).rejects.toThrow(
      `${name} cannot be loaded: Error: an unreadable value was thrown.`,
    );
    await expect(load('import "bae-not-installed";')).rejects.toThrow(
      `${name} cannot be loaded: Error: Cannot find package`,
    );
    await expect(load('')).rejects.toThrow(`${name} exports no spaces, but nothing at all. Export `);
    await expect(load('export const x = ;')).rejects.toThrow(`${name} cannot be loaded: `);
    await expect(load('export const x = 1;')).rejects.toThrow(
      `${name} exports no spaces, but x. Export a class with @resourcespace, what defineResourcespace() returns, or a function spaces(options, provided).`,
    );
  });

  it('reports that a package was not built', async () => {
    const entry = join(scratchFolder(), 'dist/index.js');
    await expect(importPlugin({ name, entry })).rejects.toThrow(
      `${name} cannot be loaded: ${entry} is not there. Build the package first.`,
    );
  });

  it('waits no longer than it has to for a module that never ends', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const loading = load('await new Promise((resolve) => (globalThis.baeNever = resolve));');
    const refused = expect(loading).rejects.toThrow(
      `${name} was not loaded within 10 s: it waits for something at its top level.`,
    );
    await vi.advanceTimersByTimeAsync(TIME_LIMIT_MS);
    await refused;
  });

  it('runs the code again for another version', async () => {
    const folder = putPackage(scratchFolder(), { name, code: spaceModule('a') });
    const described = readPackageManifest(folder);
    expect((await importPlugin(described)).spaces({}, []).map(readSpaceName)).toEqual(['a']);
    put(folder, { 'dist/index.js': spaceModule('b') });
    expect((await importPlugin(described)).spaces({}, []).map(readSpaceName)).toEqual(['a']);
    expect((await importPlugin(described, { version: 'two' })).spaces({}, []).map(readSpaceName)).toEqual(['b']);
    expect(pathToFileURL(join(folder, 'dist/index.js')).search).toBe('');
  });
});
