import { chmodSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { HAS_DESCRIPTORS } from '../path/pinned-path.ts';
import { JoinedFiles } from './ripgrep-search.ts';
import { findRipgrep } from './ripgrep.ts';
import { LineShortener } from './search-large-files.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

const CLAIMS = {
  counted: (path: string) => String.raw`printf './%s\0001\n' '${path}'`,
  large: (path: string) => `echo 'rg: DEBUG|ignore::walk|walk.rs:1: ignoring ./${path}: 3000000 bytes' >&2`,
};

/** ripgrep that first claims that lines of these files match, or that they are too large to be counted. */
async function liar(paths: readonly string[], claim: keyof typeof CLAIMS = 'counted'): Promise<string> {
  const claims = paths.map(CLAIMS[claim]).join('\n');
  const script = `#!/bin/sh\ncase "$*" in *--debug*) ${claims};; esac\nexec ${await findRipgrep()} "$@"\n`;
  const tools = temporaryFolder({ rg: script });
  chmodSync(join(tools, 'rg'), 0o755);
  return join(tools, 'rg');
}

describe('what ripgrep reports', () => {
  const found = async (claims: readonly string[], claim: keyof typeof CLAIMS) => {
    const folder = temporaryFolder({
      'root/a.txt': 'first\nhit\n',
      'root/c.bin': 'hit\0',
      'outside/key.txt': 'a hit\n',
    });
    symlinkSync('../outside', join(folder, 'root/out'));
    symlinkSync('a.txt', join(folder, 'root/inside'));
    const workspace = new WorkspaceRoot(join(folder, 'root'), { ripgrep: await liar(claims, claim) });
    return workspace.grep({ pattern: 'hit' });
  };

  it.each([
    ['there is no such file', 'none.txt'],
    ['a folder on the way leads out', 'out/key.txt'],
    ['the file is a link', 'inside'],
    ['the path leads out', '../outside/key.txt'],
    ['the path is an absolute one', '/etc/passwd'],
    ['the file is binary', 'c.bin'],
  ])('is left out where %s', async (_what, path) => {
    for (const claim of ['counted', 'large'] as const) {
      const { rows, matches, files } = await found([path], claim);
      expect(rows).toEqual([{ path: 'a.txt', line: 2, text: 'hit' }]);
      expect({ matches, files }).toMatchObject({ matches: 1, files: [{ path: 'a.txt', matches: 1 }] });
    }
  });

  it('is left out for what nobody may see', async () => {
    const folder = temporaryFolder({ '.env': 'hit\n', 'sub/.ENV.': 'hit\n', 'sub/．env': 'hit\n', 'sub/.ssh/known': 'hit\n' });
    const workspace = new WorkspaceRoot(folder, { ripgrep: await liar(['.env', 'sub/.ENV.']) });
    expect(await workspace.grep({ pattern: 'hit' })).toMatchObject({ rows: [], matches: 0, files: [] });
    const large = new WorkspaceRoot(folder, { ripgrep: await liar(['.env', 'sub/.ENV.'], 'large') });
    expect(await large.grep({ pattern: 'hit' })).toMatchObject({ rows: [], matches: 0, files: [] });
    const all = new WorkspaceRoot(folder, { ripgrep: await liar([]) });
    expect(await all.grep({ pattern: 'hit', secrets: true })).toMatchObject({ matches: 4 });
  }); // prettier-ignore

  it('is not a reason to leave out what only has a name like a secret', async () => {
    const files = { '.env.example': 'hit', 'id_list.txt': 'hit\nhit', 'ignored/id_x': 'hit', '.gitignore': 'ignored/\n', 'id_bin': 'hit\0' };
    const { rows, matches, searched } = await new WorkspaceRoot(temporaryFolder(files)).grep({ pattern: 'hit' });
    expect(rows.map(({ path, line }) => `${path}:${line}`)).toEqual(['.env.example:1', 'id_list.txt:1', 'id_list.txt:2']);
    expect({ matches, searched }).toEqual({ matches: 3, searched: 4 });
  }); // prettier-ignore
});

const CLAIM = String.raw`printf './a.txt\0001\n'; sleep 0.2`;

/** What stands for ripgrep: a script that counts, and one that looks for rows. */
function failing(count: string, rows: string) {
  const folder = temporaryFolder({ 'root/a.txt': 'hit\n' });
  const script = `cd ${folder}\ncase "$*" in *--debug*) ${count};; *) ${rows};; esac`;
  const tools = temporaryFolder({ rg: `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n` });
  chmodSync(join(tools, 'rg'), 0o755);
  return { folder, workspace: new WorkspaceRoot(join(folder, 'root'), { ripgrep: join(tools, 'rg') }) };
}

describe('a search with ripgrep that fails', () => {
  it('fails when counting does, once nothing of it runs any more', async () => {
    const { folder, workspace } = failing(`${CLAIM}; kill -9 $$`, 'cat > /dev/null; sleep 0.2; echo > ended');
    await expect(workspace.grep({ pattern: 'hit' })).rejects.toThrow('the search was stopped from outside.');
    expect(readFileSync(join(folder, 'ended'), 'utf8')).toBe('\n');
  });

  it('fails when the run for rows does, which may be before everything is counted', async () => {
    const { workspace } = failing(`rm "$0"; ${CLAIM}`, 'exit 0');
    await expect(workspace.grep({ pattern: 'hit' })).rejects.toThrow('ENOENT');
  });
});

describe('a search with ripgrep', () => {
  it.runIf(HAS_DESCRIPTORS)('begins in the folder that is pinned, wherever its name leads by then', async () => {
    const folder = temporaryFolder({ 'root/x': '', 'outside/x': '' });
    // Of two runs, the first one exchanges the folder and the second one prints where it is.
    const first = String.raw`mv root moved; ln -s outside root; printf './x\0001\n'`;
    const script = `cd ${folder}\nif [ -e moved ]; then echo "$here" > log; else ${first}; fi`;
    const tools = temporaryFolder({ rg: `#!/bin/sh\nPATH=/usr/bin:/bin\nhere=$(pwd -P)\n${script}\n` });
    chmodSync(join(tools, 'rg'), 0o755);
    const workspace = new WorkspaceRoot(join(folder, 'root'), { ripgrep: join(tools, 'rg') });
    expect(await workspace.grep({ pattern: 'x' })).toMatchObject({ rows: [], matches: 0 });
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe(`${folder}/moved\n`);
  });

  it('is run once when no row is wanted', async () => {
    const folder = temporaryFolder({ 'root/a.txt': 'hit\nhit\n', 'root/b.txt': 'hit\n' });
    const script = `#!/bin/sh\necho run >> ${folder}/log\nexec ${await findRipgrep()} "$@"\n`;
    const tools = temporaryFolder({ rg: script });
    chmodSync(join(tools, 'rg'), 0o755);
    const workspace = new WorkspaceRoot(join(folder, 'root'), { ripgrep: join(tools, 'rg') });
    const { rows, matches, files } = await workspace.grep({ pattern: 'hit', limit: 0 });
    expect({ rows, matches, files }).toEqual({
      rows: [],
      matches: 3,
      files: [
        { path: 'a.txt', matches: 2 },
        { path: 'b.txt', matches: 1 },
      ],
    });
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('run\n');
  });

  it.each([undefined, null])('obeys no rules from above the workspace, with ripgrep %s', async (ripgrep) => {
    const folder = temporaryFolder({ '.gitignore': 'a.txt\n', 'root/a.txt': 'hit\n', 'root/d/a.txt': 'hit\n' });
    const workspace = new WorkspaceRoot(join(folder, 'root'), ripgrep === undefined ? {} : { ripgrep });
    expect(await workspace.grep({ pattern: 'hit' })).toMatchObject({ matches: 2 });
    expect(await workspace.grep({ pattern: 'hit', path: 'd' })).toMatchObject({ matches: 1 });
    expect(await workspace.glob({ pattern: '**' })).toEqual(['a.txt', 'd/a.txt']);
  });

  it.each([undefined, null])('obeys the rules above the folder that is searched, with ripgrep %s', async (ripgrep) => {
    const files = { 'a/b/yes.txt': 'hit', 'a/b/no.txt': 'hit', 'a/b/never.txt': 'hit', 'a/b/c/no.txt': 'hit', 'a/b/c/d/no.txt': 'hit' };
    const find = async (rules: Readonly<Record<string, string>>, path = 'a/b') => {
      const workspace = new WorkspaceRoot(temporaryFolder({ ...files, ...rules }), ripgrep === undefined ? {} : { ripgrep });
      return (await workspace.grep({ pattern: 'hit', path })).rows.map((row) => row.path);
    };
    expect(await find({ '.gitignore': 'no.txt\n/a/b/never.txt\n' })).toEqual(['a/b/yes.txt']);
    expect(await find({ '.gitignore': 'no.txt\n', 'a/.gitignore': '/b/never.txt\n' })).toEqual(['a/b/yes.txt']);
    expect(await find({ '.gitignore': 'n*.txt\n', 'a/b/.gitignore': '!no.txt\n' })).toEqual(['a/b/c/d/no.txt', 'a/b/c/no.txt', 'a/b/no.txt', 'a/b/yes.txt']);
    expect(await find({ 'a/b/.gitignore': '/c/no.txt\n' }, 'a/b/c')).toEqual(['a/b/c/d/no.txt']);
  }); // prettier-ignore

  it('does not follow rules that are a link', async () => {
    const folder = temporaryFolder({ 'root/a.txt': 'hit', 'root/d/b.txt': 'hit', rules: '*.txt\n' });
    symlinkSync('../rules', join(folder, 'root/.gitignore'));
    const workspace = new WorkspaceRoot(join(folder, 'root'));
    expect(await workspace.glob({ pattern: '**/*.txt' })).toEqual(['a.txt', 'd/b.txt']);
    expect(await workspace.grep({ pattern: 'hit', path: 'd' })).toMatchObject({ matches: 1 });
    renameSync(join(folder, 'root/.gitignore'), join(folder, 'root/x'));
    expect(await workspace.grep({ pattern: 'hit' })).toMatchObject({ matches: 2 });
  });
});

describe('JoinedFiles', () => {
  it('knows where every line comes from', () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', 'é', '\r\n'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), (texts) => {
        const joined = new JoinedFiles<number>();
        const pieces = texts.flatMap((text, index) => joined.add(index, Buffer.from(text)));
        const lines = Buffer.concat(pieces).toString().split('\n').slice(0, -1);
        const expected = texts.flatMap((text, file) => {
          const own = text.split('\n');
          if (own.at(-1) === '') own.pop();
          return own.map((content, index) => ({ content, file, line: index + 1 }));
        });
        expect(lines.map((content, index) => ({ content, ...joined.at(index + 1) }))).toEqual(expected);
      }),
    );
  });

  // Looking at one file after the other for every line takes longer than a test may.
  it('finds lines quickly among very many files', () => {
    const joined = new JoinedFiles<number>();
    const line = Buffer.from('x\n');
    for (let file = 0; file < 320_000; file++) joined.add(file, line);
    let wrong = 0;
    for (let file = 0; file < 320_000; file++) if (joined.at(file + 1).file !== file) wrong++;
    expect(wrong).toBe(0);
  });

  it('takes off the mark at the beginning of a file', () => {
    const pieces = new JoinedFiles<string>().add('a', Buffer.from('\ufeffa\ufeff'));
    expect(Buffer.concat(pieces).toString()).toBe('a\ufeff\n');
  });
});

describe('LineShortener', () => {
  const MEGABYTE = 1024 * 1024;

  it('changes nothing but what a line has beyond a megabyte', () => {
    const line = fc.integer({ min: 0, max: 3 * MEGABYTE });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 50_000, max: MEGABYTE }),
        (lengths, size) => {
          const text = Buffer.from(lengths.map((length) => 'x'.repeat(length)).join('\n'));
          const cutter = new LineShortener();
          const pieces: Uint8Array[] = [];
          for (let at = 0; at < text.length; at += size) pieces.push(...cutter.shorten(text.subarray(at, at + size)));
          const kept = Buffer.concat(pieces)
            .toString()
            .split('\n')
            .map(({ length }) => length);
          expect(kept).toEqual(lengths.map((length) => Math.min(length, MEGABYTE)));
        },
      ),
      { numRuns: 30 },
    );
  });
});
