import { Sandbox } from '@bae/sandbox';
import { expect, it } from 'vitest';
import { runBlock } from './code-stage.ts';

const DEPTH = 300;

it.each(['try {} finally { ', 'async function f() { function g() {} '])(
  'a sandbox takes hardly more time for the depth of %s',
  async (open) => {
    await using sandbox = new Sandbox({ timeoutMs: 60_000 });
    const measure = async (body: string): Promise<number> => {
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 3; round++) {
        const began = performance.now();
        expect(await runBlock(sandbox, `const f = () => { ${body} }\n"read"`)).toMatchObject({ output: 'read' });
        least = Math.min(least, performance.now() - began);
      }
      return least;
    };
    const opened = `${open}${'a(b, c);'.repeat(45)}`;
    const deep = await measure(opened.repeat(DEPTH) + '}'.repeat(DEPTH));
    const flat = await measure(`{ ${opened} } }`.repeat(DEPTH));
    expect(deep).toBeLessThan(4 * flat + 100);
  },
);
