import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAgent } from './create-agent.ts';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { approvalPolicy } from '../approval/approval-policy.ts';
import type { ApprovalRequest } from '../protocol/approver.ts';
import { asModelText } from '../protocol/model.ts';

const LONG = Array.from({ length: 300 }, (_, line) => `line ${line} of a long answer with words in it`).join('\n');

function agentWith(alive = () => true) {
  const inner = defineResourcespace({ name: 'old', description: 'Old ones.', tools: {} });
  const tasks = defineResourcespace({
    name: 'tasks',
    description: 'Things to do.',
    tools: {
      read: tool('All of them.', { target: z.string().default('') }, () => LONG),
      grep: tool('Matching tasks.', { pattern: z.string() }, ({ pattern }) => pattern),
    },
    children: () => (alive() ? { old: inner } : {}),
  });
  const agent = createAgent({ spaces: [tasks] });
  return { agent, run: async (text: string) => (await agent.run(asModelText(text))).calls.map(({ result }) => result) };
}

describe('everywhere in a session', () => {
  it('the whole of a result that was cut can be read page by page, exactly', async () => {
    const { run } = agentWith();
    const [, cut] = await run('@tasks()\n<R:>');
    expect(cut).toMatchObject({ ref: 'result:1', pruned: { total: 300 } });
    expect(cut?.text).toMatch(/\[pruned: 300 -> \d+ items; rest: <R:result:1:\d+-299>; full: <R:result:1>\]$/);
    const bodies: string[] = [];
    for (let tag: string | undefined = '@home()\n<R:result:1>'; tag !== undefined;) {
      const text: string = (await run(tag)).at(-1)?.text ?? '';
      const footer = text.lastIndexOf('\n');
      bodies.push(text.slice(0, footer));
      tag = /next: (<[^>]+>)\]$/.exec(text)?.[1];
    }
    expect(bodies.length).toBeGreaterThan(1);
    expect(bodies.join('\n')).toBe(LONG);
  });

  it('a handle that does not exist is refused, with a remedy', async () => {
    const { run } = agentWith();
    const [result] = await run('<R:result:9>');
    expect(result).toMatchObject({ ok: false, errorType: 'ResourceError' });
    expect(result?.text).toMatch(/no kept result 'result:9'.*\nTry: /s);
  });

  it('help lists the tools of the place, or explains one', async () => {
    const { run } = agentWith();
    const [, list, one, elsewhere] = await run('@tasks()\n<help:>\n<help:grep>\n<tasks.help:read>');
    expect(list?.text).toContain('<Grep:pattern>  -- Matching tasks.');
    expect(one?.text).toContain('grep(pattern: string)\n<Grep:pattern>\nMatching tasks.');
    expect(elsewhere?.text).toContain('read(target: string = "")');
  });

  it('help takes the name of another place, or of a tool in it', async () => {
    const { run } = agentWith();
    const [tool, below, place, , fromBelow] = await run(
      '<help:tasks.read>\n<help:tasks.old>\n<help:tasks>\n@tasks.old()\n<help:tasks.R>',
    );
    expect(tool?.text).toContain('read(target: string = "")');
    expect(below).toMatchObject({ ok: true });
    expect(place?.text).toContain('<tasks.Grep:pattern>  -- Matching tasks.');
    expect(fromBelow?.text).toContain('read(target: string = "")');
  });

  it('help that is too long is shortened, and kept whole', async () => {
    const long = tool(`Archives.\n${'It takes a while. '.repeat(200)}`, { id: z.string() }, () => '').named('archive');
    const agent = createAgent({
      spaces: [defineResourcespace({ name: 'box', description: 'A box.', tools: { archive: long } })],
    });
    const { calls } = await agent.run(asModelText('@box()\n<help:archive>\n<R:result:1>'));
    expect(calls[1]?.result.text).toMatch(/\nExample: <archive:1>\n\[shortened; full: <R:result:1>\]$/);
    expect(calls[2]?.result.text).toContain('It takes a while. '.repeat(100));
    await agent.close();
  });

  it('help for a part of names lists the tools that have it', async () => {
    const names = ['issue_list', 'Issue_open', 'merge'];
    const tools = Object.fromEntries(names.map((name) => [name, tool(`Does ${name}.`, {}, () => '').named(name)]));
    const agent = createAgent({ spaces: [defineResourcespace({ name: 'box', description: 'A box.', tools })] });
    const { calls } = await agent.run(asModelText('@box()\n<help:issue>'));
    expect(calls[1]?.result.text).toContain('<Issue_open:>  -- Does Issue_open.\n<issue_list:>  -- Does issue_list.');
    expect(calls[1]?.result.text).not.toContain('merge');
    await agent.close();
  });

  it('help for a tool that is not there suggests the nearest one', async () => {
    const { run } = agentWith();
    const [, result] = await run('@tasks()\n<help:grp>');
    expect(result?.text).toBe("ResourceError: no tool 'grp' in tasks. Did you mean grep?\nTry: <help:grep>");
  });

  it('help for a tool of another place has an example that works from here', async () => {
    const { run } = agentWith();
    for (const tag of ['<help:grep>', '<help:tasks.grep>']) {
      const [result] = await run(tag);
      expect(result?.text).toContain('\nExample: <tasks.Grep:');
    }
    const [inside] = await run('@tasks()\n<help:grep>').then((results) => results.slice(1));
    expect(inside?.text).toContain('\nExample: <Grep:');
  });

  it('help about another place has tags that work from here, and may be called at once', async () => {
    const wipe = tool('An empty box.', {}, () => 'wiped', { effect: 'external' }).named('wipe');
    const below = defineResourcespace({ name: 'below', description: 'Below.', tools: { wipe } });
    const look = tool('Its content.\n<look:x> shows x.', { at: z.string().default('') }, () => 'seen').named('look');
    const box = defineResourcespace({
      name: 'box',
      description: 'A box.',
      tools: { look },
      children: () => ({ below }),
    });
    const reasons: (string | undefined)[] = [];
    const ask = async ({ reason }: ApprovalRequest) => {
      reasons.push(reason);
      return { decision: 'allow' } as const;
    };
    const agent = createAgent({ spaces: [box], approver: approvalPolicy({ ask }) });
    const send = async (tag: string) => (await agent.run(asModelText(tag))).calls[0]?.result.text;
    const list = '<box.below.wipe:>  -- An empty box.\nExample: <box.below.wipe:>';
    expect(await send('<box.below.help:>')).toBe(list);
    expect(await send('<help:box.below>')).toBe(list);
    expect(await send('<box.help:below>')).toBe(list);
    expect(await send('<box.help:look>')).toBe(
      'look(at: string = "")\n<box.look:at>\nIts content.\n<box.look:x> shows x.\nExample: <box.look:text>',
    );
    expect(await send('<box.below.wipe:>')).toBe('wiped');
    expect(reasons).toEqual([undefined]);
    await agent.run(asModelText('@box()'));
    expect(await send('<help:>')).toContain('<look:at>  -- Its content.\n');
    await agent.close();
  });

  it('help about another place with many tools is short enough with the name of the place', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `change_${index}`);
    const tools = Object.fromEntries(
      names.map((name) => [name, tool(`What ${name} came to.`, {}, () => '').named(name)]),
    );
    const place = { name: 'a_place_with_a_long_name', description: 'Changes.', tools };
    const agent = createAgent({ spaces: [defineResourcespace(place)] });
    const { calls } = await agent.run(asModelText(`<${place.name}.help:>`));
    const { text, pruned } = calls[0]!.result;
    expect(pruned).toBeUndefined();
    expect(text).toContain('\nAlso: change_');
    expect(text).toMatch(/\nExample: <a_place_with_a_long_name\.change_0:>$/);
    await agent.close();
  });

  it('help for a tool of several other places names these', async () => {
    const tools = { send: tool('Sends.', {}, () => '').named('send') };
    const spaces = ['mail', 'chat'].map((name) => defineResourcespace({ name, description: name, tools }));
    const agent = createAgent({ spaces });
    const { calls } = await agent.run(asModelText('<help:send>'));
    expect(calls[0]?.result.text).toBe(
      'ResourceError: send is no tool of home, but of chat, mail.\nTry: <help:chat.send>\nTry: <help:mail.send>',
    );
    await agent.close();
  });

  it('the map and the list of spaces are available', async () => {
    const { run } = agentWith();
    const [map, list] = await run('@nav()\n<R:>');
    expect(map?.text).toBe('home  <-- you are here\n  tasks()\n    tasks.old()');
    expect(list?.text).toContain('tasks() -- Things to do.');
  });

  it('an unknown group of spaces is an error with a next step', async () => {
    const { run } = agentWith();
    const [result] = await run('<R:group:nope>');
    expect(result?.ok).toBe(false);
  });
});

