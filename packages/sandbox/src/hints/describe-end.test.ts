import { describe, expect, it } from 'vitest';
import { resolveLimits } from '../host/thread.ts';
import { describeBlockEnd, formatFrames, type EndedBlock } from './describe-end.ts';

const BLOCK: EndedBlock = {
  code: 'one\n  two two\nthree',
  block: 2,
  end: { state: 'done', value: undefined, cut: false },
  limits: resolveLimits({}),
  spent: false,
  calls: { pendingCount: 0, quotePending: () => [] },
  names: ['read', 'write', 'home'],
  spaces: [],
};
const thrown = (name: string, message: string, stack = ''): EndedBlock['end'] => ({
  state: 'thrown',
  error: { name, message, stack },
});

describe('describeBlockEnd', () => {
  it.each<readonly [case_: string, block: Partial<EndedBlock>, output: string | undefined]>([
    ['nothing', {}, undefined],
    ['a value', { end: { state: 'done', value: 'text', cut: false } }, 'text'],
    ['an empty text', { end: { state: 'done', value: '', cut: false } }, '""'],
    ['a text of which nothing is kept', { end: { state: 'done', value: '', cut: true } }, ''],
    [
      'code that cannot be read',
      { end: { state: 'unreadable', message: 'Unexpected token', line: 2 } },
      'SyntaxError: Unexpected token\n  at line 2: two two',
    ],
    [
      'a long line that cannot be read',
      { code: 'x'.repeat(100), end: { state: 'unreadable', message: 'Bad', line: 1 } },
      `SyntaxError: Bad\n  at line 1: ${'x'.repeat(79)}…`,
    ],
    [
      'an error of an earlier block',
      { end: thrown('TypeError', 'bad', '    at f (block-1:7:1)\n    at <eval> (block-2:3:1)\n') },
      'TypeError: bad\n  at f (line 7 of block 1)\n  at line 3',
    ],
    ['an error of several lines', { end: thrown('E', 'one\nTry: two') }, 'E: one\nTry: two'],
    [
      'a name that is close',
      { end: thrown('ReferenceError', "'wirte' is not defined") },
      "ReferenceError: 'wirte' is not defined\nDid you mean write?",
    ],
    [
      'a tool of other places',
      {
        end: thrown('ReferenceError', "'write' is not defined"),
        names: ['read'],
        spaces: ['home', 'source', 'source.deps', 'tasks'].map((name) => ({
          name,
          tools: [{ name: 'write', params: [] }],
        })),
      },
      "ReferenceError: 'write' is not defined\nIt is a tool of another place: home.write(…), source.write(…), source.deps.write(…).",
    ],
    [
      'a tool of another place, as code calls it',
      {
        end: thrown('ReferenceError', "'add_note' is not defined"),
        spaces: [{ name: 'notes', tools: [{ name: 'add-note', params: [] }] }],
      },
      "ReferenceError: 'add_note' is not defined\nIt is a tool of another place: notes.add_note(…).",
    ],
    [
      'a name like no other',
      { end: thrown('ReferenceError', "'zzzzzz' is not defined") },
      "ReferenceError: 'zzzzzz' is not defined\nTools and places here: read, write, home.",
    ],
    [
      'a place below another one',
      {
        end: thrown('ReferenceError', "'old_ones' is not defined"),
        spaces: ['new', 'new.old-ones', 'source'].map((name) => ({ name, tools: [] })),
      },
      "ReferenceError: 'old_ones' is not defined\nDid you mean new_.old_ones?",
    ],
    [
      'a tool of a place with a name that is a word of the language',
      {
        end: thrown('ReferenceError', "'frob' is not defined"),
        spaces: [{ name: 'new', tools: [{ name: 'frob', params: [] }] }],
      },
      "ReferenceError: 'frob' is not defined\nIt is a tool of another place: new_.frob(…).",
    ],
    [
      'a tag',
      { code: 'const a = 1\n<R:package.json>', end: { state: 'unreadable', message: 'Bad', line: 2 } },
      'SyntaxError: Bad\n  at line 2: <R:package.json>\nTags do not work in code: write await read("package.json")',
    ],
    [
      'a module',
      {
        end: thrown('ReferenceError', "could not load module 'fs'"),
        names: Array.from({ length: 20 }, (_, i) => `t${i}`),
      },
      "ReferenceError: could not load module 'fs'\nCode here reaches nothing but tools: t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, … 8 more.",
    ],
    [
      'a broken engine',
      { spent: true, end: thrown('RangeError', 'Maximum call stack size exceeded') },
      'RunError: the code is nested too deeply. The variables of this session are gone.\nTry: begin again with simpler code',
    ],
    [
      'code that was killed',
      {
        spent: true,
        calls: { pendingCount: 5, quotePending: () => ['read("a")', 'read("b")', 'read("c")'] },
        end: { state: 'stopped', error: undefined },
      },
      'TimeoutError: the code was stopped after 30s. Without a result, outcome unknown: read("a"), read("b"), read("c") and 2 more. The variables of this session are gone.\nTry: make slow calls with tags',
    ],
  ])('describes %s', (_, block, output) => {
    expect(describeBlockEnd({ ...BLOCK, ...block })?.output).toBe(output);
  });
});

describe('formatFrames', () => {
  it('keeps what is in the code, and names the block', () => {
    const stack = [
      '    at request (bae:80:20)',
      '    at read (bae:150:2)',
      '    at f (block-3:2:10)',
      '    at map (native)',
      '    at <anonymous> (block-1:7:1)',
      '    at <eval> (block-3:9:5)',
      '    at block-3:4:1',
      '',
    ].join('\n');
    expect(formatFrames(stack, 3)).toEqual(['at f (line 2)', 'at line 7 of block 1', 'at line 9', 'at line 4']);
  });

  it('names a line once when its callback failed', () => {
    const stack = '    at <anonymous> (block-1:2:10)\n    at map (native)\n    at <eval> (block-1:2:5)\n';
    expect(formatFrames(stack, 1)).toEqual(['at line 2']);
  });

  it('keeps eight', () => {
    const stack = Array.from({ length: 20 }, (_, index) => `    at f (block-1:${index + 1}:1)`).join('\n');
    const frames = formatFrames(stack, 1);
    expect(frames).toHaveLength(8);
    expect(frames.at(-1)).toBe('… 13 more');
  });

  it('keeps the beginning of a long name', () => {
    const [frame] = formatFrames(`    at ${'f'.repeat(12_000)} (block-1:1:1)`, 1);
    expect(frame).toBe(`at ${'f'.repeat(80)}… (line 1)`);
  });

  it('finds nothing in text that is not a stack', () => {
    expect(formatFrames('x\nat /etc/passwd:1:1\n at process (node:internal:1:1)', 1)).toEqual([]);
  });
});
