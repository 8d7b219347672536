// @module-tag long

import { describe, expect, it } from 'vitest';
import { TemporaryProject } from '../../test/temporary-project.ts';

const FILES = {
  'package.json': '{"name": "shop", "main": "lib/index.js"}',
  'lib/price.js': `
function addTax(amount, rate) { return amount * (1 + rate); }
exports.round = function round(value) { return Math.round(value); };
const half = (value) => value / 2;
module.exports.addTax = addTax;
exports.half = half;
`,
  'lib/cart.js': `
const { addTax, round: rounded } = require('./price');
const price = require('./price.js');
class Cart {
  total(items) { return rounded(addTax(items.length, 0.2)) + price.half(2); }
}
module.exports = { Cart };
`,
  'lib/index.js': "module.exports = { ...require('./price'), ...require('./cart') };\n",
  'test.js': `
const { Cart, addTax } = require('.');
// addTax is tested below
const other = { half: 1 };
console.log(addTax(1, 0), new Cart().total([other.half]));
`,
};

describe('uses of what a CommonJS module exports', () => {
  const show = async (file: keyof typeof FILES, mark: string): Promise<readonly string[]> => {
    const project = new TemporaryProject(FILES);
    const found = await project.service().references(project.find(file, mark));
    return found.map((use) => `${use.file.slice(project.folder.length + 1)}:${use.line}`);
  };

  it('are found behind require, under another name too', async () => {
    expect(await show('lib/price.js', 'function |addTax')).toEqual([
      'lib/cart.js:2',
      'lib/cart.js:5',
      'lib/price.js:2',
      'lib/price.js:5',
      'lib/price.js:5',
      'test.js:2',
      'test.js:5',
    ]);
    expect(await show('lib/price.js', 'exports.|round')).toEqual([
      'lib/cart.js:2',
      'lib/cart.js:2',
      'lib/cart.js:5',
      'lib/price.js:3',
    ]);
    expect(await show('lib/price.js', 'const |half')).toEqual([
      'lib/cart.js:5',
      'lib/price.js:4',
      'lib/price.js:6',
      'lib/price.js:6',
    ]);
    expect(await show('lib/cart.js', 'class |Cart')).toEqual([
      'lib/cart.js:4',
      'lib/cart.js:7',
      'test.js:2',
      'test.js:5',
    ]);
  });

  it('are those of a variable, an export and a function of one line, which are renamed together', async () => {
    const project = new TemporaryProject({
      'package.json': '{"name": "shop"}',
      'one.js': 'var alpha = exports.alpha = function alpha() {};\nexports.b = () => exports.alpha() + alpha();\n',
      'use.js': "const { alpha } = require('./one');\nconst one = require('./one');\nalpha(one.alpha);\n",
    });
    const place = project.find('one.js', 'var |alpha');
    const plan = await project.service().renameEdits({ ...place, newName: 'omega' });
    if (plan.type !== 'edits') throw new Error(JSON.stringify(plan));
    const counts = plan.files.map(({ file, edits }) => [file.slice(project.folder.length + 1), edits.length]);
    expect(Object.fromEntries(counts)).toEqual({ 'one.js': 5, 'use.js': 3 });
  });

  it('are renamed with it, and nothing else is', async () => {
    const project = new TemporaryProject(FILES);
    const plan = await project
      .service()
      .renameEdits({ ...project.find('lib/price.js', 'const |half'), newName: 'halve' });
    if (plan.type !== 'edits') throw new Error(JSON.stringify(plan));
    const edited = plan.files.map(({ file, edits }) => [file.slice(project.folder.length + 1), edits.length]);
    expect(edited).toEqual([
      ['lib/cart.js', 1],
      ['lib/price.js', 3],
    ]);
  });

  it('are renamed as members of what is required, and not as names that other modules give it', async () => {
    const project = new TemporaryProject({
      'index.js': "module.exports = require('./lib/shop');\n",
      'lib/shop.js': 'module.exports = open;\nfunction open() {}\nmodule.exports.half = (value) => value / 2;\n',
      'test.js': "const open = require('.');\nconst half = require('./lib/shop').half;\nopen(half(1));\n",
    });
    const rename = async (mark: string) => {
      const plan = await project.service().renameEdits({ ...project.find('lib/shop.js', mark), newName: 'fresh' });
      if (plan.type !== 'edits') throw new Error(JSON.stringify(plan));
      return plan.files.map(({ file, edits }) => [
        file.slice(project.folder.length + 1),
        ...edits.map((one) => one.start),
      ]);
    };
    expect(await rename('function |open')).toEqual([['lib/shop.js', 17, 32]]);
    expect(await rename('exports.|half')).toEqual([
      ['lib/shop.js', 57],
      ['test.js', 62],
    ]);
  });

  it('are not renamed to a name that a module has already', async () => {
    const project = new TemporaryProject(FILES);
    const plan = await project.service().renameEdits({ ...project.find('lib/price.js', '|addTax'), newName: 'other' });
    expect(plan).toEqual({ type: 'refused', reason: 'other is already used in test.js' });
  });
});

