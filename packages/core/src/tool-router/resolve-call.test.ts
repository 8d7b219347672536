import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { renderError } from '../feedback/render-feedback.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import { Registry } from '../registry/registry.ts';
import { resolveCall, resolveTool, type SessionTools } from './resolve-call.ts';

const text = z.string().default('');

function home(tools: Parameters<typeof defineResourcespace>[0]['tools']): Registry {
  return new Registry(defineResourcespace({ name: 'files', description: 'Files.', tools }));
}

const read = tool('Read.', { target: text }, () => 'read');
const edit = tool('Edited.', { target: z.string(), status: text, body: text }, () => 'edited', { body: 'body' });
const tree = home({ read, edit });

function call(verb: string, arg: string, more: Partial<ToolCall> = {}): ToolCall {
  return { verb, arg, line: 1, tag: `<${verb}:${arg}>`, ...more };
}

function verbOf(asked: ToolCall, scope = tree): string {
  const { call, definition } = resolveCall(asked, { tree: scope, at: [] });
  expect(call.verb).toBe(definition.name);
  return definition.name;
}

describe('resolveCall', () => {
  it('makes a read of an edit that changes nothing', () => {
    expect(verbOf(call('edit', 'a.py'))).toBe('read');
    expect(verbOf(call('edit', 'a.py:1-5', { kwargs: {} }))).toBe('read');
    expect(verbOf(call('edit', 'a.py colour=red'))).toBe('read');
  });

  it('keeps an edit that has a body or a keyword', () => {
    expect(verbOf(call('edit', 'a.py', { body: '' }))).toBe('edit');
    expect(verbOf(call('edit', 'a.py', { kwargs: { status: 'done' } }))).toBe('edit');
    expect(verbOf(call('edit', 'a.py status=done'))).toBe('edit');
  });

  it('takes an empty line between the tags of a text for a line break, and leaves other calls as they are', () => {
    const done = tool('Done.', { target: text, body: text }, () => 'done', { body: 'body' });
    const all = home({ edit, done });
    const asked = (verb: string, body: string, isEmptyLine: boolean) =>
      resolveCall(call(verb, 'a', { body, block: true, isEmptyLine }), { tree: all, at: [] }).call;
    expect(asked('edit', '', true)).toMatchObject({ body: '\n', block: false });
    expect(asked('edit', '', false)).toMatchObject({ body: '', block: true });
    expect(asked('done', '', true)).toMatchObject({ body: '', block: true });
  });

  it('keeps an edit whose keywords are open', () => {
    const open = tool('Edited.', z.looseObject({ id: z.string() }), () => 'edited');
    expect(verbOf(call('edit', '12 status=done'), home({ read, edit: open }))).toBe('edit');
  });

  it('makes a read of an empty edit where nothing can be edited', () => {
    expect(verbOf(call('edit', 'a.py'), home({ read }))).toBe('read');
    expect(() => verbOf(call('edit', 'a.py', { body: 'x' }), home({ read }))).toThrow('home does not support edit.');
  });

  it("tries the session's own tools first, with the space where the call would run", () => {
    const asked: string[] = [];
    const help = tool('Help.', {}, () => 'help').named('help');
    const sessionTools: SessionTools = ({ verb, arg }, space) => {
      asked.push(`${verb} ${arg} at ${space}`);
      return verb === 'help' || arg === 'result:1' ? help : undefined;
    };
    const find = (verb: string, arg: string) =>
      resolveCall(call(verb, arg), { tree, at: [], sessionTools }).definition.name;
    expect([find('help', ''), find('read', 'result:1'), find('edit', 'result:1'), find('read', 'a')]).toEqual([
      'help',
      'help',
      'help',
      'read',
    ]);
    expect(asked).toEqual(['help  at home', 'read result:1 at home', 'read result:1 at home', 'read a at home']);
  });

  it.each<readonly [string, ToolCall, string]>([
    ['a tag', call('grep', 'TO.DO path=a b', { tag: '<Grep:TO.DO path=a b>' }), '<home.Grep:TO.DO path=a b>'],
    ['a qualified tag', call('grep', 'a', { space: 'notes', tag: '<notes.Grep:a>' }), '<home.Grep:a>'],
    ['a body', call('write', 'a.md', { tag: '<W:a.md>', body: 'text' }), '<home.W:a.md>…</home.W>'],
    ['code', call('grep', '', { tag: 'notes.grep("a.b")', kwargs: { text: 'a.b' } }), 'home.grep("a.b")'],
    [
      'JSON',
      call('grep', '', { form: 'json', kwargs: { text: 'a' } }),
      '{"name":"home.grep","arguments":{"text":"a"}}',
    ],
  ])('offers, where a place lacks what home has, the same call there: %s', (_, asked, offered) => {
    const notes = registry(ALL, [space('notes', ['read'])]);
    const resolve = (tree: Registry) => () => resolveCall(asked, { tree, at: ['notes'] });
    expect(resolve(notes)).toThrow(expect.objectContaining({ hints: [offered, 'home()'] }));
    expect(resolve(registry(['read'], [space('notes', ['read'])]))).toThrow(expect.objectContaining({ hints: [] }));
    const gone = registry(ALL, []);
    expect(resolve(gone)).toThrow(expect.objectContaining({ hints: ['home()'] }));
    const long = { ...asked, tag: `<Grep:${'a'.repeat(300)}>`, kwargs: { text: 'a'.repeat(300) } };
    expect(() => resolveCall(long, { tree: notes, at: ['notes'] })).toThrow(
      expect.objectContaining({ hints: ['home()'] }),
    );
  });

  it.each<readonly [string, readonly string[], ToolCall, readonly string[]]>([
    ['a root space', [], call('status', '-s', { tag: '<status:-s>' }), ['<git.status:-s>']],
    ['a subspace', [], call('check', 'a', { tag: '<check:a>' }), ['<source.deps.check:a>']],
    ['another space', ['git'], call('check', 'a', { tag: '<git.check:a>', space: 'git' }), ['<source.deps.check:a>']],
    ['below', ['eu'], call('build', 'a', { tag: '<eu.build:a>', space: 'eu' }), ['<eu.pipes.build:a>']],
    ['beside', ['eu', 'runs'], call('build', '', { tag: '<build:>' }), ['<eu.pipes.build:>']],
    ['several', [], call('twice', '', { tag: '<twice:>' }), ['git()', 'source()']],
    ['none', [], call('nothing', '', { tag: '<nothing:>' }), []],
  ])('offers a call of the only place that has its tool: %s', (_, at, asked, hints) => {
    const deps = space('deps', ['check']);
    const accounts = ['us', 'eu'].map((name) => space(name, [], [space('pipes', ['build']), space('runs', [])]));
    const tree = registry(ALL, [space('git', ['status', 'twice']), space('source', ['twice'], [deps]), ...accounts]);
    expect(() => resolveCall(asked, { tree, at })).toThrow(expect.objectContaining({ hints }));
  });

  it.each<readonly [string, ToolCall, readonly string[]]>([
    [
      'a part of its name',
      call('run', 'a b', { tag: '<scripts.run:a b>', space: 'scripts' }),
      ['<scripts.run_script:a b>'],
    ],
    ['a misspelt name', call('chekc', '', { tag: '<chekc:>', body: 'x' }), ['<check:>…</check>']],
    [
      'JSON',
      call('run', '', { form: 'json', space: 'scripts', kwargs: { target: 'a' } }),
      ['{"name":"scripts.run_script","arguments":{"target":"a"}}'],
    ],
    ['a part of two names', call('all', '', { tag: '<all:>' }), []],
  ])('offers the call of the tool that was probably meant: %s', (_, asked, hints) => {
    const tree = registry(ALL, [space('scripts', ['run_script', 'check', 'check_all', 'stop_all'])]);
    expect(() => resolveCall(asked, { tree, at: ['scripts'] })).toThrow(expect.objectContaining({ hints }));
  });

  it('leads into a place without tools, which says why it has none', () => {
    const tree = registry(ALL, [space('box', [])]);
    expect(() => resolveCall(call('whoami', '', { tag: '<box.whoami:>' }), { tree, at: ['box'] })).toThrow(
      expect.objectContaining({ hints: ['box()'] }),
    );
  });

  it('offers the tool of the place that a read names', () => {
    const tree = registry(ALL, [space('git', ['status'])]);
    expect(() => resolveCall(call('read', 'status -s', { tag: '<git.R:status -s>' }), { tree, at: ['git'] })).toThrow(
      expect.objectContaining({ hints: ['<status:-s>'] }),
    );
    const elsewhere = call('read', 'status', { tag: '<git.R:status>', space: 'git' });
    expect(() => resolveCall(elsewhere, { tree, at: ['git'] })).toThrow(
      expect.objectContaining({ hints: ['<git.status:>'] }),
    );
  });

  it('takes no edit for a read where only home can edit', () => {
    const tree = home({ read, edit });
    tree.register(space('notes', ['read']));
    const resolve = (arg: string) => resolveCall(call('edit', arg, { tag: `<E:${arg}>` }), { tree, at: ['notes'] });
    expect(resolve('a.md').call.verb).toBe('read');
    expect(() => resolve('a.md status=done')).toThrow(
      expect.objectContaining({ hints: ['<home.E:a.md status=done>', 'home()'] }),
    );
  });

  it("finds the session's own tools even where the space is gone", () => {
    const help = tool('Help.', {}, () => 'help').named('help');
    const resolved = resolveCall(call('help', ''), { tree, at: ['gone'], sessionTools: () => help });
    expect(resolved).toMatchObject({ space: 'gone', definition: { name: 'help' } });
  });
});

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

  it('reports when nothing is supported', () => {
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

  it('suggests the only tool that has the verb in its name', () => {
    expect(refusal('checks', 'run', registry([], [space('checks', ['run_all', 'stop'])]))).toContain(
      'checks does not support run. Did you mean run_all?',
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

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('finds no tool %s', (verb) => {
    expect(refusal('source', verb)).toContain(`source does not support ${verb}.`);
  });

  it('reports that a space is gone, and where to continue', () => {
    expect(refusal('source.gone.deeper', 'read')).toBe(
      'ResourceError: source.gone.deeper no longer exists. Nothing was called.\nTry: source(), home()',
    );
    expect(refusal('gone', 'read')).toContain('\nTry: home()');
  });
});
