import { describe, expect, it } from 'vitest';
import { mentionsCall } from './mentioned-call.ts';
import { removeNotation } from './read-text.ts';

const WRITE = { tool: 'write', target: '.profile', options: [], selects: false };
const mentions = (text: string, call: Partial<typeof WRITE> = {}, fromCode = false) =>
  mentionsCall(removeNotation(text), { ...WRITE, ...call }, fromCode);

describe('mentionsCall', () => {
  it.each([
    '<W:.profile>',
    '<home.Write: ./.profile mode=644>',
    '<W:.profile:2-3>',
    '{"name": "home.write", "arguments": {"content": "x", "target": ".profile"}}',
    '{"tool": "write_file", "input": {"path": ".profile"}}',
    '<invoke name="write">\n<parameter name="target">\n.profile\n</parameter>',
    '<write target=".profile"/>',
    '[TOOL_CALLS]write{"target": ".profile"}',
    'Action: write\nAction Input: {"target": ".profile"}',
    'write(target=".profile")',
    "const done = await home.write('.profile', text);",
    'await write({ content: text, target: `.profile` })',
  ])('notices %j', (text) => {
    expect(mentions(text)).toBe(true);
  });

  it.each([
    '<W:.profile2>',
    '<R:.profile>',
    '<overwrite:.profile>',
    '{"name": "write", "arguments": {"target": "b"}}, {"path": ".profile"}',
    'rewrite(target=".profile")',
    'await overwrite(".profile")',
    'await write(path()); read(".profile")',
    'stream.write(".profile")',
    'write to .profile',
  ])('does not mistake %j for a call', (text) => {
    expect(mentions(text)).toBe(false);
  });

  it('takes any call in code for that of code, unless its target only selects', () => {
    const text = 'stream.write(".profile")';
    expect(mentions(text, {}, true)).toBe(true);
    expect(mentions(text, { selects: true }, true)).toBe(false);
    expect(mentions('return write(".profile")', {}, true)).toBe(true);
    expect(mentions('rewrite(".profile")', {}, true)).toBe(false);
    expect(mentions('await done(7)', { tool: 'done', target: '7' })).toBe(true);
  });

  it('compares the options, too, if the target is short', () => {
    const text = '<edit:7 status=done note="as told">';
    const edit = (...options: string[]) => mentions(text, { tool: 'edit', target: '7', options: options as never[] });
    expect([edit('as told', 'done'), edit('done'), edit(), edit('open')]).toEqual([true, true, true, false]);
  });

  it('asks about a text that was made to take long', () => {
    expect(mentions('write("x".profile"'.repeat(3000))).toBe(false);
    expect(mentions('write((".profile"'.repeat(6000), {}, true)).toBe(true);
  });
});
