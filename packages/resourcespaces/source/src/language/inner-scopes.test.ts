import { describe, expect, it } from 'vitest';
import { outlineNames } from '../../test/outline-names.ts';
import { typescriptOutline } from './typescript-outline.ts';

const inner = (text: string, path = 'a.ts') => outlineNames(text, path, true);

describe('what is inside of functions', () => {
  it('belongs to the function, in any block of it, and at any depth', () => {
    const text = `function outer() {
  const fast = () => { let deep; };
  if (fast) { var a; } else { class B { c() {} } }
  for (const key of []) { try { function d() {} } catch { const e = 1; } finally { const f = 1; } }
  switch (1) { case 1: var g; }
}
`;
    expect(inner(text)).toEqual([
      'function outer',
      '  function fast',
      '    variable deep',
      '  variable a',
      '  class B',
      '    method c',
      '  function d',
      '  constant e',
      '  constant f',
      '  variable g',
    ]);
    expect(outlineNames(text)).toEqual(['function outer']);
  });

  it('belongs to the symbol around a function without a name, or else to the module', () => {
    expect(inner('export const all = wrap(() => { const own = 1; });')).toEqual(['constant all +', '  constant own']);
    expect(inner('(function () { function hidden() {} })();')).toEqual(['function hidden']);
    expect(inner('if (fast) { exports.colors = [1]; }', 'a.js')).toEqual(['default export colors +']);
  });

  it('has the members that it is declared with, each in one place', () => {
    const text = 'function a() { const b = { c: 1 }; b.c = 2; b.d = 3; }';
    expect(inner(text)).toEqual(['function a', '  constant b', '    property c', '    property d']);
    const [a] = typescriptOutline.outline({ text, path: 'a.ts', inner: true }).symbols;
    expect(a!.members[0]!.members.map(({ declarations }) => declarations.length)).toEqual([1, 1]);
  });

  it('may be returned at once, with a name', () => {
    const text = 'function make() { return function made() { let a; }; }\nfunction none() { return function () {}; }\n';
    expect(inner(text)).toEqual(['function make', '  function made', '    variable a', 'function none']);
  });

  it('may be passed to a call, with a name', () => {
    const text =
      "route('/', function show() { let a; });\nconst all = wrap(function own() { use(function deep() {}); });\n";
    expect(inner(text)).toEqual([
      'constant all',
      '  function own',
      '    function deep',
      'function show',
      '  variable a',
    ]);
    const { symbols } = typescriptOutline.outline({ text, path: 'a.ts', inner: true });
    const [show] = symbols.find(({ name }) => name === 'show')!.declarations;
    expect(text.slice(show!.start, show!.end)).toBe('function show() { let a; }');
  });

  it('has a name once: where it is declared, or assigned first', () => {
    expect(inner('function a() { { let b = () => { let c; }; } { let b = 2; } }')).toEqual([
      'function a',
      '  function b',
      '    variable c',
    ]);
  });
});

describe('fields that functions assign', () => {
  it('belong to the class, the object, or the function itself', () => {
    const text = `class Box extends Base {
  known = 1;
  constructor() { super(); this.known = 2; this.size = 1; run(() => { this.late = 1; }); }
  fill() { this.full = true; function own() { this.other = 1; } }
}
function Layer(fn) { this.handle = fn; this.match = () => {}; }
Layer.prototype.test = function () { this.last = 1; let inside; };
const shop = { open() { this.isOpen = true; } };
`;
    expect(inner(text)).toEqual([
      'class Box',
      '  property known',
      '  method constructor',
      '  method fill',
      '    function own',
      '      property other',
      '  property size',
      '  property late',
      '  property full',
      'function Layer',
      '  method test',
      '    variable inside',
      '  property handle',
      '  method match',
      '  property last',
      'constant shop',
      '  method open',
      '  property isOpen',
    ]);
  });
});

describe('an object that is given to a call', () => {
  it('has members: that of a value, of a default export, or of what a function returns at once', () => {
    const text = `export default define({ a: { b() {} } });
export const schema = z.object({ c: 1 }).strict();
export const make = () => create(one, class { d() {} });
const none = () => { call({ lost: 1 }); };
`;
    expect(inner(text)).toEqual([
      'constant schema +',
      '  property c',
      'function make +',
      '  method d',
      'function none',
      'default export default +',
      '  property a',
      '    method b',
    ]);
    expect(outlineNames(text)).not.toContain('  property c');
  });
});
