import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { allowAll, asModelText, createAgent, defineResourcespace } from '@bae/core';
import { type LanguageReader, provideSource, SourceSpace } from '@bae/source';
import { provideWorkspace } from '@bae/workspace';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { python } from './python.ts';

const SHOP = `"""The shop.

Sells things.
"""
import os
from typing import overload

LIMIT = 3
total: int = 0


def _hidden():
    pass


class Cart(dict):
    """What was chosen."""

    size: int = 0

    @property
    def price(self) -> int:
        """The sum of all."""
        return self._sum()

    @price.setter
    def price(self, value):
        raise ValueError(value)

    def _sum(self):
        return 0

    async def send(self, to: str, *, text="""a
b""") -> None:
        await to


if os.name == "nt":
    def open_shop():
        return 1
else:
    def open_shop():
        return 2
`;

/** A project of files, and an agent in its source that executes what a model would send. */
function openShop(files: Readonly<Record<string, string>> = { 'src/shop/cart.py': SHOP, 'src/shop/__init__.py': '' }) {
  const folder = mkdtempSync(join(tmpdir(), 'bae-python-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const home = defineResourcespace({ name: 'lobby', description: 'Before the source.', tools: {} });
  const provide = [provideWorkspace(folder), provideSource({ languages: [python] })];
  const agent = createAgent({ home, spaces: [SourceSpace], provide, approver: allowAll });
  onTestFinished(() => agent.close());
  const send = async (text: string): Promise<string> => {
    const { calls } = await agent.run(asModelText(text));
    return calls.map(({ result }) => result.text).join('\n---\n');
  };
  return { send, content: (path = 'src/shop/cart.py') => readFileSync(join(folder, path), 'utf8') };
}

describe('Python in the source space', () => {
  it('is listed by module, with what is public first', async () => {
    const { send } = openShop();
    expect(await send('<source.R:shop.cart>'))
      .toBe(`shop.cart -- The shop (1 constant, 1 variable, 2 functions, 1 class)
5: import  -- lines 5-6
8: LIMIT = 3
9: total: int = 0
16: class Cart(dict)  -- What was chosen
  19: size: int = 0
  22: def price(self) -> int (2 declarations)  -- The sum of all
  30: def _sum(self)
  33: async def send(self, to: str, *, text="""a b""") -> None
39: def open_shop() (2 declarations)
not exported:
12: def _hidden()`);
  });

  it('is read by symbol, however the symbol is named', async () => {
    const { send } = openShop();
    const text = '    def _sum(self):\n        return 0';
    for (const address of ['shop.cart.Cart._sum', 'Cart._sum', 'src/shop/cart.py::Cart._sum', 'cart.py#Cart._sum'])
      expect(await send(`<source.R:${address}>`)).toBe(text);
    expect(await send('<source.R:Cart.price>')).toContain('@price.setter');
  });

  it('is searched by name, and says that no types are known', async () => {
    const { send } = openShop();
    expect(await send('<source.references:Cart._sum>')).toContain('its name occurs in 2 lines of 1 module');
    const refusal = await send('<source.rename:Cart._sum to=add>');
    expect(refusal).toContain('whose types are unknown here');
    expect(refusal).toContain('Try: <source.E:shop.cart old="_sum" new="add" every=true>');
    expect(await send('<source.diagnostics:>')).toBe(
      'nothing was checked: types are checked in TypeScript and JavaScript only, and the project has 2 .py modules',
    );
  });

  it('is edited by symbol, whether its text is indented or not', async () => {
    const { send, content } = openShop();
    const plain = 'def _sum(self):\n    """Adds.\n\n    All of it.\n    """\n    return 1';
    expect(await send(`<source.E:Cart._sum>\n${plain}\n</source.E>`)).toContain(
      'Edited Cart._sum in shop.cart (2 -> 6 lines)',
    );
    expect(content()).toContain(
      '    def _sum(self):\n        """Adds.\n\n        All of it.\n        """\n        return 1\n\n    async',
    );
    await send('<source.E:Cart._sum>\n    def _sum(self):\n        return 0\n</source.E>');
    expect(content()).toBe(SHOP);
  });

  it('gets new members and declarations, and loses what is deleted', { tags: ['long'] }, async () => {
    const { send, content } = openShop();
    expect(await send('<source.E:Cart.clear>\ndef clear(self):\n    self.size = 0\n</source.E>')).toContain(
      'Added clear',
    );
    expect(content()).toContain('        await to\n\n    def clear(self):\n        self.size = 0\n');
    await send('<source.W:shop.cart.later>\nlater = 1\n</source.W>');
    expect(content()).toMatch(/return 2\n\nlater = 1\n$/);
    expect(await send('<source.E:Cart._sum delete=true></source.E>')).toContain('Deleted Cart._sum');
    expect(content()).not.toContain('def _sum');
  });

  it('refuses what is no Python, and names the line', { tags: ['long'] }, async () => {
    const { send, content } = openShop();
    expect(await send('<source.E:Cart._sum>\ndef _sum(self:\n    return 1\n</source.E>')).toMatch(
      /ParseError: .*line \d/,
    );
    expect(await send('<source.E:Cart._sum>\ndef other(self):\n    return 1\n</source.E>')).toContain('EditError');
    expect(await send('<source.W:shop.cart.Empty>\nclass Empty:\n    pass\n</source.W>')).toContain('Added Empty');
    expect(await send('<source.W:shop.cart.Empty.a>\ndef a(self):\n    pass\n</source.W>')).toContain('EditError');
    expect(content()).toContain('def _sum(self):\n        return 0');
  });
});

describe('the outline of Python', () => {
  let reader: LanguageReader;
  beforeAll(async () => {
    reader = await python.load();
  });

  it('gives offsets of the text', () => {
    const { symbols } = reader.outline({ text: SHOP, path: 'shop.py' });
    const send = symbols.find(({ name }) => name === 'Cart')?.members.find(({ name }) => name === 'send');
    const { start, head } = send!.declarations[0]!;
    expect(SHOP.slice(start, start + 14)).toBe('async def send');
    expect(SHOP.slice(head.start, head.end)).toBe('send(self, to: str, *, text="""a\nb""") -> None');
  });

  it('follows __all__', () => {
    const { symbols } = reader.outline({ text: '__all__ = ["_a"]\n_a = 1\nb = 2\n', path: 'a.py' });
    expect(symbols.map(({ name, exported }) => [name, exported])).toEqual([
      ['__all__', false],
      ['_a', true],
      ['b', false],
    ]);
  });

  it('never throws, and stays within the text', () => {
    const part = fc.constantFrom(
      'def f(',
      '):',
      '\n    ',
      'class A',
      '"""',
      '@x\n',
      'é😀',
      '\t',
      'import a',
      '=',
      'if x:',
      '\r\n',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        const text = parts.join('');
        const { symbols } = reader.outline({ text, path: 'a.py' });
        for (const { declarations } of symbols)
          for (const { start, end, head } of declarations)
            expect([start <= head.start, head.start <= head.end, head.end <= end, end <= text.length]).toEqual(
              Array(4).fill(true),
            );
        reader.parse({ text, path: 'a.py' }, 'class');
      }),
    );
  });
});