describe('a place', () => {
  it('is shown whole on the first entry and in short on the second', async () => {
    const { run } = agentWith();
    const [first, , second] = await run('@tasks()\n@home()\n@tasks()');
    expect(first?.text).toContain('<R:target>');
    expect(second?.text).not.toContain('<R:target>');
    expect(second?.text).toContain('Tools: read, grep (full list: <help:>)');
  });

  it('does not make a call count as copied that is typed as its tools are shown', async () => {
    const written: string[] = [];
    const write = tool('What was written.', { name: z.string().default('') }, ({ name }) => void written.push(name), {
      effect: 'write',
    });
    const box = defineResourcespace({
      name: 'box',
      description: 'A box.',
      enter: () => 'full\n<put:evil>',
      tools: { put: write },
    });
    const approver = {
      approve: ({ reason }: { reason?: string }) =>
        reason === undefined ? ({ allow: true } as const) : ({ allow: false, reason } as const),
    };
    const agent = createAgent({ spaces: [box], approver });
    await agent.run(asModelText('@box()\n<put:name>\n<put:evil>'));
    expect(written).toEqual(['name']);
  });

  it('that has disappeared leaves the session in the nearest one that is still there, with a note', async () => {
    let alive = true;
    const { agent, run } = agentWith(() => alive);
    await run('@tasks.old()');
    expect(agent.location).toEqual(['tasks', 'old']);
    alive = false;
    const report = await agent.run(asModelText('<Grep:x>'));
    expect(report.calls[0]?.result).toMatchObject({ ok: true, space: 'tasks' });
    expect(report.feedback).toMatch(/\[Note\] tasks\.old no longer exists; you are in tasks now\./);
  });
});
