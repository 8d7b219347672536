import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';

/** How a project lists its package `a`. */
async function describePackage(readme: string, manifest: object = {}): Promise<string> {
  const files = {
    'package.json': '{"workspaces":["packages/*"]}',
    'packages/a/package.json': JSON.stringify({ name: 'a', ...manifest }),
    'packages/a/README.md': readme,
    'packages/a/index.ts': '/** What the index says. */\nexport const a = 1;\n',
  };
  return openSource(files).send('<R:>');
}

describe('what a package is for', () => {
  it.each([
    ['# A\n\n[![badge](x)](y)\n\nMakes things. And more.\n', 'Makes things'],
    ['The **first part** of what\n[this](https://a.b/c) makes.\n\nMore.', 'The first part of what this makes'],
    ['The **[A provider](https://a.b/c)** of __all__ `things`', 'The A provider of all `things`'],
    ['> Quoted.\n\n<p>Tag</p>\n\nWindows\r\nlines.\r\n\r\nMore.', 'Windows lines'],
    ['two ** stars, a_b_c and [no link]', 'two ** stars, a_b_c and [no link]'],
    ['# Only a heading\n', 'What the index says'],
    ['', 'What the index says'],
  ])('is the first sentence of its README: %j', async (readme, expected) => {
    expect(await describePackage(readme)).toBe(`a -- ${expected} (1 module)`);
  });

  it('is what its manifest says, if it says something', async () => {
    expect(await describePackage('Other words.', { description: 'The words of the manifest.' })).toBe(
      'a -- The words of the manifest (1 module)',
    );
  });
});
