import { asModelText, createAgent } from '@bae/core';
import { provideWorkspace } from '@bae/workspace';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { FilesystemSpace } from './filesystem-space.ts';

const LINES = Array.from({ length: 3000 }, (_, line) => `line ${line + 1} of a long file`);

/** The text of a call in an agent with a limit, without the line that ends a page. */
async function pageOf(tag: string, cap: number | undefined): Promise<string> {
  const folder = temporaryFolder({ 'long.txt': LINES.join('\n'), 'wide.txt': 'x'.repeat(100_000) });
  const agent = createAgent({
    home: FilesystemSpace,
    provide: [provideWorkspace(folder)],
    ...(cap !== undefined && { cap }),
  });
  const { calls } = await agent.run(asModelText(tag));
  const text = calls[0]?.result.text ?? '';
  expect(text).toMatch(/next: <R:/);
  return text.slice(0, text.lastIndexOf('\n['));
}

it.each([
  [50, 400],
  [200, 1600],
  [undefined, 4000],
  [1000, 8000],
])('at a limit of %s tokens a page has up to %s characters', async (cap, length) => {
  for (const tag of ['<R:long.txt>', '<R:long.txt:7->', '<R:wide.txt>']) {
    const page = await pageOf(tag, cap);
    // Numbers before lines, which a range shows, are not counted.
    const content = page.replaceAll(/^ *\d+ \| /gm, '');
    expect(content.length).toBeLessThanOrEqual(length);
    expect(content.length).toBeGreaterThan(length - 100);
  }
});
