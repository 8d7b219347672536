import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/define-resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import { Registry } from '../registry/registry.ts';
import { resolveCall } from './resolve-call.ts';
import type { SessionAnswers } from './session-answers.ts';

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

  it('keeps an edit whose keywords are open', () => {
    const open = tool('Edited.', z.looseObject({ id: z.string() }), () => 'edited');
    expect(verbOf(call('edit', '12 status=done'), home({ read, edit: open }))).toBe('edit');
  });

  it('makes a read of an empty edit where nothing can be edited', () => {
    expect(verbOf(call('edit', 'a.py'), home({ read }))).toBe('read');
    expect(() => verbOf(call('edit', 'a.py', { body: 'x' }), home({ read }))).toThrow('home does not support edit.');
  });

  it("asks the session's own tools first, and tells them where the call would run", () => {
    const asked: string[] = [];
    const help = tool('Help.', {}, () => 'help').named('help');
    const answers: SessionAnswers = {
      find({ verb, arg }, space) {
        asked.push(`${verb} ${arg} at ${space}`);
        return verb === 'help' || arg === 'result:1' ? help : undefined;
      },
    };
    const find = (verb: string, arg: string) => resolveCall(call(verb, arg), { tree, at: [], answers }).definition.name;
    expect([find('help', ''), find('read', 'result:1'), find('edit', 'result:1'), find('read', 'a')]).toEqual([
      'help',
      'help',
      'help',
      'read',
    ]);
    expect(asked).toEqual(['help  at home', 'read result:1 at home', 'read result:1 at home', 'read a at home']);
  });

  it("finds the session's own tools even where the space is gone", () => {
    const help = tool('Help.', {}, () => 'help').named('help');
    const resolved = resolveCall(call('help', ''), { tree, at: ['gone'], answers: { find: () => help } });
    expect(resolved).toMatchObject({ space: 'gone', definition: { name: 'help' } });
  });
});
