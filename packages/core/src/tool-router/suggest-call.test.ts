import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ToolParams } from '../decorators/tool.ts';
import { tool } from '../decorators/tool.ts';
import { asModelText } from '../protocol/model.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import { parse } from '../tag-parser/parse.ts';
import { bindArguments } from './bind-arguments.ts';
import { bindCall } from './resolve-call.ts';
import { adaptHints, qualifyTag, suggestCall } from './suggest-call.ts';

const ISSUE = {
  repo: z.string(),
  title: z.string(),
  labels: z.array(z.string()).default([]),
  state: z.enum(['open', 'closed']).default('open'),
  limit: z.int().default(10),
  filter: z.object({ by: z.string() }).optional(),
} satisfies ToolParams;

async function suggest(sent: Partial<ToolCall>, { fromCode = false } = {}) {
  const call = { verb: 'create_issue', arg: '', line: 1, tag: '<create_issue:>', ...sent };
  const definition = tool('Makes an issue.', ISSUE, () => '').named(call.verb);
  const bound = await bindArguments(definition, call);
  if (bound.ok) throw new Error('nothing is wrong with it');
  const { known, unfilled, summary } = bound;
  return { summary, call: suggestCall({ spec: definition.spec, call, known, unfilled, fromCode }) };
}

describe('suggestCall', () => {
  it('keeps what was right, and marks what is missing', async () => {
    expect(await suggest({ arg: 'owner/repo labels=a,b' })).toEqual({
      summary: 'create_issue needs title.',
      call: '<create_issue:owner/repo title="…" labels="a, b">',
    });
    expect((await suggest({})).summary).toBe('create_issue needs repo, title.');
  });

  it('is one for a verb that usually has a body, where the tool takes none', async () => {
    const definition = tool('Writes.', { id: z.string() }, () => '').named('write');
    const call = { verb: 'write', arg: '7', body: 'text', line: 1, tag: '<W:7>' };
    const bound = await bindArguments(definition, call);
    if (bound.ok) throw new Error('a body is wrong');
    const { known, unfilled } = bound;
    expect(suggestCall({ spec: definition.spec, call, known, unfilled, fromCode: false })).toMatch(/^<W/);
  });

  it('is in the form of the call', async () => {
    const kwargs = { repo: 'a/b', limit: 3 };
    expect((await suggest({ kwargs, form: 'json' })).call).toBe(
      '{"name":"create_issue","arguments":{"repo":"a/b","title":"…","limit":3}}',
    );
    expect((await suggest({ kwargs, tag: 'github.create_issue({})' }, { fromCode: true })).call).toBe(
      'github.create_issue("a/b", "…", {"limit":3})',
    );
    expect((await suggest({ kwargs: { title: 'x' }, tag: 'create_issue({})' }, { fromCode: true })).call).toBe(
      'create_issue("…", "x")',
    );
  });

  it('mends misspelt names and choices, and quotes several words', async () => {
    expect((await suggest({ arg: 'a/b title=x lables=a stat=closd' })).call).toBe(
      '<create_issue:a/b title=x labels=a>',
    );
    expect((await suggest({ arg: 'a/b title=x state=closd' })).call).toBe('<create_issue:a/b title=x state=closed>');
    expect((await suggest({ arg: 'repo=my own repo title=x' })).call).toBe('<create_issue:my own repo title=x>');
  });

  it('marks a value that is wrong, and does not drop it', async () => {
    expect((await suggest({ arg: 'a/b title=x limit=many' })).call).toBe('<create_issue:a/b title=x limit="…">');
  });

  it.each([
    { repo: 'a=b c=d', title: 'x' },
    { repo: 'say "hi"', title: "it's" },
    { repo: 'a <b> c', title: 'f<T>() => x' },
    { repo: ' padded ', title: 'back\\slash' },
    { repo: 'two\nlines', title: 'x' },
    { repo: 'x, path: y', title: '' },
    { repo: 'title="x"', title: '…x', labels: ['a, b', 'c'] },
    { repo: 'a:1-2', title: 'x', filter: { by: 'name' } },
  ])('is read as the values it was made from: %j', async (values) => {
    const { call: tag } = await suggest({ kwargs: { ...values, limit: 'many' } });
    const { calls } = parse(asModelText(tag), { tools: new Set(['create_issue']) });
    const definition = tool('', ISSUE, () => '').named('create_issue');
    const bound = await bindArguments(definition, calls[0]!);
    expect(bound).toMatchObject({ ok: false, unfilled: ['limit'], known: values });
  });

  it('has an example where nothing of the call can be kept, and none where nothing is needed', async () => {
    const name = z
      .string()
      .meta({ examples: ['oslo'] })
      .optional();
    const read = tool('A note, or the names of all.', { name }, () => '').named('notes.read');
    const wrong: ToolCall = { verb: 'read', arg: '', kwargs: { colour: 'red' }, line: 1, tag: '<R:>' };
    await expect(bindCall(read, wrong, false)).rejects.toMatchObject({ hints: ['<notes.read:oslo>'] });
    expect(await adaptHints(['<R:>'], { form: 'json', find: () => read })).toEqual([
      '{"name":"notes.read","arguments":{}}',
    ]);
  });

  it('is refused while a placeholder is in it', async () => {
    expect(await suggest({ arg: 'a/b title=…' })).toEqual({
      summary: 'fill in title.',
      call: '<create_issue:a/b title="…">',
    });
    expect((await suggest({ arg: 'title=…' })).summary).toBe('create_issue needs repo; fill in title.');
  });
});

const tools = { read: 1, grep: 1, list: 1, openIssue: 1 };

it.each([
  ['<R:zod>', '<source.deps.R:zod>'],
  ['<Grep:a b path=c>', '<source.deps.Grep:a b path=c>'],
  ['<list:>', '<source.deps.list:>'],
  ['<List:x>y</List>', '<source.deps.List:x>y</List>'],
  ['<openIssue:x>', '<source.deps.openIssue:x>'],
  ['<OpenIssue:x>', '<source.deps.OpenIssue:x>'],
  ['<openissue:x>', '<openissue:x>'],
  ['<GREP:x>', '<source.deps.GREP:x>'],
  ['<W:x>', '<W:x>'],
  ['<tasks.R:7>', '<tasks.R:7>'],
  ['<constructor:>', '<constructor:>'],
  ['nav()', 'nav()'],
  ['@home <R:x>', '@home <R:x>'],
  ['a < b', 'a < b'],
])('%s becomes %s', (tag, qualified) => {
  expect(qualifyTag(tag, 'source.deps', tools)).toBe(qualified);
});
