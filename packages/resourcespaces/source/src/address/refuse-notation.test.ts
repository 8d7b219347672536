import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';

const FILES = { 'package.json': '{\n}\n', 'docs/guide.md': 'Text.\n', 'src/request.test.ts': 'export const a = 1;\n' };

describe('reading a file that is no module', () => {
  it.each([
    ['package.json:1-2', 'package.json', 'package.json:1-2'],
    ['package.json:2', 'package.json', 'package.json:2'],
    ['package.json:2-', 'package.json', 'package.json:2-'],
    ['docs/guide.md', 'docs/guide.md', 'docs/guide.md'],
  ])('offers to read %s at home', async (target, file, next) => {
    expect(await openSource(FILES).send(`<R:${target}>`)).toBe(
      `ResourceError: '${file}' is a file, and no module or symbol (target: expected a package, module or symbol). Read it at home.\nUsage: read(target: string = "", page: int = 1, all: boolean = false)\nTry: <home.R:${next}>`,
    );
  });

  it('does not offer what is not there, is a folder, or is out of the project', async () => {
    const { send } = openSource(FILES);
    for (const target of ['package.jso', 'docs/none.md', 'docs', '../package.json'])
      expect(await send(`<R:${target}>`)).not.toContain('home.R');
  });

  it('reads a module by its path as before', async () => {
    expect(await openSource(FILES).send('<R:src/request.test.ts>')).toMatch(/Try: <R:request\.test>$/);
  });
});
