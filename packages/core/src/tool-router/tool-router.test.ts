import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { ResourceError } from '../errors/bae-error.ts';
import type { ApprovalOutcome, ApprovalRequest } from '../protocol/approver.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolContext, ToolOutput } from '../protocol/tool-definition.ts';
import { structuralPruner } from '../pruner/structural-pruner.ts';
import { Registry } from '../registry/registry.ts';
import { createMemoryResults } from '../results/kept-results.ts';
import { ToolRouter, type ToolRouterPorts } from './tool-router.ts';

type Tools = Parameters<typeof defineResourcespace>[0]['tools'];

const session = { id: 's', seen: new Map<string, string>() };
const longText = Array.from({ length: 200 }, (_, row) => `line ${row}: some content here`).join('\n');

interface Setting extends Partial<ToolRouterPorts> {
  readonly home?: Tools;
  readonly tasks?: Tools;
  /** Of the space `tasks`. */
  readonly answerLimit?: number;
}

function setting({ home = {}, tasks = {}, answerLimit, ...more }: Setting) {
  const tree = new Registry(defineResourcespace({ name: 'files', description: 'Files.', tools: home }));
  const limit = answerLimit === undefined ? {} : { answerLimit };
  tree.register(defineResourcespace({ name: 'tasks', description: 'Tasks.', tools: tasks, ...limit }));
  const asked: ApprovalRequest[] = [];
  const approve = (request: ApprovalRequest): ApprovalOutcome => {
    asked.push(request);
    return { allow: true };
  };
  const results = createMemoryResults();
  const host = {
    clock: { now: () => 7 },
    entropy: crypto,
    timers: globalThis as unknown as ToolRouterPorts['host']['timers'],
  };
  const ports = { tree, approver: { approve }, results, host, pruner: structuralPruner, cap: 2000, ...more };
  const router = new ToolRouter(ports);
  const turn = new AbortController();
  const send = (written: ToolCall, at: readonly string[] = []) =>
    router.dispatch(written, at, { signal: turn.signal, session });
  return { send, asked, results, turn };
}

function call(verb: string, arg: string, more: Partial<ToolCall> = {}): ToolCall {
  return { verb, arg, line: 1, tag: `<${verb}:${arg}>`, ...more };
}

const target = { target: z.string().default('') };