describe('uses of what a CommonJS module is as a whole', () => {
  it('are found under the names that other modules give it', async () => {
    const project = new TemporaryProject({
      'package.json': '{"name": "shop", "main": "lib/application.js"}',
      'lib/application.js': 'module.exports = class Application {};\n',
      'lib/more.js': "const App = require('./application');\nmodule.exports = () => new App();\n",
      'test/app.js': "const Shop = require('..');\nconst other = require('../lib/more');\nnew Shop(other);\n",
    });
    const found = await project.service().references(project.find('lib/application.js', 'class |Application'));
    expect(found.map((use) => `${use.file.slice(project.folder.length + 1)}:${use.line}`)).toEqual([
      'lib/application.js:1',
      'lib/more.js:1',
      'lib/more.js:2',
      'test/app.js:1',
      'test/app.js:3',
    ]);
  });

  it('are found through modules that are nothing but that module, and by name behind it', async () => {
    const project = new TemporaryProject({
      'index.js': "module.exports = require('./lib/express');\n",
      'lib/express.js':
        "exports = module.exports = create;\nfunction create() {}\nexports.static = require('serve-static');\n",
      'examples/a.js': "var express = require('../');\nvar app = express();\napp.use(express.static('.'));\n",
      'examples/b.js': "const files = require('../lib/express').static;\n",
    });
    const find = async (mark: string) => {
      const found = await project.service().references(project.find('lib/express.js', mark));
      return found.map((use) => `${use.file.slice(project.folder.length + 1)}:${use.line}`);
    };
    expect(await find('exports.|static')).toEqual(['examples/a.js:3', 'examples/b.js:1', 'lib/express.js:3']);
    expect(await find('function |create')).toEqual(expect.arrayContaining(['examples/a.js:1', 'examples/a.js:2']));
  });
});

const SHELF = {
  'lib/shelf.js': `
module.exports = Shelf;
/** @return {Shelf} */
function Shelf(size) {
  if (!(this instanceof Shelf)) return new Shelf(size);
  const self = this;
  self.fill(size);
}
Shelf.prototype.fill = function fill(size) {
  const { fill } = this;
  return this;
};
Shelf.prototype.open = function open() {
  return () => this.fill(1).fill(2);
};
/** @param {Shelf} shelf */
function refill(shelf) { shelf.fill(3); }
exports.refill = refill;
const { size } = module.exports;
function open() { open.fill(size); }
`,
  'test/shelf.js': `
const Shelf = require('../lib/shelf');
const shelf = new Shelf(1);
shelf.fill(2).fill(3);
const other = { fill: () => 1 };
other.fill();
function unknown(thing) { return thing.fill(); }
`,
};

describe('uses of members of what a function constructs', () => {
  it('are found on this, on instances, behind calls, and for types in comments', async () => {
    const project = new TemporaryProject(SHELF);
    const find = async (mark: string) => {
      const found = await project.service().references(project.find('lib/shelf.js', mark));
      return found.map((use) => `${use.file.slice(project.folder.length + 1)}:${use.line}`);
    };
    expect(await find('prototype.|fill')).toEqual([
      'lib/shelf.js:7',
      'lib/shelf.js:9',
      'lib/shelf.js:10',
      'lib/shelf.js:14',
      'lib/shelf.js:14',
      'lib/shelf.js:17',
      'test/shelf.js:4',
      'test/shelf.js:4',
    ]);
    expect(await find('function |Shelf')).toEqual(expect.arrayContaining(['lib/shelf.js:3', 'lib/shelf.js:16']));
  });

  it('are renamed with it, and those of an unknown object are named', async () => {
    const project = new TemporaryProject(SHELF);
    const plan = await project
      .service()
      .renameEdits({ ...project.find('lib/shelf.js', 'prototype.|fill'), newName: 'stock' });
    if (plan.type !== 'edits') throw new Error(JSON.stringify(plan));
    const texts = plan.files.flatMap(({ edits }) => edits.map(({ text }) => text));
    expect(texts).toEqual(['stock', 'stock', 'stock: fill', 'stock', 'stock', 'stock', 'stock', 'stock']);
    expect(plan.possible.map(({ line, text }) => `${line}: ${text}`)).toEqual([
      '20: function open() { open.fill(size); }',
      '7: function unknown(thing) { return thing.fill(); }',
    ]);
  });

  it('are not changed when a variable that is taken from one gets another name', async () => {
    const project = new TemporaryProject(SHELF);
    const plan = await project
      .service()
      .renameEdits({ ...project.find('lib/shelf.js', '{ |size }'), newName: 'width' });
    if (plan.type !== 'edits') throw new Error(JSON.stringify(plan));
    expect(plan.files.flatMap(({ edits }) => edits.map(({ text }) => text))).toEqual(['size: width', 'width']);
  });

  it('are not those of a module that has the name as a whole', async () => {
    const project = new TemporaryProject({
      'index.js':
        'module.exports = send;\nfunction send() {}\nfunction Sender() {}\nSender.prototype.send = function () {};\n',
      'test.js': "const send = require('./index');\nsend();\n",
    });
    const found = await project.service().references(project.find('index.js', 'prototype.|send'));
    expect(found.map(({ line }) => line)).toEqual([4]);
  });
});
