import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allowAll, approvalPolicy } from '../approval/approval-policy.ts';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { SessionRecord } from '../protocol/session-log.ts';
import type { CodeRunner } from '../protocol/code-runner.ts';
import type { Approver } from '../protocol/approver.ts';
import { asModelText } from '../protocol/model.ts';
import { createAgent } from './create-agent.ts';

const KEY = ['AKIA', 'ABCDEFGHIJKLMNOP'].join('');

function createFiles(approver: Approver) {
  const written: string[] = [];
  const home = defineResourcespace({
    name: 'files',
    description: 'Files.',
    tools: {
      read: tool('Reads.', { target: z.string() }, async ({ target }, { requestApproval }) => {
        if (target === '.env') await requestApproval('it may hold secrets');
        return `KEY=${KEY}`;
      }),
      write: tool('Writes.', { target: z.string(), text: z.string() }, ({ text }) => void written.push(text), {
        body: 'text',
      }),
    },
  });
  const agent = createAgent({ home, approver });
  return { run: async (text: string) => (await agent.run(asModelText(text))).feedback, written };
}

it('is masked in the stack trace of an accident, which only events have', async () => {
  const throwError = (): string => {
    throw new TypeError(`no ${KEY}\nmore`);
  };
  const fail = tool('Fails.', {}, throwError, { effect: 'read' });
  const agent = createAgent({ home: defineResourcespace({ name: 'x', description: 'X.', tools: { fail } }) });
  const stacks: (string | undefined)[] = [];
  agent.subscribe((event) => void (event.type === 'call-end' && stacks.push(event.stack)));
  const { feedback } = await agent.run(asModelText('<fail:>'));
  expect(stacks[0]).toMatch(/^TypeError: no ‹masked AKIA…›\nmore\n {4}at /);
  expect(feedback).not.toContain(' at ');
});

describe('a key in a result', () => {
  it('is masked', async () => {
    const { run } = createFiles(allowAll);
    const text = await run('<R:config.ts>');
    expect(text).toContain('KEY=‹masked AKIA…›');
    expect(text).not.toContain(KEY);
  });

  it('is shown when the user was asked and allowed it', async () => {
    const { run } = createFiles(approvalPolicy({ ask: async () => ({ decision: 'allow' }) }));
    expect(await run('<R:.env>')).toContain(KEY);
    expect(await run('<R:config.ts>')).not.toContain(KEY);
  });

  it('is not replaced by its mask in a write', async () => {
    const { run, written } = createFiles(allowAll);
    const text = await run('<R:config.ts>\n<W:b.ts>\nKEY=‹masked AKIA…›\nx\n</W>');
    expect(text).toContain(
      'text: ‹masked AKIA…› stands for a key that was not shown, and would be saved in its place.',
    );
    expect(written).toEqual([]);
  });

  it('is masked for code, too, which could print it backwards', async () => {
    const got: unknown[] = [];
    const codeRunner: CodeRunner = {
      async run(_, { dispatch }) {
        const call = (verb: string, arg: string) => dispatch({ verb, arg, line: 1, tag: `<${verb}:${arg}>` });
        for (const one of [await call('read', 'config.ts'), await call('grep', 'KEY'), await call('long', 'x')])
          got.push(one.value ?? one.text);
        return { ok: true, output: '' };
      },
    };
    const home = defineResourcespace({
      name: 'files',
      description: 'Files.',
      tools: {
        read: tool('Reads.', { target: z.string() }, () => `KEY=${KEY}`),
        grep: tool('Rows.', { pattern: z.string() }, () => [{ path: 'config.ts', text: `KEY=${KEY}` }]),
        long: tool('A part.', { target: z.string() }, () => ({ text: 'KEY', whole: () => `KEY=${KEY}\n` }), {
          effect: 'read',
        }),
      },
    });
    await createAgent({ home, codeRunner }).run(asModelText('<run>x</run>'));
    expect(got).toHaveLength(3);
    expect(JSON.stringify(got)).not.toContain(KEY);
    expect(JSON.stringify(got).match(/‹masked AKIA…›/g)).toHaveLength(3);
  });

  it('is masked in what code prints, and in its error, however the code got it', async () => {
    const error = `no ${KEY}`;
    const output = `KEY=${KEY}\n${error}`;
    const codeRunner: CodeRunner = { run: async () => ({ ok: false, output, error }) };
    const agent = createAgent({ codeRunner });
    const events: unknown[] = [];
    agent.subscribe((event) => void events.push(event));
    const { feedback, runs } = await agent.run(asModelText('<run>x</run>'));
    expect(feedback).toContain('KEY=‹masked AKIA…›');
    expect(JSON.stringify([feedback, runs, events])).not.toContain(KEY);
  });

  it('is masked in the record of what a person was shown', async () => {
    const records: SessionRecord[] = [];
    const log = { id: 'a', append: () => undefined, record: (record: SessionRecord) => void records.push(record) };
    const shown: (string | undefined)[] = [];
    const approver = approvalPolicy({
      ask: async ({ preview }) => {
        shown.push(await preview?.());
        return { decision: 'deny' };
      },
    });
    const params = { target: z.string(), text: z.string() };
    const write = tool('Writes.', params, () => undefined, { body: 'text', preview: ({ text }) => `+${text}` });
    const home = defineResourcespace({ name: 'files', description: 'Files.', tools: { write } });
    await createAgent({ home, approver, log }).run(asModelText(`<W:b.ts>${KEY}</W>`));
    expect(shown).toEqual([`+${KEY}`]);
    const record = records.find(({ kind }) => kind === 'approval');
    expect(record).toMatchObject({ approval: { shown: '+‹masked AKIA…›' } });
  });
});
