import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tool } from '../decorators/tool.ts';
import { asModelText } from '../protocol/model.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { allowAll } from '../approval/approval-policy.ts';
import { createAgent } from './create-agent.ts';

/** A place that learns its tools when it is entered, as a server does that could not be asked before. */
function openLate() {
  const made: string[] = [];
  let tools: Record<string, ToolDefinition> = {};
  const box: SpaceDefinition = {
    name: 'box',
    description: 'A box.',
    get tools() {
      return tools;
    },
    enter: () => {
      const add = tool('Adds it.', { what: z.string(), note: z.string().default('') }, ({ what, note }) => {
        made.push(`${what}${note}`);
        return `added ${what}`;
      });
      tools = { add_item: add.named('add_item') };
      return '';
    },
    children: () => ({}),
  };
  const agent = createAgent({ spaces: [box], approver: allowAll });
  const run = (text: string) => agent.run(asModelText(text));
  return { run, made };
}

describe('a call of a tool that its place did not know before it was entered', () => {
  it('runs, in the response that enters it', async () => {
    const { run, made } = openLate();
    const { calls, problems } = await run('I enter it.\n@box()\n<add_item:milk>\n<add_item:tea note=!>\nDone.');
    expect(calls.map(({ call }) => call.tag)).toEqual(['@box()', '<add_item:milk>', '<add_item:tea note=!>']);
    expect(problems).toEqual([]);
    expect(made).toEqual(['milk', 'tea!']);
  });

  it('is not made where it stands before that', async () => {
    const { run, made } = openLate();
    await run('<add_item:early>\n@box()\n<add_item:late>');
    expect(made).toEqual(['late']);
  });

  it('is answered when it is misspelt', async () => {
    const { run, made } = openLate();
    const { feedback } = await run('@box()\n<add_itm:milk>');
    expect(feedback).toContain("no tool 'add_itm'. Did you mean add_item?");
    expect(made).toEqual([]);
  });

  it('is not made twice, and others stay as they were', async () => {
    const { run, made } = openLate();
    await run('@box()\n@home()\n@box()\n<add_item:milk>');
    expect(made).toEqual(['milk']);
  });
});
