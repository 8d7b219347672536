import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { approvalPolicy } from '@bae/core';
import { renderUnifiedDiff } from '@bae/workspace';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { openHome } from '../test/open-home.ts';

const LINES = fc.array(fc.constantFrom('a', 'b', 'é😀', ''), { maxLength: 6 });
const CALL = fc.oneof(
  fc
    .tuple(fc.constantFrom('s.txt', 'd/new.txt'), LINES)
    .map(([path, lines]) => `<W:${path}>\n${lines.join('\n')}\n</W>`),
  fc.tuple(fc.nat({ max: 7 }), LINES).map(([line, lines]) => `<E:s.txt:${line + 1}>\n${lines.join('\n')}\n</E>`),
  fc.constantFrom('<E:s.txt old="a" new="changed" every=true>', '<undo:>', '<undo:2>'),
);

const compareWithPreview = async (numRuns: number) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(CALL, { minLength: 1, maxLength: 8 }),
      fc.constantFrom('\n', '\r\n'),
      async (calls, ending) => {
        const shown: (string | undefined)[] = [];
        const home = openHome(
          { 's.txt': ['a', 'b', 'c', 'd'].join(ending) + ending },
          approvalPolicy({
            ask: async ({ preview }) => {
              shown.push(await preview?.().catch((error: Error) => error.message));
              return { decision: 'allow' };
            },
          }),
        );
        const contents = () =>
          new Map(
            ['d/new.txt', 's.txt'].map((path) => [
              path,
              existsSync(join(home.folder, path)) ? home.content(path) : undefined,
            ]),
          );
        await home.send('<R:s.txt>');
        for (const call of calls) {
          const before = contents();
          const [result = ''] = await home.send(call);
          const after = contents();
          const made = [...after].map(([path, text]) =>
            renderUnifiedDiff({ path, before: before.get(path), after: text }),
          );
          const failed = /^\w+Error: (.*)/.exec(result)?.[1];
          const preview = shown.splice(0).join('');
          if (failed !== undefined) expect(after).toEqual(before);
          else if (!result.startsWith('Nothing to undo')) expect(partsOf(preview)).toEqual(partsOf(made.join('')));
        }
      },
    ),
    { numRuns },
  );
};

it('what is shown before a call is what the call then does', () => compareWithPreview(8));
it('what is shown before a call is what the call then does, 60 times', { tags: ['long'] }, () =>
  compareWithPreview(60),
);

/** The differences of single files, sorted: an undo shows them in its own order. */
function partsOf(diff: string): readonly string[] {
  return diff
    .split(/^(?=--- )/m)
    .filter((part) => part !== '')
    .toSorted();
}
