import { defineResourcespace, tool, type SpaceDefinition, type SpaceSource } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { notesParts, spaceOf } from '../../test/notes-space.ts';
import { OpenSpace } from './open-space.ts';
import { findEdit, findMatchingCall, findReadingCalls, findReadable, findWrite } from './sample-calls.ts';

const target = z.string().default('').describe('Name');

function open(space: SpaceSource): Promise<OpenSpace> {
  return OpenSpace.open({ create: () => space, samples: {}, patienceMs: 1000 });
}

function shelf(tools: Parameters<typeof defineResourcespace>[0]['tools']): SpaceDefinition {
  return defineResourcespace({ name: 'shelf', description: 'Things on a shelf.', tools });
}

/** A read over a map that a write may fill. */
function reader(things: ReadonlyMap<string, string>) {
  return tool('A thing, or all names.', { target }, ({ target: name }) => {
    if (name === '') return [...things.keys()].map((key) => `- ${key}`).join('\n') || 'Nothing is here.';
    if (!things.has(name)) throw new Error('not here');
    return things.get(name);
  });
}

describe('without samples the kit', () => {
  it('reads what a listing names', async () => {
    expect(await findReadable(await open(shelf({ read: reader(new Map([['lamp', 'A lamp.']])) })))).toBe('lamp');
  });

  it('reads what it wrote, where there is nothing yet', async () => {
    const things = new Map<string, string>();
    const params = { name: z.string().meta({ examples: ['vase'] }), text: z.string() };
    const write = tool('What was put there.', params, ({ name, text }) => things.set(name, text) && 'Put.', {
      body: 'text',
    });
    expect(await findReadable(await open(shelf({ read: reader(things), write })))).toBe('vase');
  });

  it('does not take a sentence about there being none for a thing', async () => {
    expect(await findReadable(await open(shelf({ read: reader(new Map()) })))).toBeUndefined();
    const silent = tool('Nothing.', { target }, () => undefined);
    expect(await findReadable(await open(shelf({ read: silent })))).toBeUndefined();
  });

  it('searches for a word that it has read', async () => {
    const { grep, read } = spaceOf(notesParts()).tools;
    const call = await findMatchingCall(await open(shelf({ grep: grep!, read: read! })), 'grep');
    expect(call).toEqual({ tool: 'grep', args: { pattern: 'entry' } });
  });

  it('replaces a word that occurs once', async () => {
    const params = { name: target, old: z.string(), new: z.string() };
    const edit = tool('What changed.', params, () => 'Changed.');
    const change = await findEdit(await open(shelf({ edit, read: reader(new Map([['lamp', 'very very bright']])) })));
    expect(change).toMatchObject({ args: { name: 'lamp', old: 'bright', new: 'conformance' }, readAs: 'lamp' });
  });

  it('replaces the first line where an edit takes a range', async () => {
    const edit = tool('What changed.', { name: target, text: z.string() }, () => 'x', { body: 'text', range: true });
    const change = await findEdit(await open(shelf({ edit, read: reader(new Map([['lamp', 'bright']])) })));
    expect(change).toMatchObject({ args: { name: 'lamp:1-1', text: 'conformance' }, readAs: 'lamp' });
  });

  it('never calls what leaves the machine, nor what changes something unknown', async () => {
    const called: string[] = [];
    const noted = (name: string, effect: 'read' | 'write' | 'external') =>
      tool('What was called.', { name: target, text: z.string() }, () => called.push(name), { body: 'text', effect });
    const space = shelf({
      write: noted('write', 'external'),
      edit: noted('edit', 'external'),
      deploy: noted('deploy', 'write'),
      look: noted('look', 'read'),
    });
    const opened = await open(space);
    expect([findWrite(opened), await findEdit(opened)]).toEqual([undefined, undefined]);
    expect(await findReadingCalls(opened)).toEqual([{ tool: 'look', args: { text: 'conformance' } }]);
    expect(called).toEqual(['look']);
  });
});
