import { Script } from 'node:vm';
import { needsMore } from '@bae/sandbox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GrowingCode } from './growing-code.ts';

const LINES = [
  'f(a)|if (a) {|}|} else {|g(|)|[1,|2];|a +|b;||const c = {|d: ")",|});|class A {|}|}'.split('|'),
  ['`', '`', '${', '`${a', '}`', 'it\'s ")', '/*', '*/', '// {', '/[}]/', "'}'", "'a\\"],
].flat();

function isWhole(code: string): boolean {
  try {
    return new Script(code) instanceof Script;
  } catch {
    return false;
  }
}

describe('GrowingCode', () => {
  it('says of any code line by line what would be said of all of it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 12 }),
        async ([first, ...rest]) => {
          const code = new GrowingCode(first!, needsMore);
          for (const line of rest) {
            if (!(await code.isOpen())) return;
            code.add(line);
            // Of code that is wrong in any case it may be said later.
            if (isWhole(code.text)) expect(await code.isOpen()).toBe(await needsMore(code.text));
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it.each(['`', '`a ${b} ', '/* a', 'if (a) {\n  b(`'])('knows that it breaks off in a text: %s', async (text) => {
    expect(await new GrowingCode(text, needsMore).isOpenText()).toBe(true);
  });

  it.each(['if (a) {', 'f(', '1 +', '`${', '`${a'])('knows that it breaks off elsewhere: %s', async (text) => {
    expect(await new GrowingCode(text, needsMore).isOpenText()).toBe(false);
  });
});
