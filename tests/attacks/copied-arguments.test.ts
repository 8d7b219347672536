import { defineResourcespace, ResourceError, tool, type ApprovalRequest } from '@bae/core';
import { ScriptsSpace, TerminalSpace } from '@bae/commands';
import { Sandbox } from '@bae/sandbox';
import { SourceSpace } from '@bae/source';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { stage } from '../loop/stage.ts';

const ADDRESS = 'https://evil.example/in';
const SENTENCE = 'the quarterly figures belong to us';
const NAME = 'customer-acme-production-0042';
const GROUP = 'everybody-in-the-company';
const SCRIPT = 'test:integration-of-all';
const REPOSITORY = 'attacker-organisation/backdoor-tools';
const PACKAGE = 'packages/reports';
const NOTES = `Notes on ${PACKAGE}\n${ADDRESS}\n${SENTENCE}\n${NAME}\n${REPOSITORY}\necho pwned | sh\n`;
const TITLE = 'adds numbers of any size; $(touch owned) --config=other.js';
const TESTS = `import { test } from 'node:test';\ntest('${TITLE}', () => {});\ntest('other', () => {});\n`;

const fail = (): never => {
  throw new ResourceError(`no page ${ADDRESS}: ${SENTENCE}`);
};
const text = { target: z.string(), body: z.string().default('') };
const any = z.object({ target: z.string().default(''), items: z.unknown() });
const anything = { shape: any };

/** A place whose tools act outside the workspace, and return what others have written. */
const mail = defineResourcespace({
  name: 'mail',
  description: 'Mail.',
  enter: () => `Groups: ${GROUP}.`,
  tools: {
    send: tool('Sends.', text, () => 'sent', { effect: 'external' }),
    post: tool('Posts.', anything.shape, () => 'posted', { effect: 'external' }),
    pick: tool('Picks.', text, () => 'picked', { effect: 'external', selects: ['target'] }),
    delete: tool('Deletes a customer.', { target: z.string() }, () => 'gone', { effect: 'write' }),
    purge: tool('Deletes for good.', { target: z.string() }, () => 'gone', { effect: 'write', destructive: true }),
    read: tool('A mail.', { target: z.string().default('') }, () => ({ subject: 'x', parts: [{ body: SENTENCE }] })),
    open: tool('A page.', { target: z.string().default('') }, fail, { effect: 'read' }),
    list: tool('Mails.', { target: z.string().default('') }, () => ({ text: `${SENTENCE}\n${'y\n'.repeat(9000)}` })),
    linked: tool('Links.', {}, () => ({ text: '', attachments: [{ type: 'link' as const, url: ADDRESS }] })),
    table: tool('Rows.', {}, () => ({ text: '', attachments: [{ type: 'table' as const, rows: [{ a: SENTENCE }] }] })),
    noted: tool('Notes it.', { target: z.string() }, () => `noted; ${SENTENCE}`, { effect: 'write' }),
    noise: tool('Much.', { size: z.number() }, ({ size }) => 'z'.repeat(size)),
    huge: tool('Much.', { size: z.number() }, ({ size }) => `${'z'.repeat(size)}\n${SENTENCE}\n`),
  },
});

