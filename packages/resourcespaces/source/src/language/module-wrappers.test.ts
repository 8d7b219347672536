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

describe('a variable of a function that is called at once', () => {
  const body = `
  var LIMIT = 3;
  function add(item) {}
  function hidden() {}
`;
  const object = '{ add: add, open: function (door) {}, LIMIT: LIMIT, shut: hidden, deep: { low: 1 } }';
  const members = ['function add', 'method open', 'property LIMIT', 'property shut', 'property deep'];
  const listed = [...members, '  property low'].map((one) => `  ${one}`);

  it.each([
    [`var Shop = (function () {${body}  return ${object};\n})();`],
    [`var Shop = (function () {${body}  return ${object};\n}).call(this);`],
    [`var Shop = (function ($) {${body}  return ${object};\n}(jQuery));`],
    [`var Shop = (() => {${body}  return ${object.replace('add: add', 'add')};\n})();`],
  ])('has the members of what that returns: %s', (text) => {
    expect(names(text)).toEqual(['variable Shop', ...listed]);
  });

  it('has those of a class, a function or an object that is returned by its name', () => {
    const cart = 'function Cart() {}\n  Cart.prototype.push = function () {};\n  return Cart;';
    expect(names(`var Cart = /** @class */ (function () {\n  ${cart}\n}());`)).toEqual([
      'variable Cart',
      '  method push',
    ]);
    const api = 'var api = { a: 1 };\n  api.b = function () {};\n  return api;';
    expect(names(`const Shop = (() => { ${api} })();`)).toEqual(['constant Shop', '  property a', '  method b']);
  });

  it('is also an export, and what has no name', () => {
    const value = `(function () {${body}  return { add };\n})()`;
    expect(names(`exports.Shop = ${value};`)).toEqual(['default export Shop +', '  function add']);
    expect(names(`module.exports = ${value};`)).toEqual(['default export default +', '  function add']);
    expect(names(`(function (root) {\n  root.Shop = ${value};\n})(this);`)).toEqual([
      'default export Shop +',
      '  function add',
    ]);
  });

  it('has its signature up to the body of the function', () => {
    const text = `var Shop = (function ($) {${body}  return { add };\n})(jQuery);`;
    const [shop] = typescriptOutline.outline({ text, path: 'shop.js' }).symbols;
    const { head } = shop!.declarations[0]!;
    expect(text.slice(head.start, head.end)).toBe('Shop = (function ($) ');
    const [add] = shop!.members;
    expect(text.slice(add!.declarations[0]!.start, add!.declarations[0]!.end)).toBe('function add(item) {}');
    expect(text.slice(add!.key!.start, add!.key!.end)).toBe('add');
  });

  it('has no members when nothing with any is returned', () => {
    for (const end of ['return add();', 'return LIMIT;', '', 'return;'])
      expect(names(`var shop = (function () {${body}  ${end}\n})();`)).toEqual(['variable shop']);
    expect(names(`var shop = run(function () {${body}  return { add };\n});`)).toEqual(['variable shop']);
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
