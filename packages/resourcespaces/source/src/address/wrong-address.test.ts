import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';

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

describe('a wrong address', { tags: ['long'] }, () => {
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
          const parts = [address, ...address.split(/[.#/\\]/), ...address.split('.')].filter((part) => part !== '');
          expect(parts.some((part) => result.includes(`'${part}'`))).toBe(true);
          expect(result).toContain(`\nUsage: ${verb}(`);
          const tag = /\nTry: (<[^>]*>)/.exec(result)?.[1];
          expect(tag).toBeDefined();
          expect(await send(tag as string)).not.toMatch(/^\w*Error/);
        }),
        { numRuns: 40 },
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

const FILES = { 'package.json': '{\n}\n', 'docs/guide.md': 'Text.\n', 'src/request.test.ts': 'export const a = 1;\n' };

describe('reading a file that is not a module', () => {
  it.each([
    ['package.json:1-2', 'package.json', 'package.json:1-2'],
    ['package.json:2', 'package.json', 'package.json:2'],
    ['package.json:2-', 'package.json', 'package.json:2-'],
    ['docs/guide.md', 'docs/guide.md', 'docs/guide.md'],
  ])('offers to read %s at home', async (target, file, next) => {
    expect(await openSource(FILES).send(`<R:${target}>`)).toBe(
      `ResourceError: '${file}' is a file, not a module or symbol (target: expected a package, module or symbol). Read it at home.\nUsage: read(target: string = "", page: int = 1, every: boolean = false)\nTry: <home.R:${next}>`,
    );
  });

  it.each(['<E:docs/guide.md old="Text" new="Words">', '<E:docs/guide.md>\nx\n</E>'])(
    'offers to edit it at home after %j',
    async (tag) => {
      const text = await openSource(FILES).send(tag);
      expect(text).toContain('Edit it at home.');
      expect(text).toContain('\nTry: <home.E:docs/guide.md>…</home.E>');
    },
  );

  it('does not offer what is not there, is a folder, or is out of the project', async () => {
    const { send } = openSource(FILES);
    for (const target of ['package.jso', 'docs/none.md', 'docs', '../package.json'])
      expect(await send(`<R:${target}>`)).not.toContain('home.R');
  });

  it('reads a module by its path as before', async () => {
    expect(await openSource(FILES).send('<R:src/request.test.ts>')).toBe('request.test (1 constant)\n1: const a = 1');
  });
});
