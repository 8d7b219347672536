import { units } from '@bae/core/pipeline';
import { WorkspaceRoot } from '@bae/workspace';
import { expect, it } from 'vitest';
import { ModuleIndex } from '../modules/module-index.ts';
import { symbolText } from './symbol-text.ts';

it('reading a symbol costs a tenth of reading its file, in the middle of all symbols of long files', async () => {
  const index = new ModuleIndex(new WorkspaceRoot(new URL('../../../../..', import.meta.url).pathname));
  const { modules } = await index.catalog();
  const shares: number[] = [];
  for (const module of modules) {
    const source = await index.load(module);
    if (source.lines <= 200) continue;
    const whole = units(source.text);
    for (const symbol of source.outline.symbols) {
      for (const one of [symbol, ...symbol.members]) shares.push(units(symbolText(source.text, one)) / whole);
    }
  }
  expect(shares.length).toBeGreaterThan(200);
  expect(shares.toSorted((a, b) => a - b)[Math.floor(shares.length / 2)]).toBeLessThanOrEqual(0.1);
});
