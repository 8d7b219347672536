import { describe, expect, it } from 'vitest';
import { compareReferences } from '../../test/compare-references.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

/** The forms of CommonJS: a module that is an object, a function or a class, and exports by name. */
const FORMS = {
  'package.json': '{"name": "shop", "main": "index.js"}',
  'index.js': "'use strict';\nmodule.exports = require('./lib/shop');\n",
  'lib/shop.js': `
var cart = require('./cart');
exports = module.exports = openShop;
function openShop() {
  var shop = function () { shop.handle(); };
  Object.assign(shop, cart);
  shop.init();
  return shop;
}
exports.cart = cart;
exports.Price = require('./price');
exports.rates = require('./rates').rates;
`,
  'lib/cart.js': `
var rates = require('./rates');
var addTax = rates.addTax;
var cart = exports = module.exports = {};
cart.init = function init() {
  this.items = [];
  this.reset();
};
cart.reset = function reset() {
  this.total = addTax(0);
};
cart.handle = function () {
  cart.reset();
  return rates.addTax(this.total);
};
`,
  'lib/rates.js': `
const rates = { normal: 0.2 };
const addTax = (amount) => amount * (1 + rates.normal);
function round(amount) { return Math.round(amount); }
module.exports = { rates, addTax, round: round };
module.exports.half = function half(amount) { return round(amount / 2); };
`,
  'lib/price.js': `
const { addTax, round: toCents } = require('./rates');
class Price {
  constructor(amount) { this.amount = amount; }
  withTax() { return toCents(addTax(this.amount)); }
  static of(amount) { return new Price(amount); }
}
module.exports = Price;
`,
  'lib/shelf.js': `
const base = require('./base');
module.exports = base(exports);
const { notes } = module.exports;
module.exports.Shelf = Shelf;
/** @return {Shelf} */
function Shelf(size) {
  if (!(this instanceof Shelf)) return new Shelf(size);
  this.size = size;
  const self = this;
  self.clear();
}
Shelf.prototype.clear = function clear() {
  this.rows = [];
  const inner = () => this.fill(0);
  const { fill } = this;
  return inner() || fill;
};
Shelf.prototype.fill = function fill(from) {
  notes.fill = from;
  return this;
};
/**
 * @param {Shelf} shelf
 */
function refill(shelf) {
  return shelf.fill(1).rows;
}
refill(new Shelf(2));
`,
  'lib/base.js': `
function setup(given) {
  function create() {}
  create.notes = {};
  create.given = given;
  create.first = create.notes.first;
  return create;
}
module.exports = setup;
`,
  'test/shelf.js': `
const { Shelf } = require('../lib/shelf');
const shelf = new Shelf(1);
shelf.fill(2).clear();
const other = { fill: () => 1 };
other.fill();
`,
  'test/shop.js': `
const openShop = require('..');
const { Price } = require('../');
const half = require('../lib/rates').half;
const shop = openShop();
shop.handle(Price.of(half(1)).withTax(), openShop.cart, openShop.rates);
new (require('../lib/price'))(1).withTax();
`,
};

/** Folders of other projects, with commas between them, that are compared as well. */
const OTHERS = (process.env['BAE_PROJECTS'] ?? '').split(',').filter(Boolean);

describe('references of CommonJS', () => {
  it.each(['every form', ...OTHERS])(
    'are all that the TypeScript API finds, in %s',
    { tags: ['long'], timeout: 1_200_000 },
    async (which) => {
      const { symbols, lines, missing, others } = await compareReferences(
        which.startsWith('/') ? which : temporaryFolder(FORMS),
      );
      expect(missing).toEqual([]);
      // A member of the same name of another object.
      expect(others.filter((place) => place.endsWith('test/shelf.js:6'))).toEqual([]);
      expect(symbols).toBeGreaterThan(15);
      expect(lines).toBeGreaterThan(40);
    },
  );
});
