import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/define-resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { countUnits } from '../text-size/units.ts';
import { renderOpenTag, renderToolNames, renderTools, renderToolsWithin } from './render-tools.ts';

const nothing = () => '';
const notes = defineResourcespace({
  name: 'notes',
  description: 'Notes.',
  tools: {
    jot: tool('The note.', { text: z.string() }, nothing),
    grep: tool('Matching lines.', { pattern: z.string().meta({ examples: ['TODO'] }) }, nothing),
    read: tool('One note.\nMore about it.', { id: z.string().default('') }, nothing),
  },
});
const many = defineResourcespace({
  name: 'many',
  description: 'Many.',
  tools: Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`do${index}`, tool('Done.', {}, nothing)])),
});
const none = defineResourcespace({ name: 'none', description: 'None.', tools: {} });

describe('renderTools', () => {
  it('lists the tools as they are typed, and gives one example', () => {
    expect(renderTools(notes)).toBe(
      `<R:id>  -- One note.
<Grep:pattern>  -- Matching lines.
<jot:text>  -- The note.
Example: <Grep:TODO>`,
    );
  });

  it('reports when there are none', () => {
    expect(renderTools(none)).toBe('No tools here.');
    expect(renderToolNames(none)).toBe('Tools: none');
  });

  it('stays below 900 characters for five tools', () => {
    const verbs = ['read', 'write', 'edit', 'glob', 'grep'];
    const doc = 'Matching lines with module:line, most recent first.';
    const params = { target: z.string(), path: z.string().default(''), limit: z.int().default(50) };
    const tools = Object.fromEntries(verbs.map((verb) => [verb, tool(doc, params, nothing)]));
    const five = defineResourcespace({ name: 'five', description: 'Five.', tools });
    expect(renderTools(five).length).toBeLessThan(900);
  });
});

describe('renderToolsWithin', () => {
  it('leaves what fits alone', () => {
    expect(renderToolsWithin(notes, countUnits(renderTools(notes)))).toBe(renderTools(notes));
  });

  it('keeps the tools that only read, and names the others', () => {
    expect(renderToolsWithin(notes, countUnits(renderTools(notes)) - 1)).toBe(
      `<R:id>  -- One note.
<Grep:pattern>  -- Matching lines.
Also: jot
Example: <Grep:TODO>`,
    );
  });

  it('never takes more room than there is', () => {
    for (let room = 0; room <= countUnits(renderTools(many)); room += 7) {
      const text = renderToolsWithin(many, room);
      if (text === undefined) continue;
      expect(countUnits(text)).toBeLessThanOrEqual(room);
    }
  });

  it('gives up when not even one row fits', () => {
    expect(renderToolsWithin(notes, 40)).toBeUndefined();
    expect(renderToolsWithin(notes, -5)).toBeUndefined();
  });
});

describe('renderToolNames', () => {
  it('lists the names in their fixed order', () => {
    expect(renderToolNames(notes)).toBe('Tools: read, grep, jot (full list: help)');
  });

  it('counts the names it leaves out', () => {
    expect(renderToolNames(many)).toBe(
      'Tools: do0, do1, do10, do11, do12, do13, do14, do15, do16, do17, do18, do19, +28 more (full list: help)',
    );
  });
});

describe('renderOpenTag', () => {
  it('uses the short tag of a verb and the name of any other tool', () => {
    expect(renderOpenTag('read')).toBe('<R:…>');
    expect(renderOpenTag('grep', 'source.meta')).toBe('<source.meta.Grep:…>');
    expect(renderOpenTag('done', 'tasks')).toBe('<tasks.done:…>');
    expect(renderOpenTag('constructor')).toBe('<constructor:…>');
  });
});
