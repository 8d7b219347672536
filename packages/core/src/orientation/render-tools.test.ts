import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { CHAR_CAP } from '../protocol/limits.ts';
import { isWithinLimit, countUnits, isWithinUnits } from '../text-size/text-size.ts';
import {
  renderOpenTag,
  renderToolHelpWithin,
  renderToolList,
  renderToolNames,
  renderTools,
  renderToolsWithin,
} from './render-tools.ts';

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

const within = (room: number) => (text: string) => isWithinUnits(text, room);

describe('renderToolsWithin', () => {
  it('leaves what fits alone', () => {
    expect(renderToolsWithin(notes, within(countUnits(renderTools(notes))))).toBe(renderTools(notes));
  });

  it('leaves out descriptions first, then the types of what is optional', () => {
    const params = { id: z.string(), state: z.enum(['open', 'done']).optional(), limit: z.int().optional() };
    const list = defineResourcespace({
      name: 'list',
      description: 'List.',
      tools: { list: tool('All of them.', params, nothing), drop: tool('Nothing.', {}, nothing) },
    });
    const bare = `<drop:>
<list:id> [state:open|done limit:int]
Example: <drop:>`;
    expect(renderToolsWithin(list, within(countUnits(renderTools(list)) - 1))).toBe(bare);
    expect(renderToolsWithin(list, within(countUnits(bare) - 1))).toBe(`<drop:>
<list:id> [state limit]
Example: <drop:>`);
  });

  it('then keeps the tools that only read, and names the others', () => {
    expect(renderToolsWithin(notes, within(52))).toBe(
      `<R:id>
<Grep:pattern>
Also: jot
Example: <Grep:TODO>`,
    );
  });

  it('never takes more room than there is', () => {
    for (let room = 0; room <= countUnits(renderTools(many)); room += 7) {
      const text = renderToolsWithin(many, within(room));
      if (text === undefined) continue;
      expect(countUnits(text)).toBeLessThanOrEqual(room);
    }
  });

  it('gives up when not even one row fits', () => {
    expect(renderToolsWithin(notes, within(30))).toBeUndefined();
    expect(renderToolsWithin(notes, within(-5))).toBeUndefined();
  });

  it('names as many as fit where the names alone are too many', () => {
    expect(renderToolsWithin(words(60), within(450))).toMatch(
      /^Tools: change_\{label_of_note_0 [^,}]*\}, \+\d+ more: <help:>\nExample: <change_label_of_note_0:>$/,
    );
  });
});

/** A place with so many tools of two first words. */
function words(count: number) {
  const pairs = Array.from({ length: count / 2 }, (_, index) => [
    `change_label_of_note_${index}`,
    `drop_label_of_note_${index}`,
  ]);
  const tools = pairs.flat().map((name) => [name, tool('Done.', {}, nothing)] as const);
  return defineResourcespace({ name: 'words', description: 'Words.', tools: Object.fromEntries(tools) });
}

describe('renderToolList', () => {
  it('has a line for every tool while they fit', () => {
    expect(renderToolList(notes, CHAR_CAP)).toBe(renderTools(notes));
  });

  it('begins where the entry ends: with the tools that change something', () => {
    const lists = Array.from({ length: 100 }, (_, cap) => renderToolList(notes, cap));
    expect(lists).toContain('<jot:text>\nAlso: read, grep\nExample: <Grep:TODO>');
    expect(lists).not.toContain('<R:id>\nAlso: grep, jot\nExample: <Grep:TODO>');
  });

  it('has at least all names, with their first words once', () => {
    expect(renderToolList(words(60), 1100)).toMatch(
      /^60 tools; <help:NAME> explains one, <help:WORD> lists those with it: change_\{label_of_note_0 .* label_of_note_9\} drop_\{label_of_note_0 .*\}$/,
    );
  });
});

describe('renderToolHelpWithin', () => {
  it('shows the whole types of parameters that take JSON, and shorter ones where that is too much', () => {
    const plan = (doc: string) => {
      const step = z.looseObject({ at: z.array(z.number()).describe(doc), how: z.enum(['walk', 'ride']).optional() });
      const shape = {
        names: z.array(z.string()),
        steps: z.array(step).describe('All of them'),
        more: z.record(z.string(), z.boolean()).optional(),
      };
      return renderToolHelpWithin(tool('Plans a way.', shape, nothing).named('plan'), CHAR_CAP);
    };
    expect(plan('In metres').text).toBe(
      [
        'plan(names: string[], steps: json, more?: json)',
        '<plan:names,…>{"steps":[{"at":…}]}</plan> [more:{…}]',
        'Plans a way.',
        '- steps: { at: number[] /* In metres */; how?: "walk" | "ride" }[] -- All of them',
        '- more: Record<string, boolean>',
        'Example: <plan:one, two steps=[{"at":[1]}]>',
      ].join('\n'),
    );
    const { text, whole } = plan('In metres. '.repeat(300));
    expect(text).toContain('\n- steps: { at: number[]; how?: "walk" | "ride" }[] -- All of them\n');
    expect(whole).toContain('/* In metres. In metres. ');
  });

  const params = {
    id: z.string().describe('Which note.'),
    text: z.string().describe('All of the text. '.repeat(40)),
  };

  it('says everything while that fits', () => {
    const { jot } = notes.tools;
    expect(renderToolHelpWithin(jot!, CHAR_CAP)).toEqual({
      text: 'jot(text: string)\n<jot:text>\nThe note.\nExample: <jot:text>',
    });
  });

  it('shortens descriptions, never the signature nor the example', () => {
    const definition = tool(`Changes a note.\n${'It is saved at once. '.repeat(100)}`, params, nothing).named('change');
    const { text, whole } = renderToolHelpWithin(definition, CHAR_CAP);
    expect(isWithinLimit(text, CHAR_CAP)).toBe(true);
    expect(text).toMatch(
      /^change\(id: string, text: string\)\n<change:id text="">\nChanges a note\.\nIt is saved at once\. /,
    );
    expect(text).toMatch(/…\n- id: Which note\.\n- text: All of the text\. [^…]*…\nExample: <change:1 text=text>$/);
    expect(whole).toContain('It is saved at once. '.repeat(99));
  });

  it('shows one signature of a tool with dozens of parameters', () => {
    const fields = Array.from({ length: 40 }, (_, index) => [`setting_of_the_project_${index}`, z.string().optional()]);
    const definition = tool('Changes settings.', Object.fromEntries(fields), nothing).named('change');
    const { text } = renderToolHelpWithin(definition, CHAR_CAP);
    expect(text).toMatch(
      /^<change:setting_of_the_project_0> \[.* setting_of_the_project_39\]\nExample: <change:text>$/,
    );
  });
});

describe('renderToolNames', () => {
  it('lists the names in their fixed order', () => {
    expect(renderToolNames(notes)).toBe('Tools: read, grep, jot (full list: <help:>)');
  });

  it('counts the names it leaves out', () => {
    expect(renderToolNames(many)).toBe(
      'Tools: do0, do1, do10, do11, do12, do13, do14, do15, do16, do17, do18, do19, +28 more (full list: <help:>)',
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
