import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';
import { typescriptOutline } from '../language/typescript-outline.ts';
import { applyEdits, type SymbolOutline } from '../language/outline.ts';
import type { SourceModule } from '../modules/code-catalog.ts';
import { getSymbolText } from '../read/read-symbol.ts';
import { replaceSymbol } from './place-symbol.ts';

const SHOP = `(function (root, factory) {
  if (typeof exports === 'object') module.exports = factory(require('./log'));
  else root.Shop = factory(root.log);
})(this, function (log) {
  'use strict';

  /** A cart. */
  function Cart() {
    this.items = [];
  }

  Cart.prototype.add = function (item) {
    log(item);
    this.items.push(item);
  };

  var LIMIT = 3;

  return {
    Cart: Cart,
    limit: LIMIT,
  };
});
`;

describe('a script in a function', () => {
  it('stays as it is, byte for byte, when a symbol is replaced by its own text', () => {
    const outline = typescriptOutline.outline({ text: SHOP, path: 'shop.js' });
    const source = { text: SHOP, outline, module: { path: 'shop.js' } } as SourceModule;
    const paths: SymbolOutline[][] = outline.symbols.flatMap((one) => [
      [one],
      ...one.members.map((each) => [one, each]),
    ]);
    expect(paths.map((path) => path.map(({ name }) => name).join('.'))).toEqual([
      'Cart',
      'Cart.add',
      'LIMIT',
      'default',
      'default.Cart',
      'default.limit',
    ]);
    for (const path of paths) {
      const text = getSymbolText(SHOP, path.at(-1)!);
      const edits = replaceSymbol({ kind: 'symbol', source, path, passedOn: false }, text, typescriptOutline);
      expect(applyEdits(SHOP, edits)).toBe(SHOP);
    }
  });

  it('is read and edited by symbol, and gets new ones among the others', async () => {
    const { send, content } = openSource({ 'src/shop.js': SHOP });
    expect(await send('<R:shop>')).toMatch(/default[^]*function Cart\(\)[^]*LIMIT/);
    expect(await send('<R:Cart.add>')).toContain('this.items.push(item);');
    await send('<E:shop.Cart>\n/** A cart. */\nfunction Cart() {\n  this.items = new Array();\n}\n</E>');
    expect(content('src/shop.js')).toBe(SHOP.replace('= []', '= new Array()'));
    await send('<W:shop.clear>\nfunction clear(cart) {\n  cart.items = [];\n}\n</W>');
    expect(content('src/shop.js')).toContain(
      '  var LIMIT = 3;\n\n  function clear(cart) {\n    cart.items = [];\n  }\n\n  return {\n',
    );
    await send('<E:shop.default>\nreturn Cart;\n</E>');
    expect(content('src/shop.js')).toMatch(/\n {2}}\n\n {2}return Cart;\n}\);\n$/);
  });
});

describe('a variable of a function that is called at once', () => {
  const BOX = `var Box = (function () {
  function add(item) {
    return item;
  }

  return {
    open: function () {},
    add: add,
  };
})();
`;
  const files = {
    'package.json': '{"name":"demo"}',
    'jsconfig.json': '{ "compilerOptions": { "checkJs": true }, "include": ["src"] }',
    'src/box.js': BOX,
    'src/use.js': 'Box.add(Box.open());\n',
  };

  it('is listed with its members, which are read, edited and added', { tags: ['long'] }, async () => {
    const { send, content } = openSource(files);
    expect(await send('<R:src/box.js>')).toMatch(
      /^box \(.*\)\n1: var Box = \(function \(\)\n {2}7: open: function \(\)\n {2}2: function add\(item\)$/,
    );
    expect(await send('<R:Box.add>')).toBe('  function add(item) {\n    return item;\n  }');
    await send('<E:Box.add>\nfunction add(item) {\n  return [item];\n}\n</E>');
    await send('<E:Box.open>\nopen: () => 1,\n</E>');
    await send('<W:Box.shut>\nshut: () => 0,\n</W>');
    expect(content('src/box.js')).toBe(
      BOX.replace('return item', 'return [item]').replace(
        'open: function () {},',
        'open: () => 1,\n    shut: () => 0,',
      ),
    );
  });

  it(
    'has the references to its members, also of a function under its own name, and they are renamed',
    { tags: ['long'] },
    async () => {
      const { send, content } = openSource(files);
      expect(await send('<references:Box.add>')).toBe(
        'Box.add in box: 1 reference in 1 module\nuse\n  1: Box.add(Box.open());',
      );
      expect(await send('<rename:Box.add to=put>')).toContain('Renamed Box.add in box to put: 2 places in 2 modules');
      expect(content('src/box.js')).toBe(BOX.replace('add: add', 'put: add'));
      expect(content('src/use.js')).toBe('Box.put(Box.open());\n');
    },
  );
});
