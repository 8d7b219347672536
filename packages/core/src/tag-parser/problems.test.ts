import { describe, expect, it } from 'vitest';
import { asModelText } from '../protocol/model.ts';
import { parse } from './parse.ts';

const TOOLS = new Set(['create_issue', 'search']);

it.each(['</E:b.ts>', '</E:a.ts:3>', '</W>'])('drops no body that %s does not close', (closing) => {
  const { calls, problems } = parse(asModelText(`<E:a.ts:2>\nnew text\n${closing}\n`), {});
  expect(calls).toEqual([]);
  expect(problems).toMatchObject([{ code: 'unclosed-body', line: 1 }]);
  expect(problems[0]?.message).toContain('<E:a.ts:2> has no closing </E>');
});

describe('the message of a problem', () => {
  it.each([
    [
      'a body that never ends',
      'x\n<W:a>\nbody',
      'unclosed-body',
      '<W:a> has no closing </W>; nothing from that line on was executed. Close it with </W> or </W:a>.',
    ],
    [
      'a run block that never ends',
      'x\n<run>\n1',
      'unclosed-run',
      '<run> has no closing </run>; nothing from that line on was executed. End the code with </run> on a line of its own.',
    ],
    [
      'a fence that never ends',
      'x\n````js\n<R:a>',
      'unclosed-fence',
      'the code fence ```` is never closed, so no tag after it was executed. Close it with ```` on a line of its own, then write the tags that are to run.',
    ],
    [
      'a write among other tags',
      'x\n<R:a> <Write:b.md>',
      'write-not-alone',
      '<Write:b.md> shares its line with something else; nothing from that line on was executed. Put <Write:b.md>, its text and </Write> on lines of their own.',
    ],
    [
      'an edit with a value of several lines in its tag',
      'x\n<E:a.ts old="1," new="0,\n1,"></E>',
      'bad-arg',
      '<E:a.ts old="1," new="0, has no > that ends it on its line, so it was not executed. Text of several lines goes below the tag:\n<E:a.ts>\n<old>…</old>\n<new>…</new>\n</E>',
    ],
    [
      'a missing argument',
      'x\n<G:>',
      'empty-arg',
      '<G:> has no argument, so it was not executed. Write <G:src/**/*.ts>.',
    ],
    [
      'a missing argument of a write that never ends',
      'x\n<W:>\nbody',
      'empty-arg',
      '<W:> has no argument, so it was not executed; nothing from that line on was executed. Write <W:notes.md>, the text on the lines below it, and </W>.',
    ],
    [
      'an argument with brackets',
      'x\n<W:a<b>>\nbody\n</W>',
      'bad-arg',
      'the argument of <W:a<b>> holds < or >, so it was not executed. Write <W:notes.md>, the text on the lines below it, and </W>, without < and > in the argument.',
    ],
    [
      'an argument with brackets of a custom tool',
      'x\n<create_issue:a > b>',
      'bad-arg',
      'the argument of <create_issue:a > b> holds < or >, so it was not executed. Put < and > in quotes, or the text on lines of its own: <create_issue:>, the text, and </create_issue>.',
    ],
    ['a misspelt name', 'x\n<serch:foo>', 'unknown-tool', "no tool 'serch'. Did you mean search? Type <search:foo>."],
    [
      'something else in a tool call',
      'x\n<tool_call>[]</tool_call>',
      'bad-tool-call',
      '<tool_call> does not hold one JSON object with "name" and "arguments", so it was not executed. Write a tag instead, for example <R:src/app.ts>.',
    ],
    [
      'an unknown name in a tool call',
      'x\n<tool_call>{"name":"Bash","arguments":{}}</tool_call>',
      'bad-tool-call',
      "no tool 'Bash', so its call was not executed. Write a tag instead, for example <R:src/app.ts>.",
    ],
    [
      'a misspelt name in a tool call',
      'x\n<tool_call>{"name":"serch","arguments":{}}</tool_call>',
      'bad-tool-call',
      "no tool 'serch', so its call was not executed. Did you mean search? Send it again by this name.",
    ],
    [
      'a tool call that never ends',
      'x\n<tool_call>{}',
      'bad-tool-call',
      '<tool_call> has no closing </tool_call>; nothing from that line on was executed. Write a tag instead, for example <R:src/app.ts>.',
    ],
    [
      'made-up output',
      'x\n<tool_response>1</tool_response>',
      'fabricated-output',
      '<tool_response> is not the output of any tool and was ignored. Write only the call and end the response there; the real output comes in the next message.',
    ],
  ])('about %s has the fact and the remedy', (_, text, code, message) => {
    const [problem, ...others] = parse(asModelText(text), { tools: TOOLS }).problems;
    expect(others).toEqual([]);
    expect(problem).toMatchObject({ code, line: 2, message });
  });

  it('quotes no more than the beginning of a long tag', () => {
    const [problem] = parse(asModelText(`<W:${'a'.repeat(5000)}>`)).problems;
    expect(problem?.message.length).toBeLessThan(400);
  });

  it('is given for every problem, in the order of the text', () => {
    const text = '<G:>\n<tool_call>1</tool_call>\n<R:a> <Grep:>\n<W:x>';
    expect(parse(asModelText(text)).problems.map(({ code, line }) => [code, line])).toEqual([
      ['empty-arg', 1],
      ['bad-tool-call', 2],
      ['empty-arg', 3],
      ['unclosed-body', 4],
    ]);
  });
});

it.each([
  '<run>\nprint(1)\n</run>',
  '<tool_call>\n{"name":"read","arguments":{"path":"a"}}\n</tool_call>',
  '<write path="a">\nb\n</write>',
])('takes %j after a tag for a block of its own, not for a body', (block) => {
  const names = { tools: new Set(['current_time']) };
  const { calls, runs, problems } = parse(asModelText(`<current_time:UTC>\n${block}`), names);
  expect([calls.length + runs.length, problems]).toEqual([2, []]);
  const inside = parse(asModelText(`<E:a.ts:2>\n${block}\n</W:b>`), names);
  expect(inside).toMatchObject({ calls: [], runs: [], problems: [{ code: 'unclosed-body', line: 1 }] });
});
