import { asModelText, createAgent } from '@bae/core';
import { countUnits, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import { provideWorkspace } from '@bae/workspace';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { SourceSpace } from './source-space.ts';

const METHODS = Array.from({ length: 400 }, (_, number) => `  method${number}() {\n    return ${number};\n  }\n`).join(
  '',
);
const FILES = {
  'big.js': `export class Big {\n${METHODS}}\n`,
  ...Object.fromEntries(
    Array.from({ length: 400 }, (_, number) => [`lib/m${number}.js`, `export const c${number} = 1;\n`]),
  ),
};

it.each([200, 500, 1000])(
  'at a limit of %s tokens, pages and lists have as many rows as there is room for',
  async (cap) => {
    const agent = createAgent({ home: SourceSpace, provide: [provideWorkspace(temporaryFolder(FILES))], cap });
    onTestFinished(() => agent.close());
    for (const tag of ['<R:big.Big>', '<R:big:1->', '<R:lib>', '<Grep:const>']) {
      const { calls } = await agent.run(asModelText(tag));
      const { text } = calls[0]!.result;
      const last = text.split('\n').at(-1);
      expect(last).toMatch(/next: <|narrow with/);
      const size = countUnits(text) / UNITS_PER_TOKEN;
      // Numbers before lines are not counted.
      expect(size).toBeLessThanOrEqual(tag === '<R:big:1->' ? 4 * cap : cap);
      expect(size).toBeGreaterThan(cap / 4);
    }
  },
);
