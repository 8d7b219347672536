import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runBae } from './run-bae.ts';
import { put, scratchFolder } from './scratch-folder.ts';

let cwd: string;
beforeEach(() => {
  cwd = scratchFolder().path;
});

describe('files of bae itself', () => {
  it.each([
    ['the file that --config names', 'own.json', ['--config', 'own.json'], 'belongs to bae'],
    ['what the user trusts, where the home folder is the workspace', '.config/bae/trust.json', [], 'is a file of bae'],
  ])('are not written by tools: %s', async (_, file, options, reason) => {
    const text = '{"cap": 300}';
    put(cwd, file, text);
    const run = (tag: string) => runBae(['do', '--yes', ...options, tag], { cwd, env: { HOME: cwd } });
    for (const tag of [`<W:${file}>{}</W>`, `<E:${file}:1>{}</E>`, `<W:${file.toUpperCase()}>{}</W>`]) {
      expect((await run(tag)).out).toContain(reason);
    }
    expect(readFileSync(join(cwd, file), 'utf8')).toBe(text);
  });

  it('are not written by tools: the database that --db names, and what belongs to it', async () => {
    const input = '<W:kept.db>x</W>\n<W:kept.db-wal>x</W>\n<W:kept.db-journal>x</W>\n<R:kept.db>\n';
    const { out } = await runBae(['--db', 'kept.db', '--yes'], { cwd, input });
    expect(out.match(/is a file of bae itself/g)).toHaveLength(4);
  });

  it('are found through links too', async () => {
    put(cwd, 'own.json', '{}');
    symlinkSync('own.json', join(cwd, 'other.json'));
    const { out } = await runBae(['do', '--yes', '--config', 'own.json', '<W:other.json>{"cap": 9}</W>'], { cwd });
    expect(out).toContain('belongs to bae');
  });

  it('cannot be replaced by way of a link that leads to them', async () => {
    put(cwd, 'real/own.json', '{}');
    symlinkSync('own.json', join(cwd, 'real', 'link.json'));
    symlinkSync('real', join(cwd, 'folder'));
    const tags = [
      '<delete:real/link.json>',
      '<move:real/link.json to=old.json>',
      '<W:real/link.json>{"approve": "all"}</W>',
      '<delete:folder>',
      '<mkdir:new>',
      '<W:new/link.json>{"approve": "all"}</W>',
      '<move:new to=folder>',
    ];
    const { out } = await runBae(['do', '--yes', '--config', 'folder/link.json', tags.join('\n')], { cwd });
    expect(out.match(/^ProtectedFileError: \S+/gm)).toEqual([
      'ProtectedFileError: real/link.json',
      'ProtectedFileError: as',
      'ProtectedFileError: as',
      'ProtectedFileError: folder/link.json',
    ]);
  });

  it('are not searched when they are data', async () => {
    put(cwd, '.config/bae/trust.json', '{"needle": 1}');
    put(cwd, 'a.txt', 'needle\n');
    const { out } = await runBae(['do', '<Grep:needle ignored=true>'], { cwd, env: { HOME: cwd } });
    expect(out).toContain('a.txt');
    expect(out).not.toContain('trust.json:');
  });
});
