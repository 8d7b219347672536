import { describe, expect, it } from 'vitest';
import { openSource } from '../../test/open-source.ts';
import { TSCONFIG } from '../../test/temporary-project.ts';

const FILES = {
  'package.json': '{ "type": "module", "workspaces": ["packages/*"] }',
  'packages/core/package.json': '{ "name": "@x/core", "type": "module", "exports": "./src/index.ts" }',
  'packages/core/tsconfig.json': TSCONFIG,
  'packages/core/src/index.ts': "export { Box } from './box.ts';\n",
  'packages/core/src/box.ts':
    'export class Box {\n  size = 1;\n  grow(): void {\n    this.size += this.size;\n  }\n}\nconst lonely = 1;\n',
  'packages/app/package.json': '{ "name": "app", "type": "module" }',
  'packages/app/tsconfig.json': TSCONFIG,
  'packages/app/src/main.ts': "import { Box } from '../../core/src/index.ts';\nexport const box: Box = new Box();\n",
  'packages/app/src/many.ts': `import { Box } from '../../core/src/box.ts';\n${'new Box().grow();\n'.repeat(120)}`,
};

describe('references', () => {
  it('are listed by module, with their number, without the declaration', async () => {
    const { send } = openSource(FILES);
    expect(await send('<references:core.box.Box.size>')).toBe(
      'Box.size in core.box: 2 references in 1 module\ncore.box\n  4: this.size += this.size; (2 times)  in Box.grow',
    );
    expect((await send('<references:core.Box>')).split('\n').slice(0, 4)).toEqual([
      'Box in core.box: 125 references in 3 modules',
      'app.main',
      "  1: import { Box } from '../../core/src/index.ts';",
      '  2: export const box: Box = new Box(); (2 times)',
    ]);
  });

  it('are listed in pages that can be read from anywhere', async () => {
    const { send } = openSource(FILES);
    const pages = [await send('<references:core.box.Box.grow>')];
    expect(pages[0]).toMatch(/\n\[page 1 of 2; next: <references:core\.box\.Box\.grow page=2>\]$/);
    pages.push(await send('<references:core.box.Box.grow page=2>'));
    const rows = pages.flatMap((page) => page.split('\n')).filter((row) => row.endsWith(': new Box().grow();'));
    expect(new Set(rows).size).toBe(120);
    await send('home()');
    expect(await send('<source.references:core.box.Box.grow>')).toContain(
      '; next: <source.references:core.box.Box.grow page=2>]',
    );
  });

  it('are those of a symbol that is named after its module', async () => {
    const { send } = openSource(FILES);
    const expected = await send('<references:core.box.Box.size>');
    for (const address of ['packages/core/src/box.ts Box.size', 'core.box Box.size'])
      expect(await send(`<references:${address}>`)).toBe(expected);
    expect(await send('<references:core.box Bx>')).toMatch(/^ResourceError/);
  });

  it('may be none', async () => {
    const { send } = openSource(FILES);
    expect(await send('<references:core.box.lonely>')).toBe('lonely in core.box: no references in the project');
  });

  it.each([
    [
      'core.box',
      "ResourceError: 'core.box' is a module (target: expected a symbol).\nUsage: references(target: string, page?: int)\nTry: <R:core.box>",
    ],
    [
      'core',
      "ResourceError: 'core' is a folder (target: expected a symbol).\nUsage: references(target: string, page?: int)\nTry: <R:core>",
    ],
    [
      'app',
      "ResourceError: 'app' is a folder (target: expected a symbol).\nUsage: references(target: string, page?: int)\nTry: <R:app>",
    ],
    [
      'core.box.Bx',
      "ResourceError: core.box has no symbol 'Bx' (target: expected a symbol). Did you mean Box?\nUsage: references(target: string, page?: int)\nTry: <references:core.box.Box>",
    ],
    [
      'packages/core/src/box.ts',
      "ResourceError: 'core.box' is a module (target: expected a symbol).\nUsage: references(target: string, page?: int)\nTry: <R:core.box>",
    ],
  ])('of %s are refused', async (address, result) => {
    const { send } = openSource(FILES);
    expect(await send(`<references:${address}>`)).toBe(result);
  });

  it('are found in JavaScript without settings', async () => {
    const { send } = openSource({
      'package.json': '{ "type": "module" }',
      'lib/a.js': 'export function one() {}\n',
      'lib/b.js': "import { one } from './a.js';\none();\n",
    });
    expect(await send('<references:lib.a.one>')).toBe(
      "one in lib.a: 2 references in 1 module\nlib.b\n  1: import { one } from './a.js';\n  2: one();",
    );
  });
});
