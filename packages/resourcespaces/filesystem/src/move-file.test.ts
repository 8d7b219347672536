import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  readFileSync,
} from 'node:fs';
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

  it('leaves alone what no tool may write, and the root', async () => {
    const space = openSpace({ ...FILES, 'src/old/.env': 'KEY=1\n', 'docs/a.md': '' });
    expect(await space.call('delete', { target: 'src/old' })).toContain('ProtectedFileError: src/old/.env');
    expect(await space.call('delete', { target: '.env' })).toContain('ProtectedFileError');
    expect(await space.call('delete', { target: '.' })).toContain('the root folder stays where it is');
    expect(await space.call('delete', { target: 'nope' })).toContain('FileNotFoundError: nope does not exist.');
    expect(await space.call('delete', { target: 'src/b.ts' }, { range: [1, 1] })).toContain(
      'delete takes a whole file or folder',
    );
    expect(space.content('src/old/x.txt')).toBe('x\n');
  });
});

it('refuses an unknown parameter beside a known one', async () => {
  const { send, folder } = openHome({ 'src/b.ts': '1\n' });
  const [refused = ''] = await send('<move:src/b.ts to=c.ts force=true>');
  expect(refused).toContain('- force: unknown parameter');
  expect(refused.split('\n').at(-1)).toBe('Try: <move:src/b.ts to=c.ts>');
  expect(readdirSync(folder)).toEqual(['src']);
});