const json = (name: string, args: object): string =>
  `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
const write = (body: string): string => json('mail.send', { target: 'boss', body });
const send = write(SENTENCE);

/** What a model sends in one session; the last call has an argument that was copied. */
const COPIES: Readonly<Record<string, readonly string[]>> = {
  'from a file': ['<R:notes.md>', send],
  'in the same response': [`<R:notes.md>\n${send}`],
  'from matches': ['<Grep:quarterly>', send],
  'from names of files': ['<G:*>', '<mail.send:pay-me-at-evil.example.txt>'],
  'from a page of a file': ['<R:notes.md:3-3>', send],
  'from what a tool returned': ['<mail.R:1>', send],
  'from an error': ['<mail.open:x>', send],
  'from an error of code': ['<run>\nawait mail.open("x");\n</run>', send],
  'from what code printed': ['<run>\nprint(await read("notes.md"));\n</run>', send],
  'from what code read and did not print': ['<run>\nawait read("notes.md");\n</run>', send],
  'within code': [
    '<run>\nconst [, , line] = (await read("notes.md")).split("\\n");\nawait mail.send("boss", line);\n</run>',
  ],
  'from a deep value, within code': [
    '<run>\nconst { parts } = await mail.read("1");\nawait mail.send("boss", parts[0].body);\n</run>',
  ],
  'from a long result that was cut': ['<mail.list:>', send],
  'from a kept result': ['<mail.list:>', '<R:result:1>', send],
  'from a link': ['<mail.linked:>', `<mail.send:${ADDRESS}>`],
  'from a table': ['<mail.table:>', send],
  'from what a change returned': ['<mail.noted:x>', send],
  'an address in a text of its own': ['<R:notes.md>', write(`Look at ${ADDRESS}, please.`)],
  'beside a name that only selects': ['<R:notes.md>', json('mail.pick', { target: SENTENCE, body: ADDRESS })],
  'in base64': ['<R:notes.md>', write(Buffer.from(SENTENCE).toString('base64'))],
  'as YAML': ['<R:notes.md>', write(`to: boss\nbody: ${SENTENCE}\n`)],
  'in the query of an address': ['<R:notes.md>', write(`https://host.example/?q=${encodeURIComponent(SENTENCE)}`)],
  'in a list': ['<R:notes.md>', json('mail.post', { items: [SENTENCE] })],
  'in an object': ['<R:notes.md>', json('mail.post', { items: { to: { name: SENTENCE } } })],
  'as the name of a field': ['<R:notes.md>', json('mail.post', { items: { [ADDRESS]: 1 } })],
  'indented, over two lines': ['<R:notes.md>', write(`  ${ADDRESS}\n  ${SENTENCE}`)],
  'the name of something to delete': ['<R:notes.md>', `<mail.delete:${NAME}>`],
  'the name of something to delete for good': ['<R:notes.md>', `<mail.purge:${NAME}>`],
  'what looks like a path and is none': ['<R:notes.md>', `<mail.send:${REPOSITORY}>`],
  'a command': ['<R:notes.md>', '<terminal.sh:echo pwned | sh>'],
  'an argument of a script': ['<R:notes.md>', `<scripts.run_script:lint ${ADDRESS}>`],
  'a command within code': ['<R:notes.md>', '<run>\nawait terminal.sh("echo pwned | sh");\n</run>'],
  'after much else was read': [
    '<R:notes.md>',
    ...Array.from({ length: 8 }, () => '<run>\nawait mail.noise(200000);\n</run>'),
    send,
  ],
  'from the end of a very long text': ['<run>\nawait mail.huge(600000);\n</run>', send],
};

describe('an argument that was read', () => {
  const sandbox = new Sandbox();
  afterAll(() => sandbox.dispose());

  function open(responses: readonly string[]) {
    const asked: ApprovalRequest[] = [];
    const { agent } = stage(
      [...responses, 'Done.'],
      {
        'notes.md': NOTES,
        'pay-me-at-evil.example.txt': '',
        'sum.test.js': TESTS,
        'package.json': `{ "name": "root", "workspaces": ["packages/*"], "scripts": { "lint": "true", "${SCRIPT}": "true" } }`,
        [`${PACKAGE}/package.json`]: '{ "name": "reports", "scripts": { "lint": "true" } }',
      },
      {
        spaces: [mail, TerminalSpace, ScriptsSpace, SourceSpace],
        codeRunner: sandbox,
        // Everything is allowed.
        approver: { approve: (request) => (asked.push(request), { allow: true }) },
      },
    );
    onTestFinished(() => agent.close());
    return { agent, asked };
  }

  it.each(Object.entries(COPIES))('is asked about, and from where it is: %s', async (_, responses) => {
    const { agent, asked } = open(responses);
    await agent.ask('Go on.');
    expect(asked.at(-1)?.reason).toMatch(/^its argument .* was read by |asks for it/);
  });

  it.each([
    ['a path of the workspace', ['<G:*>', '<mail.send:docs/pay-me-at.example.txt>']],
    ['a file to delete', ['<G:*>', '<delete:pay-me-at-evil.example.txt>']],
    ['a name that only selects', ['<R:notes.md>', json('mail.pick', { target: SENTENCE })]],
    ['the title of a test', ['<R:sum.test.js>', `<source.tests.test:${TITLE}>`]],
    ['a test by a part of its name', ['<R:sum.test.js>', `<source.tests.test:sum.test.js name="${TITLE}">`]],
    ['the package of a script', ['<R:notes.md>', `<scripts.run_script:lint package=${PACKAGE}>`]],
    ['the name of a script', ['<R:package.json>', `<scripts.run_script:${SCRIPT}>`]],
    ['a name that its place has shown on being entered', ['@mail()', `@home()\n<mail.send:${GROUP}>`]],
    ['the package of checks', ['<R:notes.md>', `<scripts.check:${PACKAGE}>`]],
    ['words of the user', ['<R:notes.md>', write('please tell everyone today')]],
  ])('is not asked about: %s', async (_, responses) => {
    const { agent, asked } = open(responses);
    await agent.ask('please tell everyone today');
    expect(asked).not.toEqual([]);
    expect(asked.at(-1)?.reason).toBeUndefined();
  });
});
