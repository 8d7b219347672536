import { describe, expect, it } from 'vitest';
import { defineResourcespace } from '../decorators/define-resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { renderError } from '../feedback/render-error.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { Registry } from '../registry/registry.ts';
import { resolveTool } from './resolve-tool.ts';

function space(name: string, tools: readonly string[], children: readonly SpaceDefinition[] = []): SpaceDefinition {
  return defineResourcespace({
    name,
    description: `The space ${name}.`,
    tools: Object.fromEntries(tools.map((verb) => [verb, tool('', {}, () => name)])),
    enter: () => '',
    children: () => Object.fromEntries(children.map((child) => [child.name, child])),
  });
}

function registry(home: readonly string[], roots: readonly SpaceDefinition[]): Registry {
  const tree = new Registry(space('files', home));
  for (const root of roots) tree.register(root);
  return tree;
}

const ALL = ['read', 'write', 'edit', 'glob', 'grep'];
const WORLD = [
  space('source', ALL, [
    space('config', ['read']),
    space('deps', ['undo', 'read', 'write', 'check']),
    space('empty', []),
    space('meta', ['read', 'edit'], [space('deep', ['read'])]),
  ]),
  space('tasks', ALL),
  space('memory', ['grep', 'read'], [space('sessions', ['read', 'write']), space('archive', ['read', 'write'])]),
];
const world = registry(ALL, WORLD);

function refusal(at: string, verb: string, tree = world): string {
  try {
    return `resolved in ${resolveTool(tree, at === '' ? [] : at.split('.'), verb).space}`;
  } catch (error) {
    return renderError(error).text;
  }
}

describe('resolveTool', () => {
  it.each([
    ['', 'write', 'home'],
    ['source', 'grep', 'source'],
    ['source.meta', 'edit', 'source.meta'],
    ['source.meta.deep', 'read', 'source.meta.deep'],
  ])('finds at %j the tool for %s', (at, verb, resolved) => {
    const { space, definition } = resolveTool(world, at === '' ? [] : at.split('.'), verb);
    expect([space, definition.name]).toEqual([resolved, verb]);
  });

  it('names parents, other root spaces and home, at most three', () => {
    expect(refusal('source.config', 'write')).toBe(
      'ResourceError: source.config does not support write.\nSupported here: read\nTry: source(), tasks(), home()',
    );
  });

  it('names the nearest parent first', () => {
    expect(refusal('source.meta.deep', 'edit')).toContain('\nTry: source.meta(), source(), tasks()');
  });

  it('names children before everything else', () => {
    expect(refusal('memory', 'write')).toBe(
      'ResourceError: memory does not support write.\nSupported here: read, grep\n' +
        'Try: memory.archive(), memory.sessions(), source()',
    );
  });

  it('lists what is supported in the usual order', () => {
    expect(refusal('source.deps', 'glob')).toContain('\nSupported here: read, write, check, undo\n');
  });

  it('says so when nothing is supported', () => {
    expect(refusal('source.empty', 'read')).toContain('\nSupported here: nothing\nTry: source(), memory(), tasks()');
  });

  it('leaves the hints out when there is no better place', () => {
    expect(refusal('source', 'undelete')).toBe(
      'ResourceError: source does not support undelete.\nSupported here: read, write, edit, glob, grep',
    );
  });

  it('suggests the nearest tool for a verb that exists nowhere', () => {
    expect(refusal('source', 'reed')).toBe(
      'ResourceError: source does not support reed. Did you mean read?\n' +
        'Supported here: read, write, edit, glob, grep',
    );
  });

  it('takes a verb that exists somewhere at its word', () => {
    const tree = registry(['checks'], WORLD);
    expect(refusal('', 'check', tree)).toBe('ResourceError: home does not support check.\nSupported here: checks');
  });

  it('names the root spaces at home', () => {
    expect(refusal('', 'grep', registry(['read'], WORLD))).toBe(
      'ResourceError: home does not support grep.\nSupported here: read\nTry: memory(), source(), tasks()',
    );
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('knows no tool %s', (verb) => {
    expect(refusal('source', verb)).toContain(`source does not support ${verb}.`);
  });

  it('says that a space is gone, and where to go on', () => {
    expect(refusal('source.gone.deeper', 'read')).toBe(
      'ResourceError: source.gone.deeper is not there any more. Nothing was called.\nTry: source(), home()',
    );
    expect(refusal('gone', 'read')).toContain('\nTry: home()');
  });
});
