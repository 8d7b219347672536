import { describe, expect, it } from 'vitest';
import { endText, type EndedBlock } from './outcome-text.ts';
import { limitsOf } from './sandbox-options.ts';

const BLOCK: EndedBlock = {
  code: 'one\n  two two\nthree',
  block: 2,
  end: { state: 'done', shown: undefined, cut: false },
  limits: limitsOf({}),
  spent: false,
  open: 0,
  firstOpen: [],
  names: ['read', 'write', 'home'],
  spaces: [],
};
const thrown = (name: string, message: string, stack = ''): EndedBlock['end'] => ({
  state: 'thrown',
  error: { name, message, stack },
});

describe('endText', () => {
  it.each<readonly [case_: string, block: Partial<EndedBlock>, output: string | undefined]>([
    ['nothing', {}, undefined],
    ['a value', { end: { state: 'done', shown: 'text', cut: false } }, 'text'],
    ['an empty text', { end: { state: 'done', shown: '', cut: false } }, '""'],
    ['a text of which nothing is kept', { end: { state: 'done', shown: '', cut: true } }, ''],
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
        open: 5,
        firstOpen: ['read("a")', 'read("b")', 'read("c")'],
        end: { state: 'stopped', error: undefined },
      },
      'TimeoutError: the code was stopped after 30s. Without an answer, outcome unknown: read("a"), read("b"), read("c") and 2 more. The variables of this session are gone.\nTry: make slow calls with tags',
    ],
  ])('words %s', (_, block, output) => {
    expect(endText({ ...BLOCK, ...block })?.output).toBe(output);
  });
});
