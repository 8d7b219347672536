import { expect, it } from 'vitest';
import type { CommandContext } from '../command-line/command.ts';
import { createErrorLog } from './serve.ts';

it('writes the same error once a minute, and says how many were left out', () => {
  const lines: string[] = [];
  const terminal = { err: { write: (text: string) => lines.push(text) } };
  let time = 0;
  const log = createErrorLog({ options: { debug: false }, terminal } as unknown as CommandContext, () => time);
  const away = Object.assign(new Error('the database is away.'), { code: 'BAE_STORE', hints: ['wait'] });
  for (; time < 59_000; time += 200) log(away);
  log(Object.assign(new Error('something else.'), { code: 'BAE_STORE', hints: ['look'] }));
  time = 60_000;
  log(away);
  time = 130_000;
  log(away);
  expect(lines).toEqual([
    'bae: the database is away.\nTry: wait\n',
    'bae: something else.\nTry: look\n',
    'bae: the database is away.\nTry: wait\n(294 more of these since the last one)\n',
    'bae: the database is away.\nTry: wait\n',
  ]);
});
