import { existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHome } from '../test/open-home.ts';
import { openSpace } from '../test/open-space.ts';

const FILES = {
  'src/old/x.txt': 'x\n',
  'src/old/deep/y.txt': 'y\n',
  'src/b.ts': "import { tool } from './tool.ts';\n",
  'src/tool.ts': '1\n',
};

describe('delete', () => {
  it('removes a file, or a folder with everything in it, and one undo brings it back', async () => {
    const space = openSpace(FILES);
    expect(await space.call('delete', { target: 'src/tool.ts' })).toBe('Deleted src/tool.ts. Undo it with <undo:>');
    expect(await space.call('delete', { target: 'src/old' })).toBe('Deleted src/old (2 files). Undo it with <undo:>');
    expect(existsSync(join(space.folder, 'src/old'))).toBe(false);
    await space.call('undo', { steps: 1 });
    expect(space.content('src/old/deep/y.txt')).toBe('y\n');
    await space.call('undo', { steps: 1 });
    expect(space.content('src/tool.ts')).toBe('1\n');
  });

  it('leaves alone what no tool may write, links, and the root', async () => {
    const space = openSpace({ ...FILES, 'src/old/.env': 'KEY=1\n', 'docs/a.md': '' });
    expect(await space.call('delete', { target: 'src/old' })).toContain('ProtectedFileError: src/old/.env');
    expect(await space.call('delete', { target: '.env' })).toContain('ProtectedFileError');
    expect(await space.call('delete', { target: '.' })).toContain('the root folder stays where it is');
    symlinkSync('../src', join(space.folder, 'docs/link'));
    expect(await space.call('delete', { target: 'docs' })).toContain('docs/link is a link');
    expect(await space.call('delete', { target: 'nope' })).toContain('FileNotFoundError: nope does not exist.');
    expect(await space.call('delete', { target: 'src/b.ts' }, { range: [1, 1] })).toContain(
      'delete takes a whole file or folder',
    );
    expect(space.content('src/old/x.txt')).toBe('x\n');
  });
});

it.each([
  ['<mkdir:d recursive=true>', 'mkdir', 'recursive', '<mkdir:d>'],
  ['<move:src/b.ts force=true>', 'move', 'force', '<move:src/b.ts to="…">'],
  ['<move:src/b.ts to=c.ts force=true>', 'move', 'force', '<move:src/b.ts to=c.ts>'],
])('takes what looks like an unknown parameter for no name: %s', async (sent, tool, name, tag) => {
  const { send, folder } = openHome({ 'src/b.ts': '1\n' });
  const [refused = ''] = await send(sent);
  expect(refused).toContain(`EditError: ${tool} has no parameter '${name}', and there is no file '`);
  expect(refused.split('\n')[1]).toBe(`Try: ${tag}`);
  expect(readdirSync(folder)).toEqual(['src']);
  expect(readdirSync(join(folder, 'src'))).toEqual(['b.ts']);
});

it('makes a folder of such a name when it is quoted', async () => {
  const { send, folder } = openHome({});
  expect(await send('<mkdir:"d v=1">')).toEqual([expect.stringContaining('Made d v=1/.')]);
  expect(existsSync(join(folder, 'd v=1'))).toBe(true);
});

it('asks for the new path of a move with what was right, also in the example of its help', async () => {
  const { send } = openHome({ 'src/b.ts': '1\n' });
  const [refused = ''] = await send('<move:src/b.ts>');
  expect(refused.split('\n').at(-1)).toBe('Try: <move:src/b.ts to="…">');
  expect(await send('<move:src/b.ts destination=c.ts>')).toEqual([
    expect.stringMatching(/\nTry: <move:src\/b\.ts to=c\.ts>$/),
  ]);
  expect(await send('<help:move>')).toEqual([expect.stringContaining('<move:src/old.ts to=src/new.ts>')]);
});

describe('mkdir', () => {
  it('makes a folder with those above it, which delete removes again', async () => {
    const space = openSpace(FILES);
    expect(await space.call('mkdir', { target: 'docs/new/' })).toBe('Made docs/new/. Undo it with <delete:docs/new>');
    expect(existsSync(join(space.folder, 'docs/new'))).toBe(true);
    expect(await space.call('delete', { target: 'docs/new' })).toBe('Deleted docs/new, which was empty.');
    expect(existsSync(join(space.folder, 'docs/new'))).toBe(false);
  });

  it('goes nowhere it may not, and replaces nothing', async () => {
    const space = openSpace(FILES);
    symlinkSync('/tmp', join(space.folder, 'out'));
    for (const target of ['../out', '/etc/x', '.git/hooks', '.bae/x', 'out/x', 'src', 'src/b.ts', 'src/b.ts/x', ''])
      expect(await space.call('mkdir', { target }), target).toMatch(/^(?:FileError|PathError|ProtectedFileError): /);
  });
});