describe('ToolRouter', () => {
  it('says that the argument belongs between the tags when a tool takes only a body', async () => {
    const query = tool('Rows.', { sql: z.string() }, ({ sql }) => `got ${sql}`, { effect: 'read', body: 'sql' });
    const { send } = setting({ home: { query } });
    expect((await send(call('query', 'select 1'))).text).toBe(
      [
        "ParameterError: tool 'query' parameter error (1 problem)",
        '- sql: is not the argument but the body: write it between the tags',
        'Usage: query(sql: string)',
        '  Rows.',
        'Try: <query:>select 1</query>',
      ].join('\n'),
    );
    expect((await send(call('query', '', { body: 'select 1' }))).text).toBe('got select 1');
    expect((await send(call('query', 'select 1', { body: 'select 2' }))).text).toContain(
      '- arg: this tool takes no argument',
    );
  });

  it('runs the tool of the place', async () => {
    const { send } = setting({
      home: { read: tool('Read.', target, (args) => `home ${args.target}\n`) },
      tasks: {
        read: tool('Read.', target, (args): ToolOutput => ({ text: `task ${args.target}`, rows: 1, hint: '1 row' })),
      },
    });
    expect(await send(call('read', 'a'))).toEqual({
      ok: true,
      text: 'home a\n',
      space: 'home',
      ran: true,
      effect: 'read',
      lines: 1,
      ms: 0,
    });
    expect(await send(call('read', '7'), ['tasks'])).toEqual({
      ok: true,
      text: 'task 7',
      rows: 1,
      hint: '1 row',
      space: 'tasks',
      ran: true,
      effect: 'read',
      lines: 1,
      ms: 0,
    });
  });

  it('says where a text is, on one line that is not long', async () => {
    const wheres = ['src/a.ts:9-18', 'a\n#2 x [home] ok\u001B[2J', 'x'.repeat(500)];
    const read = tool('Read.', target, (args): ToolOutput => ({ text: 'x', where: wheres[Number(args.target)]! }));
    const { send } = setting({ home: { read } });
    const places = await Promise.all(wheres.map(async (_, index) => (await send(call('read', `${index}`))).where));
    expect(places).toEqual(['src/a.ts:9-18', 'a #2 x [home] ok', expect.stringMatching(/^x{190,199}…$/)]);
  });

  it('gives the tool its space and session', async () => {
    const seen: ToolContext[] = [];
    const edit = tool('Edited.', { ...target, body: z.string() }, (_args, context) => void seen.push(context), {
      body: 'body',
      range: true,
    });
    const { send } = setting({ tasks: { edit } });
    expect(await send(call('edit', 'a.py:2-4', { body: 'x', block: true }), ['tasks'])).toMatchObject({
      text: '(no output)',
    });
    await send(call('edit', 'a.py', { body: 'x' }), ['tasks']);
    const {
      signal,
      requestApproval,
      progress: _progress,
      output: _output,
      ask: _ask,
      model: _model,
      batch,
      fromCode,
      definition,
      tag: _tag,
      locate,
      ...context
    } = seen[0] as ToolContext;
    const range = { range: [2, 4], argument: 'a.py:2-4' };
    expect(context).toEqual({ space: 'tasks', block: true, answerLimit: 500, files: new Set(), ...range, session });
    expect(definition.name).toBe('edit');
    expect(fromCode).toBe(false);
    expect(batch.map(({ arg }) => arg)).toEqual(['a.py:2-4']);
    expect(requestApproval).toBeTypeOf('function');
    expect(await locate?.('nothing')).toBeUndefined();
    expect(signal.aborted).toBe(false);
    expect(seen[1]).toMatchObject({ block: false });
    expect(seen[1]).not.toHaveProperty('range');
    await send(call('edit', 'a.py', { body: 'x', space: 'tasks' }));
    expect(seen.map(({ tag }) => tag('<E:b.py>'))).toEqual(['<E:b.py>', '<E:b.py>', '<tasks.E:b.py>']);
  });

  it('words the tags of an error so that they work where the call was made', async () => {
    const { send } = setting({
      tasks: {
        read: tool('One task.', target, () => {
          throw new ResourceError('no task 9.', ['<R:>', '<Grep:9>', '<tasks.R:1>', 'nav()']);
        }),
        write: tool('Tasks.', target, () => ({ text: 'one', errors: [new ResourceError('no.', ['<R:>'])] })),
      },
    });
    const offered = async (where: Partial<ToolCall>, at: readonly string[]) =>
      (await send(call('read', '9', where), at)).text.replace(/^[^]*?(?=\s*Try: )\n?/, '');
    expect(await offered({}, ['tasks'])).toBe('Try: <R:>\nTry: <Grep:9>\nTry: <tasks.R:1>\nTry: @nav()');
    expect(await offered({ space: 'tasks' }, [])).toBe('Try: <tasks.R:>\nTry: <Grep:9>\nTry: <tasks.R:1>\nTry: @nav()');
    expect(await offered({ space: 'tasks', verb: 'write' }, [])).toBe('  Try: <tasks.R:>');
  });

  it('lists the files that a call reads, names or changes, also if it fails', async () => {
    const change = {
      touches: [{ path: 'c.ts' }, { outside: 'npm install' }],
      preview: () => '',
      apply: () => 'done',
    };
    const fail = () => {
      throw new ResourceError('no.', []);
    };
    const { send } = setting({
      home: {
        read: tool('Read.', target, (args, { files }) => {
          for (const path of args.target.split(' ')) files.add(path);
          return args.target === 'b.ts' ? fail() : 'text';
        }),
        change: tool('Change.', target, () => change, { plan: true, target: () => ({ path: 'link.ts' }) }),
        refused: tool('Change.', target, fail, { plan: true, target: () => ({ path: 'd.ts' }) }),
      },
    });
    const find = async (verb: string, arg: string) => (await send(call(verb, arg))).files;
    expect(await find('read', 'a.ts src a.ts')).toEqual(['a.ts', 'src']);
    expect(await find('read', 'b.ts')).toEqual(['b.ts']);
    expect(await find('change', 'x')).toEqual(['link.ts', 'c.ts']);
    expect(await find('refused', 'x')).toEqual(['d.ts']);
    // The root says nothing.
    expect(await find('read', '')).toBeUndefined();
    const many = Array.from({ length: 600 }, (_, index) => `${index}.ts`);
    expect(await find('read', many.join(' '))).toEqual(many.slice(0, 500));
  });

  it('runs a qualified call in the place it names, and corrects it there', async () => {
    const { send } = setting({ tasks: { read: tool('One task.', { id: z.int() }, ({ id }) => `task ${id}`) } });
    expect(await send(call('read', '7', { space: 'tasks' }))).toMatchObject({
      ok: true,
      text: 'task 7',
      space: 'tasks',
    });
    expect(await send(call('read', 'x', { space: 'tasks' }))).toMatchObject({
      ok: false,
      errorType: 'ParameterError',
      ran: false,
      space: 'tasks',
      text: [
        "ParameterError: tool 'read' parameter error (1 problem)",
        '- id: expected int, got "x"',
        'Usage: read(id: int)',
        '  One task.',
        'Try: <tasks.R:…>',
      ].join('\n'),
    });
    expect(await send(call('read', '7', { space: 'taks' }), ['tasks'])).toMatchObject({
      ok: false,
      errorType: 'ResourceError',
      space: 'tasks',
      ran: false,
      text: "ResourceError: no space 'taks'.\nDid you mean tasks()?",
    });
  });

  it('refuses what the place does not support', async () => {
    const { send } = setting({ tasks: { read: tool('', target, () => '') } });
    const text = 'ResourceError: home does not support read.\nSupported here: nothing\nTry: @tasks()';
    expect(await send(call('read', 'a'))).toEqual({
      ok: false,
      text,
      errorType: 'ResourceError',
      remedies: ['@tasks()'],
      space: 'home',
      ran: false,
      lines: 3,
      ms: 0,
    });
    expect(await send(call('read', 'a'), ['tasks', 'gone'])).toMatchObject({
      ok: false,
      space: 'tasks.gone',
      ran: false,
    });
  });

  it('refuses a range that makes no sense before anything runs', async () => {
    const run = vi.fn(() => '');
    const { send } = setting({ home: { read: tool('', target, run, { range: true }) } });
    expect(await send(call('read', 's.py:0-1'))).toMatchObject({
      errorType: 'RangeError',
      ran: false,
      text: 'RangeError: line range must be 1 ≤ start ≤ end (got 0-1).\nTry: <R:s.py:1-1>',
    });
    expect(run).not.toHaveBeenCalled();
  });

  it('reads instead of editing when there is nothing to change', async () => {
    const run = vi.fn(() => 'edited');
    const { send, asked } = setting({ home: { edit: tool('', target, run), read: tool('', target, () => longText) } });
    expect(await send(call('edit', 'a.py'))).toMatchObject({ ok: true, ref: 'result:1' });
    expect(run).not.toHaveBeenCalled();
    expect(asked).toEqual([]);
  });

  it("runs the session's own tools first", async () => {
    const help = tool('Help.', {}, () => 'all tools').named('help');
    const { send } = setting({ sessionTools: ({ verb }) => (verb === 'help' ? help : undefined) });
    expect(await send(call('help', ''), ['gone'])).toMatchObject({ ok: true, text: 'all tools', space: 'gone' });
  });

  describe('approval', () => {
    const write = tool('', { ...target, body: z.string() }, () => 'written', { body: 'body' });
    const wanted = call('write', 'a', { body: 'x' });

    it('is asked for whatever changes something, and for nothing else', async () => {
      const send = tool('', target, () => 'sent', { effect: 'external' });
      const peek = tool('', target, () => 'peeked', { effect: 'read' });
      const { send: dispatch, asked } = setting({ home: { write, send, peek, read: peek } });
      for (const verb of ['send', 'peek', 'read']) await dispatch(call(verb, 'a'));
      expect(await dispatch(wanted)).toMatchObject({ ok: true, text: 'written' });
      expect(asked).toEqual([
        {
          session: 's',
          space: 'home',
          tool: 'send',
          effect: 'external',
          tag: '<send:a>',
          args: { target: 'a' },
          target: 'a',
        },
        {
          session: 's',
          space: 'home',
          tool: 'write',
          effect: 'write',
          tag: '<write:a>',
          args: { target: 'a', body: 'x' },
          target: 'a',
        },
      ]);
    });

    it('may look at what would change, which changes nothing', async () => {
      const preview = ({ body }: { body: string }) => `+${body}`;
      const write = tool('', { ...target, body: z.string() }, () => 'written', { body: 'body', preview });
      const { send, asked } = setting({ home: { write } });
      await send(call('write', 'a', { body: 'x' }));
      expect(await asked[0]?.preview?.()).toBe('+x');
    });

    it('gets the target of a call in the spelling of the tool', async () => {
      const about = async ({ target: name }: { target: string }) => `real/${name}`;
      const write = tool('', target, () => 'written', { target: about });
      const { send, asked } = setting({ home: { write } });
      await send(call('write', 'a'));
      expect(asked).toMatchObject([{ args: { target: 'a' }, target: 'real/a' }]);
    });

    it('is not asked for a call about nothing that there is', async () => {
      const about = () => {
        throw new ResourceError('no a.');
      };
      const { send, asked } = setting({ home: { write: tool('', target, () => 'written', { target: about }) } });
      expect(await send(call('write', 'a'))).toMatchObject({ ok: false, ran: false, text: 'ResourceError: no a.' });
      expect(asked).toEqual([]);
    });

    it('can be asked for by the tool itself, with its reason', async () => {
      const read = tool('', target, async (_args, { requestApproval }) => {
        await requestApproval('it may hold secrets');
        return 'secret';
      });
      const { send, asked } = setting({ home: { read } });
      expect(await send(call('read', '.env'))).toMatchObject({ ok: true, text: 'secret' });
      expect(asked).toMatchObject([{ tool: 'read', target: '.env', reason: 'it may hold secrets' }]);
      const grep = tool('', target, async (_args, { requestApproval }) => {
        await requestApproval('it may hold secrets', '.env');
        return 'secret';
      });
      const search = setting({ home: { grep } });
      await search.send(call('grep', 'TOKEN'));
      expect(search.asked).toMatchObject([{ tool: 'grep', target: '.env', reason: 'it may hold secrets' }]);
      const refuse = { approve: () => ({ allow: false, reason: 'no.' }) as const };
      const refused = setting({ home: { read }, approver: refuse });
      expect(await refused.send(call('read', '.env'))).toMatchObject({ ok: false, text: 'ApprovalError: no.' });
    });

    it('is not asked for a call that cannot run', async () => {
      const { send, asked } = setting({ home: { write } });
      expect(await send(call('write', 'a'))).toMatchObject({ ok: false, ran: false });
      expect(asked).toEqual([]);
    });

    it.each([
      [
        'refused',
        () => ({ allow: false, reason: 'nobody can be asked; run with --yes.' }) as const,
        'ApprovalError: nobody can be asked; run with --yes.',
      ],
      [
        'broken',
        () => {
          throw new Error('no terminal');
        },
        'Error: no terminal',
      ],
    ])('keeps the tool from running when it is %s', async (_what, approve, text) => {
      const run = vi.fn(() => '');
      const { send } = setting({ home: { write: tool('', target, run) }, approver: { approve } });
      expect(await send(call('write', 'a'))).toMatchObject({ ok: false, ran: false, text });
      expect(run).not.toHaveBeenCalled();
    });
  });

  describe('errors', () => {
    const thrown: unknown[] = [];
    const { send, results } = setting({
      home: {
        read: tool('', target, () => {
          throw thrown[0];
        }),
      },
    });
    const failWith = (error: unknown) => {
      thrown[0] = error;
      return send(call('read', 'a'));
    };

    it("become results in the tool's own words", async () => {
      expect(await failWith(new ResourceError('no a.', ['<G:*a*>']))).toEqual({
        ok: false,
        text: 'ResourceError: no a.\nTry: <G:*a*>',
        errorType: 'ResourceError',
        remedies: ['<G:*a*>'],
        space: 'home',
        ran: true,
        effect: 'read',
        lines: 2,
        ms: 0,
      });
    });

    it('keep the stack of an accident for debug views', async () => {
      const accident = new TypeError('x is undefined\nmore');
      const result = await failWith(accident);
      expect(result).toMatchObject({ ok: false, text: 'TypeError: x is undefined', errorType: 'TypeError' });
      expect(result.stack).toBe(accident.stack);
    });

    it.each(['text', undefined, null, 7, { name: 'X' }])('may be %j', async (error) => {
      expect(await failWith(error)).toMatchObject({ ok: false, errorType: 'Error', ran: true });
    });

    it('are whole at any bearable size, and beyond that keep both ends', async () => {
      expect((await failWith(new ResourceError('e'.repeat(15_000)))).text).toHaveLength(15_015);
      const huge = await failWith(new ResourceError(`${'e'.repeat(30_000)}\nend`));
      expect(huge).toMatchObject({ ok: false, lines: 2, ref: 'result:1' });
      expect(huge.text).toMatch(/^ResourceError: e+\n… \[\+\d+ chars; full: <R:result:1>\] …\ne+\nend$/);
      expect(results.get('result:1')).toHaveLength(30_019);
    });

    it('of single items are listed, and make the call fail', async () => {
      const read = tool('', target, () => ({
        text: `created 1\n${longText}`,
        errors: [new ResourceError('no title.')],
      }));
      const result = await setting({ home: { read } }).send(call('read', 'a'));
      expect(result).toMatchObject({ ok: false, errorType: 'ResourceError', ran: true, effect: 'read', lines: 203 });
      expect(result.text).toBe(`created 1\n${longText}\n1 error:\n- ResourceError: no title.`);
    });

    it.each([
      [
        'at once',
        () => {
          throw new Error('bug');
        },
      ],
      ['later', () => Promise.reject(new Error('bug'))],
    ])('of a schema that breaks %s while checking become results too', async (_when, check) => {
      const { send: dispatch } = setting({ home: { read: tool('', { target: z.string().refine(check) }, () => '') } });
      expect(await dispatch(call('read', 'a'))).toMatchObject({ ok: false, text: 'Error: bug', ran: false });
      expect(await dispatch(call('read', ''))).toMatchObject({ ok: false, ran: false });
    });
  });

  describe('size', () => {
    it.each([
      ['is told by its totals when what ran has succeeded', false, false],
      ['has titles about errors when what ran has failed', true, true],
    ])('%s', async (_title, failed, expected) => {
      const tests = Array.from({ length: 200 }, (_, row) => `  when error ${row} occurs\n    ✔ should go on`);
      const text = ['> a@1.0.0 test', ...tests, '  200 passing'].join('\n');
      const read = tool('', target, () => ({ text, format: 'log' as const, failed }));
      const result = await setting({ home: { read } }).send(call('read', 'a'));
      expect(result.text.includes('occurs')).toBe(expected);
      expect(result.text).toContain('200 passing');
    });

    it('is cut to the cap, and the whole text kept', async () => {
      const { send, results } = setting({ home: { read: tool('', target, () => longText) }, cap: 1000 });
      const result = await send(call('read', 'a'));
      expect(result).toMatchObject({ ok: true, ref: 'result:1', lines: 200, pruned: { total: 200 } });
      expect(result.text.length).toBeLessThanOrEqual(1000);
      expect(result.text).toContain('; full: <R:result:1>]');
      expect(results.get('result:1')).toBe(longText);
    });

    it('is cut to the limit of the space where that is lower', async () => {
      const limits: number[] = [];
      const read = tool('', target, (_args, { answerLimit }) => (limits.push(answerLimit), longText));
      const { send } = setting({ tasks: { read }, answerLimit: 100 });
      expect((await send(call('read', 'a'), ['tasks'])).text.length).toBeLessThanOrEqual(400);
      const { send: sendBelow } = setting({ tasks: { read }, answerLimit: 100, cap: 200 });
      expect((await sendBelow(call('read', 'a'), ['tasks'])).text.length).toBeLessThanOrEqual(200);
      expect(limits).toEqual([100, 50]);
    });

    it('is left alone in pages and confirmations', async () => {
      const confirm = tool('', target, () => longText, { effect: 'read' });
      const page = tool('', target, () => ({ text: longText, paged: true }));
      const { send } = setting({ home: { read: page, write: confirm, edit: confirm, note: confirm } });
      expect((await send(call('read', 'a'))).text).toBe(longText);
      expect((await send(call('write', 'a'))).text).toBe(longText);
      expect((await send(call('edit', 'a', { body: '{}' }))).text).toBe(longText);
      expect((await send(call('note', 'a'))).text).not.toBe(longText);
    });
  });

  it("never checks one tool's arguments with another tool's schema", async () => {
    const fields = ['target', 'pattern', 'content', 'id'];
    for (let round = 0; round < 50; round++) {
      const tools = Object.fromEntries(
        fields.map((field) => [
          `do_${field}`,
          tool('', { [field]: z.string() }, (args) => Object.keys(args).join(), { effect: 'read' }),
        ]),
      );
      const { send } = setting({ home: tools });
      const answers = await Promise.all(fields.map(async (field) => (await send(call(`do_${field}`, 'x'))).text));
      expect(answers).toEqual(fields);
    }
  });
});
