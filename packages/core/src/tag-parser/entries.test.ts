import { expect, it } from 'vitest';
import { asModelText } from '../protocol/model.ts';
import { parse } from './parse.ts';

const NAMES = { spaces: new Set(['tasks', 'notes']), tools: new Set(['done']), misspeltSpaces: 'problem' } as const;

function listCalls(text: string): readonly string[] {
  return parse(asModelText(text), NAMES).calls.map(({ verb, arg }) => `${verb} ${arg}`);
}

const WRITE = '<W:a.md>\nx\n</W>';

it.each([
  '@tasks',
  '@tasks:',
  '<@tasks>',
  '<go:tasks>',
  '<go tasks>',
  '<cd tasks/>',
  '<enter name="tasks"/>',
  '<enter>tasks</enter>',
  '<go>@tasks()</go>',
  '<go><place>tasks</place></go>',
  '<enter>\ntasks\n</enter>',
  '<tool name="go">tasks</tool>',
  '<tasks/>',
  'tasks()',
  'cd tasks',
  '/go tasks',
  'go("tasks")',
  "await enter('tasks');",
  '- @tasks()',
  '1. `@tasks()`',
  '**@tasks()**',
  'I go there: @tasks()',
  'Action: go\nAction Input: tasks',
  '[go(place="tasks")]',
  '{"name":"go","arguments":{"place":"tasks","reason":"to write"}}',
  '@tasks\n\nI write it down.',
])('what follows an entry is written there, whatever its notation: %j', (entry) => {
  expect(listCalls(`${entry}\n${WRITE}`)).toEqual(['go tasks', 'write a.md']);
  expect(listCalls(`I begin.\n\n${entry}\n\n${WRITE}`)).toEqual(['go tasks', 'write a.md']);
});

it.each([
  '@billing',
  '<@billing>',
  '<@billing()>',
  '<enter>billing</enter>',
  '<go billing>',
  '<enter name="billing"/>',
  'go("billing")',
  '> @billing()',
  'Action: enter\nAction Input: {"space": "billing"}',
])('a place that does not exist is entered too, which fails: %j', (entry) => {
  expect(listCalls(`${entry}\n${WRITE}`)).toEqual(['go billing', 'write a.md']);
});

it.each([
  '```\n@tasks\n```',
  'Mail bob@tasks.org',
  '@tasks is where it belongs.',
  'I asked @tasks',
  '@tasks\nclass Task {}',
  '@alice\n\nI write it down.',
  'billing()',
  'cd billing',
  '<billing/>',
  '<br/>',
  '<think>\n@tasks\n</think>',
  '<R:b.md>',
])('other text enters nothing: %j', (text) => {
  expect(listCalls(`${text}\n${WRITE}`).filter((call) => call.startsWith('go'))).toEqual([]);
});

it.each(['<tasks.done>', '<R>', '<tasks.done:7>'])('the call %s above another call is no entry', (call) => {
  expect(listCalls(`${call}\n${WRITE}`).map((one) => one.split(' ', 1)[0])).toEqual([
    call === '<R>' ? 'read' : 'done',
    'write',
  ]);
});

it.each(['Action: go', '{"name":"go","arguments":{}}'])('an entry without a place fails as well: %j', (entry) => {
  expect(listCalls(`${entry}\n\n${WRITE}`)).toEqual(['go place', 'write a.md']);
});

it('the last place that exists is entered, and otherwise the first is missing', () => {
  expect(listCalls(`@tasks\nThen\n@notes\nand\n${WRITE}`)).toEqual(['go notes', 'write a.md']);
  expect(listCalls(`@billing()\nand\n@other()\nand\n${WRITE}`)).toEqual(['go billing', 'write a.md']);
  expect(listCalls(`@billing()\nand\n@notes()\n${WRITE}`)).toEqual(['go billing', 'go notes', 'write a.md']);
});

it('nothing is entered where no call follows', () => {
  for (const text of ['@tasks', '@billing', 'go("billing")', '- @tasks()', 'Text.\n@tasks\nMore.'])
    expect(listCalls(text)).toEqual([]);
});
