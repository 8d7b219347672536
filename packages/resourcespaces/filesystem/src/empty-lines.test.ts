import { describe, expect, it } from 'vitest';
import { openHome } from '../test/open-home.ts';

/** Sends an edit or a write of `f`, which has three lines, and returns the answer and the new content. */
async function change(call: string) {
  const home = openHome({ f: 'one\ntwo\nthree\n' });
  await home.send('<R:f>');
  const [answer = ''] = await home.send(call);
  return [answer.split('\n')[0], home.content('f')];
}

describe('an empty line between tags', () => {
  it.each([
    ['<E:f:2>\n\n</E>', 'Replaced line 2 in f', 'one\n\nthree\n'],
    ['<E:f:1-2>\n\n</E>', 'Replaced lines 1-2 (2 -> 1 lines) in f', '\nthree\n'],
    ['<E:f:4>\n\n</E>', 'Appended 1 line to f', 'one\ntwo\nthree\n\n'],
    ['<E:f:1 after=true>\n\n</E>', 'Inserted 1 line at line 2 of f', 'one\n\ntwo\nthree\n'],
    ['<E:f:2>\n\n\n</E>', 'Replaced line 2 (1 -> 2 lines) in f', 'one\n\n\nthree\n'],
    ['<W:f>\n\n</W>', 'Wrote 1 char (1 line) to f (replaced 3 lines)', '\n'],
    [
      JSON.stringify({ name: 'edit', arguments: { target: 'f:2', content: '\n' } }),
      'Replaced line 2 in f',
      'one\n\nthree\n',
    ],
  ])('is one in %j', async (call, answer, content) => {
    expect(await change(call)).toEqual([answer, content]);
  });

  it.each([
    ['<E:f:2>\n</E>', 'Deleted line 2 in f', 'one\nthree\n'],
    [
      JSON.stringify({ name: 'edit', arguments: { target: 'f:2', content: '' } }),
      'Deleted line 2 in f',
      'one\nthree\n',
    ],
    ['<W:f>\n</W>', 'Wrote 0 chars (0 lines) to f (replaced 3 lines)', ''],
  ])('is not meant by nothing, in %j', async (call, answer, content) => {
    expect(await change(call)).toEqual([answer, content]);
  });
});
