import { describe, expect, it } from 'vitest';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { asModelText } from '../protocol/model.ts';
import { createScriptedModel } from '../../test/scripted-model.ts';
import { createAgent } from './create-agent.ts';

const NOTICE = "[Parse problem] line 1: no tool 'sorce.R'. Did you mean source.R? Type <source.R:math>.";

const source = defineResourcespace({
  name: 'source',
  description: 'Code.',
  tools: { read: tool('All.', {}, () => 'some code') },
});

describe('a tag with a misspelt space', () => {
  it('gets the name that was meant', async () => {
    const report = await createAgent({ spaces: [source] }).run(asModelText('<sorce.R:math>'));
    expect(report).toMatchObject({ calls: [], problems: [{ code: 'unknown-tool', line: 1 }] });
    expect(report.feedback).toContain(NOTICE);
  });

  it('is not taken for the final answer of a model until it is sent again', async () => {
    const { model, sends } = createScriptedModel('<sorce.R:math>', '<sorce.R:math>');
    await createAgent({ spaces: [source], model }).ask('look');
    expect(sends).toHaveLength(2);
    expect(sends[1]?.at(-1)?.text).toContain(NOTICE);
  });
});

describe('a misspelt move', () => {
  const callsOf = async (text: string) =>
    (await createAgent({ spaces: [source] }).run(asModelText(text))).calls.map(({ call }) => call.verb);

  it.each(['@source()', 'I will look.', 'Look at it', '', '<R:math>', 'let me see', '- a point'])(
    'above %j is a move, which fails',
    async (next) => {
      expect(await callsOf(`@sorce()\n${next}`)).toContain('go');
    },
  );

  it.each([
    'class Math {}',
    'export class Math {}',
    'async run() {}',
    'def run(self):',
    '  name: string;',
    'name = 1',
    'private name;',
    '@other()',
    'void run() {',
    '#name: string;',
  ])('above %j is a decorator', async (next) => {
    expect(await callsOf(`@sorce()\n${next}`)).toEqual([]);
  });
});
