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
      const { symbols, lines, missing } = await compareReferences(
        which.startsWith('/') ? which : temporaryFolder(FORMS),
      );
      expect(missing).toEqual([]);
      expect(symbols).toBeGreaterThan(15);
      expect(lines).toBeGreaterThan(40);
    },
  );
});
