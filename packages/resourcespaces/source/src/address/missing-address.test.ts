import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { openSource } from '../../test/open-source.ts';
import { ModuleIndex } from '../modules/module-index.ts';

const OTHERS = Object.fromEntries(
  Array.from({ length: 30 }, (_, n) => [`src/m${n}.ts`, `export const v${n} = '${'$name '.repeat(n)}';\n`]),
);

/** The result, and how many modules were parsed for it. */
async function misspelt(address: string, files: Readonly<Record<string, string>> = {}) {
  const { send } = openSource({ ...OTHERS, ...files });
  using outlines = vi.spyOn(ModuleIndex.prototype, 'outlines');
  const result = await send(`<R:${address}>`);
  return { result, parsed: outlines.mock.calls.map(([modules]) => modules.length) };
}

describe('a name without its module', () => {
  it('is looked up in the modules that have it in their text', async () => {
    const { result, parsed } = await misspelt('parseLine', {
      'src/lines.ts': 'export function parseLine() {}\n',
      'src/use.ts': "import { parseLine } from './lines.ts';\nparseLine();\n",
    });
    expect(result).toContain('Did you mean lines.parseLine?');
    expect(parsed).toEqual([1]);
  });

  it('is looked up where it is named at all when it is not declared in the usual way', async () => {
    const { result, parsed } = await misspelt('second', {
      'src/pair.ts': 'export const {\n  first,\n  second,\n} = { first: 1, second: 2 };\n',
      'src/use.ts': "import { second } from './pair.ts';\nsecond;\n",
    });
    expect(result).toContain('Did you mean pair.second?');
    expect(parsed).toEqual([0, 2]);
  });

  it('is looked up in none when nothing has it', async () => {
    expect((await misspelt('nothingLikeIt')).parsed).toEqual([0, 0]);
  });

  it('may have a character that means something to a search', async () => {
    const { result, parsed } = await misspelt('$name', { 'src/dollar.ts': 'export const $name = 1;\n' });
    expect(result).toContain('Did you mean dollar.$name?');
    expect(parsed[0]).toBeLessThan(31);
  });

  it('that stands everywhere is looked up everywhere', async () => {
    const lines = 'const a = common;\n'.repeat(1001);
    const { result, parsed } = await misspelt('common', {
      'src/many.ts': lines,
      'src/z.ts': 'export const [common] = [1];\n',
    });
    expect(result).toContain('Did you mean z.common?');
    expect(parsed).toEqual([0, 32]);
  });
});

const PROJECT = {
  'package.json': '{"workspaces":["packages/*"]}',
  'packages/core/package.json': '{"name":"@x/core"}',
  'packages/core/src/index.ts': "export { Router } from './router/router.ts';\n",
  'packages/core/src/router/router.ts':
    'export class Router {\n  dispatch() {}\n  #state = 1;\n}\nexport function parse() {}\n',
  'packages/core/src/broken.ts': 'export const = 1;\n',
  'packages/app/package.json': '{"name":"app"}',
  'packages/app/main.js': 'exports.main = () => 1;\n',
};
const GOOD = [
  'core',
  'core.router',
  'core.router.router',
  'core.router.router.Router',
  'core.router.router.Router.dispatch',
  'app.main.main',
  'packages/core/src/router/router.ts',
  'core.broken',
  'core.broken.x',
];

/** An address with a mistake in it. */
const wrong = fc
  .tuple(fc.constantFrom(...GOOD), fc.nat(), fc.constantFrom('', 'x', '.', '..', '/', 'Q', '_', '-', '#', '\\'))
  .map(([address, at, put]) => {
    const place = at % address.length;
    return address.slice(0, place) + put + address.slice(place + 1);
  })
  .filter((address) => !/[\s>]/.test(address) && address !== '');

describe('a wrong address', () => {
  it.each([
    ['read', (address: string) => `<R:${address}>`, 'target'],
    ['edit', (address: string) => `<E:${address}>\nexport const nothing = 1;\n</E>`, 'target'],
    ['grep', (address: string) => `<Grep:Router path=${address}>`, 'path'],
  ] as const)(
    'given to %s fails with field, expectation, what was sent, signature, and a tag that works',
    async (verb, tagOf, field) => {
      const { send } = openSource(PROJECT);
      await fc.assert(
        fc.asyncProperty(wrong, async (address) => {
          const result = await send(tagOf(address));
          if (!result.startsWith('ResourceError')) return;
          expect(result).toContain(`(${field}: expected `);
          const parts = [address, ...address.split(/[.#]/), ...address.split('.')].filter((part) => part !== '');
          expect(parts.some((part) => result.includes(`'${part}'`))).toBe(true);
          expect(result).toContain(`\nUsage: ${verb}(`);
          const tag = /\nTry: (<[^>]*>)/.exec(result)?.[1];
          expect(tag).toBeDefined();
          expect(await send(tag as string)).not.toMatch(/^\w*Error/);
        }),
        { numRuns: 150 },
      );
    },
  );

  it('is explained in few words', async () => {
    const { send } = openSource(PROJECT);
    for (const address of ['core.ruoter', 'core.router.router.Rooter', 'core/router', 'nowhere']) {
      expect((await send(`<R:${address}>`)).length).toBeLessThan(60 * 4);
    }
  });
});