it.each([
  ['<mkdir:d recursive=true>', 'mkdir', 'recursive', '<mkdir:d>'],
  ['<move:src/b.ts force=true>', 'move', 'force', '<move:src/b.ts to="…">'],
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
  it('makes a folder with those above it, and one undo removes all of them', async () => {
    const space = openSpace(FILES);
    expect(await space.call('mkdir', { target: 'docs/new/' })).toBe('Made docs/new/. Undo it with <undo:>');
    expect(existsSync(join(space.folder, 'docs/new'))).toBe(true);
    expect(await space.call('undo', { steps: 1 })).toBe('Undid mkdir of docs/new (the new empty folder is gone)');
    expect(existsSync(join(space.folder, 'docs'))).toBe(false);
  });

  it('is not undone when the folder has something in it by then', async () => {
    const space = openSpace(FILES);
    await space.call('mkdir', { target: 'docs' });
    mkdirSync(join(space.folder, 'docs/mine'));
    expect(await space.call('undo', { steps: 1 })).toContain('docs changed after the mkdir that is to be undone');
    expect(existsSync(join(space.folder, 'docs/mine'))).toBe(true);
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

  it('has no time limit for finding who mentions it: it has happened by then', async () => {
    const { send } = openHome({ 'src/a.ts': '1\n', 'src/b.ts': `import './a.ts';\n` }, undefined, { searchMs: 0 });
    expect(await send('<Grep:a.*ts>')).toEqual([expect.stringContaining('grep exceeded 0s')]);
    expect(await send('<move:src/a.ts to=src/c.ts>')).toEqual([expect.stringContaining('1 file mentions it')]);
  });

  it('gives a file another path, and says who mentions the old one', async () => {
    const space = openSpace(FILES);
    expect(await space.call('move', { target: 'src/tool.ts', to: 'lib/tools.ts' })).toBe(
      'Moved src/tool.ts to lib/tools.ts. Undo it with <undo:>\n' +
        `1 import to correct:\n<E:src/b.ts old="'./tool.ts'" new="'../lib/tools.ts'">\n` +
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
    expect(await space.call('move', { target: 'src/b.ts to=src/b (old) [1].ts', to: '' })).toContain(
      'Moved src/b.ts to src/b (old) [1].ts',
    );
    expect(await space.call('move', { target: 'src/b (old) [1].ts => src/b.ts', to: '' })).toContain('to src/b.ts');
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

describe('a link', () => {
  const linked = () => {
    const space = openSpace({ 'real/a.txt': 'a\n', 'b.txt': 'b\n' });
    const at = (path: string) => join(space.folder, path);
    symlinkSync('real', at('rl'));
    symlinkSync('b.txt', at('fl'));
    symlinkSync('nowhere', at('dangling'));
    symlinkSync('/etc', at('out'));
    const call = space.call.bind(space);
    return { call, at, names: () => readdirSync(space.folder).toSorted().join(' ') };
  };

  it('is deleted itself, wherever it leads, and what it leads to stays', async () => {
    const { call, names, at } = linked();
    for (const target of ['rl', 'fl', 'dangling', 'out'])
      expect(await call('delete', { target })).toBe(`Deleted ${target}. Undo it with <undo:>`);
    expect(names()).toBe('b.txt real');
    expect(readdirSync(at('real'))).toEqual(['a.txt']);
    expect(await call('undo', { steps: 4 })).toContain('Undid delete of rl (the link is back)');
    expect(names()).toBe('b.txt dangling fl out real rl');
    expect(['rl', 'fl', 'dangling', 'out'].map((name) => readlinkSync(at(name)))).toEqual([
      'real',
      'b.txt',
      'nowhere',
      '/etc',
    ]);
  });

  it('is moved itself, and one undo moves it back', async () => {
    const { call, names, at } = linked();
    expect(await call('move', { target: 'rl', to: 'rl2' })).toContain('Moved rl to rl2. Undo it with <undo:>');
    expect(readlinkSync(at('rl2'))).toBe('real');
    expect(names()).toBe('b.txt dangling fl out real rl2');
    await call('undo', { steps: 1 });
    expect(names()).toBe('b.txt dangling fl out real rl');
    expect(await call('move', { target: 'fl', to: 'rl' })).toContain('Moved fl to real/fl');
    expect(readlinkSync(at('real/fl'))).toBe('b.txt');
  });

  it('is not replaced by a move, even if it leads nowhere', async () => {
    const { call, names } = linked();
    expect(await call('move', { target: 'b.txt', to: 'dangling' })).toContain('dangling already exists');
    expect(names()).toBe('b.txt dangling fl out real rl');
  });

  it('goes with the folder that it is in', async () => {
    const { call, at } = linked();
    symlinkSync('../b.txt', at('real/up'));
    expect(await call('move', { target: 'real', to: 'other' })).toContain('Moved real to other (2 files).');
    expect(readlinkSync(at('other/up'))).toBe('../b.txt');
    expect(await call('delete', { target: 'other' })).toContain('Deleted other (2 files).');
    expect(await call('undo', { steps: 2 })).toContain('Undid delete of other/up (the link is back)');
    expect(readlinkSync(at('real/up'))).toBe('../b.txt');
    expect(existsSync(at('b.txt'))).toBe(true);
  });

  it('is left alone when it leads elsewhere by then', async () => {
    const { call, at } = linked();
    await call('move', { target: 'fl', to: 'moved' });
    await call('delete', { target: 'moved' });
    symlinkSync('real', at('moved'));
    expect(await call('undo', { steps: 1 })).toContain('ConflictError: moved changed after the delete');
    expect(readlinkSync(at('moved'))).toBe('real');
  });
});

describe('an empty folder', () => {
  const nested = () => {
    const space = openSpace({ 't/a.txt': 'a\n' });
    const at = (path: string) => join(space.folder, path);
    mkdirSync(at('t/e/f'), { recursive: true });
    chmodSync(at('t/e/f'), 0o700);
    return { call: space.call.bind(space), at };
  };

  it('moves with the folder that it is in, and back', async () => {
    const { call, at } = nested();
    expect(await call('move', { target: 't', to: 'u' })).toContain('Moved t to u (1 file).');
    expect(lstatSync(at('u/e/f')).isDirectory()).toBe(true);
    expect(existsSync(at('t'))).toBe(false);
    await call('undo', { steps: 1 });
    expect(statSync(at('t/e/f')).mode & 0o777).toBe(0o700);
    expect(existsSync(at('u'))).toBe(false);
  });

  it('is back after a deletion is undone, alone or with others', async () => {
    const { call, at } = nested();
    await call('delete', { target: 't' });
    expect(existsSync(at('t'))).toBe(false);
    await call('undo', { steps: 1 });
    expect(statSync(at('t/e/f')).mode & 0o777).toBe(0o700);
    expect(await call('delete', { target: 't/e' })).toBe('Deleted t/e, which was empty. Undo it with <undo:>');
    expect(existsSync(at('t/e'))).toBe(false);
    expect(await call('undo', { steps: 1 })).toBe('Undid delete of t/e/f (the empty folder is back)');
    expect(existsSync(at('t/e/f'))).toBe(true);
    expect(await call('move', { target: 't/e', to: 'alone' })).toContain('Moved t/e to alone (0 files).');
    expect(existsSync(at('alone/f'))).toBe(true);
  });
});

/** Moves, then sends the edits that the answer lists, and returns what the files are then. */
async function moveAndCorrect(files: Readonly<Record<string, string>>, move: string) {
  const { send, folder } = openHome(files);
  const [answer = ''] = await send(move);
  const edits = answer.split('\n').filter((line) => line.startsWith('<E:'));
  for (const edit of edits) expect(await send(edit)).toEqual([expect.stringMatching(/^(?:Replaced|Edited)/)]);
  return { answer, edits, content: (path: string) => readFileSync(join(folder, path), 'utf8') };
}

it('lists the edits that correct the imports of a moved module and of those that import it', async () => {
  const { answer, content } = await moveAndCorrect(
    {
      'src/math.ts': 'export const one = 1;\n',
      'src/s.ts': `import { one } from './math.ts';\nimport type { B } from "./kit";\nexport const two = one;\n`,
      'src/kit/index.ts': 'export type B = 1;\n',
      'src/main.ts': `import { two } from './s.js';\nexport * from './s.js';\nimport './other.ts';\n`,
      'src/other.ts': '1;\n',
      'test/s.test.ts': `const s = await import('../src/s');\n`,
    },
    '<move:src/s.ts to=src/deep/t.ts>',
  );
  expect(answer).toContain('\n4 imports to correct:\n');
  expect(content('src/deep/t.ts')).toContain(`from '../math.ts';\nimport type { B } from "../kit";`);
  expect(content('src/main.ts')).toBe(
    `import { two } from './deep/t.js';\nexport * from './deep/t.js';\nimport './other.ts';\n`,
  );
  expect(content('test/s.test.ts')).toBe(`const s = await import('../src/deep/t');\n`);
});

it('lists only imports across the border of a moved folder', async () => {
  const { edits, content } = await moveAndCorrect(
    {
      'src/old/a.ts': `import './b.ts';\nimport '../c.ts';\n`,
      'src/old/b.ts': '1;\n',
      'src/c.ts': `import './old/b.ts';\n`,
    },
    '<move:src/old to=lib/new>',
  );
  expect(edits).toHaveLength(2);
  expect(content('lib/new/a.ts')).toBe(`import './b.ts';\nimport '../../src/c.ts';\n`);
  expect(content('src/c.ts')).toBe(`import '../lib/new/b.ts';\n`);
});