describe('what is inside of functions', () => {
  const files = {
    'app.py': `class Route:
    size: int = 0

    def __init__(self, path):
        self.path, self.size = path, 1
        if path:
            self.regex: str = compile(path)

    def match(self):
        self.path = "again"
        for key in self.regex:
            def check():
                return key
        return check


def request(func):
    async def app(scope):
        await func(scope)
    return app
`,
  };

  it.each([
    ['Route.path', 'self.path, self.size = path, 1'],
    ['Route.regex', 'self.regex: str = compile(path)'],
    ['Route.size', 'size: int = 0'],
    ['Route.match.check', 'return key'],
    ['request.app', 'async def app(scope)'],
    ['app.py::request.app', 'async def app(scope)'],
  ])('%s is read like every symbol', async (address, text) => {
    const result = await openShop(files).send(`<source.R:${address}>`);
    expect(result).toContain(text);
    expect(result).not.toContain('Error: ');
  });

  it('is edited like every symbol', { tags: ['long'] }, async () => {
    const { send, content } = openShop(files);
    await send('<source.E:request.app>\nasync def app(scope):\n    return 1\n</source.E>');
    await send('<source.E:Route.regex>\nself.regex = None\n</source.E>');
    expect(content('app.py')).toContain('    async def app(scope):\n        return 1\n    return app\n');
    expect(content('app.py')).toContain('            self.regex = None\n');
  });
});
