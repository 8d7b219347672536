import { describe, expect, it } from 'vitest';
import { defineResourcespace, readSpaceRecord, resourcespace } from './resourcespace.ts';

const define = (name: string, description = 'One line.') => defineResourcespace({ name, description, tools: {} });

describe('the name of a space', () => {
  it.each(['', 'a b', '1st', 'a.b', 'ä', 'a()'])('is an identifier; %j is refused', (name) => {
    expect(() => define(name)).toThrow(`got ${JSON.stringify(name)}. Example: 'tickets'.`);
  });

  it.each(['home', 'back', 'up', 'nav', 'where', 'help', 'read', 'grep', 'group', 'result', 'Home'])(
    'may not be %s, which means something else',
    (name) => {
      expect(() => define(name)).toThrow(`'${name}' already has another meaning in bae.`);
    },
  );

  it.each(['tasks', 'my-space', '_x', 'crm2'])('may be %s', (name) => {
    expect(define(name).name).toBe(name);
  });

  it.each(['', '  ', 'two\nlines'])('comes with a description of one line; %j is refused', (description) => {
    expect(() => define('tasks', description)).toThrow("space 'tasks' needs a one-line description.");
  });
});

describe('resourcespace', () => {
  it('writes the record onto the class and nothing else', () => {
    @resourcespace({ name: 'tickets', description: 'Support tickets.', group: 'shop' })
    class Tickets {
      enter() {
        return '';
      }
    }
    expect(readSpaceRecord(Tickets)).toEqual({ name: 'tickets', description: 'Support tickets.', group: 'shop' });
    expect(Object.getOwnPropertyNames(Tickets.prototype)).toEqual(['constructor', 'enter']);
  });

  it('refuses a bad name at the class, before anything runs', () => {
    expect(() => resourcespace({ name: 'a b', description: 'x' })).toThrow('is an identifier');
  });
});

describe('defineResourcespace', () => {
  it('fills in an empty state and no children', () => {
    const space = define('tasks');
    expect(space.enter()).toBe('');
    expect(space.children()).toEqual({});
  });

  it('keeps its members as they were written', () => {
    const space = defineResourcespace({
      name: 'tasks',
      description: 'One line.',
      tools: {},
      enter() {
        return `${this.name} here`;
      },
      children: () => ({ inner: define('inner') }),
      status: () => ({ open: 3 }),
    });
    expect(space.enter()).toBe('tasks here');
    expect(Object.keys(space.children())).toEqual(['inner']);
    expect(space.status?.()).toEqual({ open: 3 });
  });
});
