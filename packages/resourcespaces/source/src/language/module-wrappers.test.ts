import { describe, expect, it } from 'vitest';
import { outlineNames } from '../../test/outline-names.ts';
import { typescriptOutline } from './typescript-outline.ts';

const names = (text: string) => outlineNames(text, 'shop.js');

describe('a script in a function', () => {
  const body = `
  'use strict';
  /** A cart. */
  function Cart() {}
  Cart.prototype.add = function (item) {};
  var LIMIT = 3;
`;
  const listed = ['function Cart', '  method add', 'variable LIMIT'];

  it.each([
    [`(function () {${body}})();`],
    [`;(() => {${body}})();`],
    [`!function () {${body}}();`],
    [`void function () {${body}}.call(this);`],
    [`(function ($, undefined) {${body}}(jQuery));`],
    [`define(['jquery'], function ($) {${body}});`],
  ])('has the symbols of its module: %s', (text) => {
    expect(names(text)).toEqual(listed);
  });

  const umd = `(function (root, factory) {
  if (typeof define === 'function' && define.amd) define(['exports'], factory);
  else if (typeof exports === 'object') module.exports = factory();
  else root.Shop = factory();
})(this, function () {`;

  it('exports what its function returns', () => {
    expect(names(`${umd}${body}  return Cart;\n});\n`)).toEqual([...listed, 'default export default +']);
    expect(names(`${umd}${body}  return { Cart: Cart, open() {} };\n});\n`)).toEqual([
      ...listed,
      'default export default +',
      '  property Cart',
      '  method open',
    ]);
    expect(names(`${umd}  return class Shop { add() {} };\n});\n`)).toEqual([
      'default export default +',
      '  method add',
    ]);
  });

  it('exports members of exports, of the global object, and in conditions', () => {
    expect(names(`(function (g, f) { f(g); })(this, function (exports) {${body}  exports.Cart = Cart;\n});`)).toEqual([
      'function Cart +',
      ...listed.slice(1),
    ]);
    const given = ['this', 'window', "typeof window === 'undefined' ? global : window"];
    for (const one of given)
      expect(names(`(function (root) {${body}  root.Cart = Cart;\n})(${one});`)).toEqual([
        'function Cart +',
        ...listed.slice(1),
      ]);
    expect(names(`(function () {${body}  this.Cart = Cart;\n}).call(this);`)).toEqual([
      'function Cart +',
      ...listed.slice(1),
    ]);
    expect(
      names(
        `(function (root) {${body}  if (typeof module === 'object') { module.exports = Cart; } else root.Cart = Cart;\n})(this);`,
      ),
    ).toEqual(['function Cart +', ...listed.slice(1), 'default export default +']);
  });

  it('is no module when the function is called by name, or returns nothing to it', () => {
    expect(names(`run(function () {${body}});`)).toEqual([]);
    expect(names(`(function () {${body}  return Cart;\n})();`)).toEqual(listed);
  });

  it('is parsed by its parts, also what the function returns', () => {
    const piece = typescriptOutline.parse({ text: 'return Cart;', path: 'a.js' }, 'module');
    expect(piece.symbols.map(({ name }) => name)).toEqual(['default']);
    expect(piece.problem).toBeUndefined();
    expect(typescriptOutline.parse({ text: 'return return', path: 'a.js' }, 'module').problem).toMatchObject({
      line: 1,
    });
  });
});

describe('an export by a call', () => {
  it('is a name, with its origin', () => {
    const text = `const b_1 = require('./b');
const own = 1;
Object.defineProperty(exports, '__esModule', { value: true });
Object.defineProperty(exports, 'a', { enumerable: true, get: function () { return b_1.c; } });
Object.defineProperty(exports, 'own', { get: () => own });
Object.defineProperty(module.exports, 'made', { value: () => 1 });
`;
    expect(names(text)).toEqual(['constant b_1', 'constant own +', 're-export a +', 'function made +']);
    const { symbols } = typescriptOutline.outline({ text, path: 'a.js' });
    expect(symbols.find(({ name }) => name === 'a')?.origin).toEqual({ specifier: './b', name: 'c' });
  });

  it('is all of another module', () => {
    const text = `__exportStar(require('./a'), exports);
tslib_1.__exportStar(require('./b'), exports);
(0, tslib_1.__exportStar)(require('./c'), exports);
Object.assign(module.exports, require('./d'), { own: 1 });
module.exports = { ...require('./e'), other: 2 };
`;
    const { stars } = typescriptOutline.outline({ text, path: 'a.js' });
    expect(stars).toEqual(['./a', './b', './c', './d', './e']);
    expect(names(text)).toEqual(['property own +', 'default export default +', '  property other']);
  });
});