describe('move', () => {
  it('says who mentions a short name, and not who only has a word that begins so', async () => {
    const space = openSpace({ 'a.ts': '1\n', 'b.ts': "import './a.ts';\nimport './about.ts';\n", 'c.md': '"about"\n' });
    const moved = await space.call('move', { target: 'a.ts', to: 'lib/c.ts' });
    expect(moved).toContain(String.raw`1 file mentions it by its old name: <Grep:[/'"]a(\.\w+)?['"]>`);
    expect(await space.call('grep', { pattern: String.raw`[/'"]a(\.\w+)?['"]` })).toContain("b.ts:1: import './a.ts';");
  });

  it('finds who imports an index by its folder, components that import a module, and modules of Python', async () => {
    const space = openSpace({
      'src/kit/index.ts': '1\n',
      'src/Kit.vue': "<script>\nimport kit from './kit';\n</script>\n",
      'src/all.ts': "export * from './kit/index.js';\nexport * from './kitchen';\n",
      'app/shop.py': 'A = 1\n',
      'app/main.py': 'from app.shop import A\n',
      'tests/test_shop.py': 'import app.shop as s\n# the shop\n',
    });
    const moved = await space.call('move', { target: 'src/kit/index.ts', to: 'src/tools.ts' });
    expect(moved).toContain(String.raw`2 files mention it by its old name: <Grep:[/'"]kit(/(index(\.\w+)?)?)?['"]>`);
    const python = await space.call('move', { target: 'app/shop.py', to: 'app/store.py' });
    expect(python).toContain(
      String.raw`2 files mention it by its old name: <Grep:^\s*(from|import)\s.*\bshop\b|/shop\.py>`,
    );
  });

  it('gives a file another path, and says who mentions the old one', async () => {
    const space = openSpace(FILES);
    expect(await space.call('move', { target: 'src/tool.ts', to: 'lib/tools.ts' })).toBe(
      'Moved src/tool.ts to lib/tools.ts. Undo it with <undo:>\n' +
        `1 file mentions it by its old name: <Grep:[/'"]tool>`,
    );
    expect(space.content('lib/tools.ts')).toBe('1\n');
    expect(existsSync(join(space.folder, 'src/tool.ts'))).toBe(false);
    await space.call('undo', { steps: 1 });
    expect(space.content('src/tool.ts')).toBe('1\n');
    expect(existsSync(join(space.folder, 'lib'))).toBe(false);
  });

  it('moves a folder as a whole, and into a folder by its name', async () => {
    const space = openSpace(FILES);
    expect(await space.call('move', { target: 'src/old', to: 'src/new' })).toContain(
      'Moved src/old to src/new (2 files).',
    );
    expect(space.content('src/new/deep/y.txt')).toBe('y\n');
    expect(existsSync(join(space.folder, 'src/old'))).toBe(false);
    expect(await space.call('move', { target: 'src/tool.ts', to: 'src/new' })).toContain('to src/new/tool.ts');
    expect(await space.call('move', { target: 'src/b.ts', to: 'other/' })).toContain('to other/b.ts');
  });

  it('takes both paths in one', async () => {
    const space = openSpace(FILES);
    expect(await space.call('move', { target: 'src/b.ts -> src/c.ts', to: '' })).toContain(
      'Moved src/b.ts to src/c.ts',
    );
    expect(await space.call('move', { target: 'src/c.ts src/b.ts', to: '' })).toContain('Moved src/c.ts to src/b.ts');
    expect(await space.call('move', { target: 'src/b.ts', to: '' })).toContain('Try: <move:src/b.ts to=…>');
  });

  it('replaces nothing, and goes nowhere it may not', async () => {
    const space = openSpace(FILES);
    for (const to of ['src/tool.ts', '../out.ts', '/etc/x', '.git/hooks/x', 'src/.env']) {
      expect(await space.call('move', { target: 'src/b.ts', to })).toMatch(
        /^(?:FileError|PathError|ProtectedFileError): /,
      );
    }
    expect(await space.call('move', { target: 'src', to: 'src/inner' })).toContain('cannot be moved into itself');
    expect(space.content('src/b.ts')).toContain('import');
  });

  it('keeps what the session knows of the file: its lines can be edited at once', async () => {
    const space = openSpace(FILES);
    await space.read('src/tool.ts');
    await space.call('move', { target: 'src/tool.ts', to: 'src/moved.ts' });
    expect(await space.call('edit', { target: 'src/moved.ts', content: '2' }, { range: [1, 1] })).toContain(
      'src/moved.ts',
    );
    expect(space.content('src/moved.ts')).toBe('2\n');
  });
});
