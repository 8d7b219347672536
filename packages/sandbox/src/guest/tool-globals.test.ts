import { createContext, runInContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { ScopeNode } from '../messages.ts';
import { captureIntrinsics } from './intrinsics.ts';
import { createToolGlobals } from './tool-globals.ts';

const node = (name: string, callee = 0, members: readonly ScopeNode[] = []): ScopeNode => ({
  name,
  callee,
  members,
  signature: `${name}()`,
});

/** A realm with a layer over its globals: blocks that begin, moves in the middle of them, and code of the realm. */
function realm() {
  const context = createContext({});
  const layer = `${String(captureIntrinsics)}
    const made = [];
    const layer = (${String(createToolGlobals)})(captureIntrinsics(), { request: (call, args) => (made.push([call, ...args]), 'asked') });
    ({ begin: (text) => layer.begin(text && JSON.parse(text)), move: (text) => layer.move(JSON.parse(text)), made })`;
  const inner = runInContext(`(() => { ${layer.replace('({ begin', 'return ({ begin')} })()`, context) as {
    begin(text?: string): void;
    move(text: string): void;
    readonly made: unknown[][];
  };
  return {
    change: (...nodes: ScopeNode[]) => inner.begin(JSON.stringify(nodes)),
    cover: () => inner.begin(),
    move: (...nodes: ScopeNode[]) => inner.move(JSON.stringify(nodes)),
    run: (code: string): unknown => runInContext(code, context),
    made: () => JSON.parse(JSON.stringify(inner.made)) as unknown,
  };
}

describe('ToolGlobals', () => {
  it('defines names over the globals, and removes them again', () => {
    const { change, run, made } = realm();
    change(node('read', 7));
    expect(run('read("a", 1)')).toBe('asked');
    expect(made()).toEqual([[7, 'a', 1]]);
    change(node('write', 8));
    expect(run('typeof read + typeof write')).toBe('undefinedfunction');
    change();
    expect(run('typeof write')).toBe('undefined');
  });

  it.each([
    'var name = 1',
    'name = 1',
    'globalThis.name = 1',
    'Object.defineProperty(globalThis, "name", { value: 1, configurable: true })',
  ])('restores what it hid: %s', (code) => {
    const { change, run } = realm();
    run(code);
    change(node('name'));
    expect(run('typeof name')).toBe('function');
    change(node('other'));
    expect(run('name')).toBe(1);
  });

  it.each(['var name = 2', 'name = 2', 'function name() {}; name = 2'])(
    'lets code cover a name until it is covered again, and keeps that for later: %s',
    (code) => {
      const { change, cover, run } = realm();
      change(node('name'));
      run(code);
      expect(run('name')).toBe(2);
      cover();
      expect(run('typeof name')).toBe('function');
      change();
      expect(run('name')).toBe(2);
    },
  );

  it('keeps what code has put over a name at the time of the change', () => {
    const { change, run } = realm();
    change(node('name'));
    run('name = 3');
    change();
    expect(run('name')).toBe(3);
  });

  it('does not bring back what code has deleted', () => {
    const { change, cover, run } = realm();
    change(node('name'));
    run('delete globalThis.name');
    cover();
    expect(run('typeof name')).toBe('function');
    change();
    expect(run('typeof name')).toBe('undefined');
  });

  it('has members, however deep, that nobody can change', () => {
    const { change, run, made } = realm();
    change(node('source', 1, [node('read', 2), node('tests', 3, [node('run', 4), node('name', 5)])]));
    run('source(); source.read(); source.tests.run(); source.tests.name()');
    expect(made()).toEqual([[1], [2], [4], [5]]);
    run('source.read = () => 0; source.tests.run.evil = 1; delete source.tests');
    expect(run('source.tests.run() + typeof source.tests.run.evil + source.read()')).toBe('askedundefinedasked');
    expect(run('Reflect.ownKeys(source).filter((key) => typeof key === "string").join()')).toBe(
      'length,name,toString,read,tests',
    );
  });

  it('describes a name, as text', () => {
    const { change, run } = realm();
    change(node('source'));
    expect(run('`${source}|${source.name}`')).toBe('source()|source');
  });

  it('leaves a global that cannot be changed to its owner', () => {
    const { change, run } = realm();
    run('Object.defineProperty(globalThis, "fixed", { value: 1 })');
    change(node('fixed'), node('read'));
    expect(run('fixed + typeof read')).toBe('1function');
    change();
    expect(run('fixed')).toBe(1);
  });

  it.each(['var other = 2', 'other = 2', 'function other() {}; other = 2'])(
    'leaves a variable that the block has made on top when it moves: %s',
    (code) => {
      const { change, cover, move, run } = realm();
      change(node('name'), node('place', 1, [node('other')]));
      run(code);
      run('name = 1');
      move(node('name'), node('other'));
      expect(run('[name, other].join()')).toBe('1,2');
      move(node('other'), node('third'));
      expect(run('[name, other, typeof third].join()')).toBe('1,2,function');
      cover();
      expect(run('[name, typeof other].join()')).toBe('1,function');
      change();
      expect(run('[name, other].join()')).toBe('1,2');
    },
  );

  it('replaces what the first move has defined with what the second defines', () => {
    const { change, made, move, run } = realm();
    change(node('name', 1));
    move(node('name', 2));
    move(node('name', 3));
    run('name()');
    expect(made()).toEqual([[3]]);
  });

  it('leaves a variable of the block on top that has no value yet', () => {
    const { change, move, run } = realm();
    change(node('place', 1, [node('other')]));
    run('var other');
    move(node('other'));
    expect(run('typeof other')).toBe('undefined');
  });

  it('defines the names of a place over variables of earlier blocks when a block moves', () => {
    const { change, move, run } = realm();
    run('var other = 2');
    change(node('name'), node('place', 1, [node('other')]));
    move(node('other'), node('unknown'));
    expect(run('[typeof other, typeof unknown, typeof name].join()')).toBe('function,function,undefined');
  });
});
