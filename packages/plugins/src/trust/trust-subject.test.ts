import { symlinkSync, renameSync, rmSync } from 'node:fs';
import { join, win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IMPORTS, putPackage, spaceModule } from '../../test/sample-package.ts';
import { put, scratchFolder } from '../../test/scratch.ts';
import { writeManifest } from '../manifest/write-manifest.ts';
import { readPlugin } from '../package/read-plugin.ts';
import {
  configurationSubject,
  pluginSubject,
  codeDigest,
  folderDigest,
  listReachedFiles,
  nameBeside,
} from './trust-subject.ts';

const name = 'bae-resourcespace-a';

describe('pluginSubject', () => {
  it('describes what the tools of every space do, those below it too', async () => {
    const code = `${IMPORTS}
      const inner = defineResourcespace({ name: 'inner', description: 'Below.', tools: { send: tool('Sent.', {}, () => '', { effect: 'external' }) } });
      export const a = defineResourcespace({ name: 'a', description: 'A.', children: () => ({ inner }),
        tools: { read: tool('R.', {}, () => ''), grep: tool('G.', {}, () => ''), close: tool('C.', {}, () => '') } });
      export const b = defineResourcespace({ name: 'b', description: 'Nothing to call.', tools: {} });`;
    const folder = putPackage(scratchFolder(), { name, version: '3.2.1', code });
    await writeManifest(folder, []);
    expect(pluginSubject(readPlugin(folder))).toEqual({
      kind: 'plugin',
      name,
      path: folder,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      about: [
        'version 3.2.1',
        'a() -- A.',
        '  reads: read, grep',
        '  writes: close',
        'a.inner() -- Below.',
        '  leaves this machine or costs money: send',
        'b() -- Nothing to call.',
      ],
    });
  });

  it('is another one as soon as a file is', async () => {
    const folder = putPackage(scratchFolder(), { name, code: spaceModule('a') });
    await writeManifest(folder, []);
    const plugin = readPlugin(folder);
    const before = pluginSubject(plugin);
    put(folder, { 'dist/more.js': '' });
    expect(pluginSubject(plugin).digest).not.toBe(before.digest);
    expect(pluginSubject(plugin).about).toEqual(before.about);
  });

  it('reports when the code is not the one that was described', async () => {
    const folder = putPackage(scratchFolder(), { name, code: spaceModule('a') });
    await writeManifest(folder, []);
    put(folder, { 'dist/index.js': `${spaceModule('a')}// more` });
    expect(pluginSubject(readPlugin(folder)).about.at(-1)).toBe(
      'its code was changed after this was written down: it may do something else',
    );
  });
});

describe('configurationSubject', () => {
  it('is the file that is really there, with what it imports', () => {
    const folder = scratchFolder();
    put(folder, { 'real/bae.config.ts': `import './lib.ts'`, 'real/lib.ts': '1' });
    symlinkSync(join(folder, 'real/bae.config.ts'), join(folder, 'bae.config.ts'));
    const subject = configurationSubject(join(folder, 'real/bae.config.ts'), ['settings']);
    expect(subject).toMatchObject({
      kind: 'configuration',
      name: 'bae.config.ts',
      path: join(folder, 'real/bae.config.ts'),
      about: ['settings'],
    });
    put(folder, { 'real/lib.ts': '2' });
    expect(configurationSubject(join(folder, 'real/bae.config.ts'), []).digest).not.toBe(subject.digest);
    expect(configurationSubject(join(folder, 'bae.config.ts'), []).path).toBe(join(folder, 'real/bae.config.ts'));
  });
});

describe('folderDigest', () => {
  it('is the same for the same files, wherever they are', () => {
    const files = { 'package.json': '{}', 'dist/index.js': '1', 'dist/deep/a.js': '2' };
    const [one, two] = [scratchFolder(), scratchFolder()];
    put(one, files);
    put(two, files);
    expect(folderDigest(one)).toBe(folderDigest(two));
    expect(folderDigest(one)).toMatch(/^[0-9a-f]{64}$/);
  });

  it('changes with every content, name, place and link', () => {
    const folder = scratchFolder();
    put(folder, { 'a.js': '1', 'b/c.js': '2' });
    const seen = new Set([folderDigest(folder)]);
    const change = (what: () => void) => {
      what();
      const digest = folderDigest(folder);
      expect(seen.has(digest)).toBe(false);
      seen.add(digest);
    };
    change(() => put(folder, { 'a.js': '12' }));
    change(() => renameSync(join(folder, 'a.js'), join(folder, 'd.js')));
    change(() => renameSync(join(folder, 'd.js'), join(folder, 'b/d.js')));
    change(() => put(folder, { 'b/e.js': '' }));
    change(() => symlinkSync('/nowhere', join(folder, 'link')));
    change(() => {
      rmSync(join(folder, 'link'));
      symlinkSync('/nowhere/else', join(folder, 'link'));
    });
  });

  it('follows a link to what it holds', () => {
    const folder = scratchFolder();
    const outside = scratchFolder();
    put(outside, { 'x.js': '1' });
    symlinkSync(join(outside, 'x.js'), join(folder, 'x.js'));
    const before = folderDigest(folder);
    put(outside, { 'x.js': '2' });
    expect(folderDigest(folder)).not.toBe(before);
  });

  it('cannot be fooled by moving text from one file to the next', () => {
    const [one, two] = [scratchFolder(), scratchFolder()];
    put(one, { a: 'x', b: 'yz' });
    put(two, { a: 'xy', b: 'z' });
    expect(folderDigest(one)).not.toBe(folderDigest(two));
    const [whole, split] = [scratchFolder(), scratchFolder()];
    put(whole, { a: 'xb\0file\0y' });
    put(split, { a: 'x', b: 'y' });
    expect(folderDigest(whole)).not.toBe(folderDigest(split));
  });

  it('leaves out what is installed into the folder', () => {
    const folder = scratchFolder();
    put(folder, { 'a.js': '1' });
    const before = folderDigest(folder);
    put(folder, { 'node_modules/x/index.js': '2', '.git/HEAD': '3' });
    expect(folderDigest(folder)).toBe(before);
  });
});

describe('codeDigest', () => {
  const files = {
    'bae.config.ts': `import { a } from './lib/a';\nimport type { B } from "./b.ts";\nexport default { a };\nconst x = await import('./c.mjs');`,
    'lib/a.ts': `export * from '../d.js';\nimport 'zod';`,
    'b.ts': 'export type B = 1;',
    'c.mjs': `require("./e.json")`,
    'd.js': `import '../outside.js'`,
    'e.json': '{}',
    'not-reached.ts': '',
  };

  it('covers a file and whatever of the project it imports', () => {
    const folder = scratchFolder();
    put(folder, files);
    const reached = listReachedFiles(join(folder, 'bae.config.ts')).map((file) => file.slice(folder.length + 1));
    expect(reached).toEqual(['b.ts', 'bae.config.ts', 'c.mjs', 'd.js', 'e.json', 'lib/a.ts']);
  });

  it.each(['bae.config.ts', 'lib/a.ts', 'b.ts', 'c.mjs', 'd.js', 'e.json'])('changes with %s', (changed) => {
    const folder = scratchFolder();
    put(folder, files);
    const entry = join(folder, 'bae.config.ts');
    const before = codeDigest(entry);
    put(folder, { 'not-reached.ts': 'x' });
    expect(codeDigest(entry)).toBe(before);
    put(folder, { [changed]: `${files[changed as keyof typeof files]} ` });
    expect(codeDigest(entry)).not.toBe(before);
  });

  it('is the same wherever the files are', () => {
    const [one, two] = [scratchFolder(), join(scratchFolder(), 'deeper')];
    put(one, files);
    put(two, files);
    expect(codeDigest(join(one, 'bae.config.ts'))).toBe(codeDigest(join(two, 'bae.config.ts')));
  });

  it('follows imports from where a link leads, as Node does', () => {
    const folder = scratchFolder();
    put(folder, { 'real/a.js': `import './b.js'`, 'real/b.js': '1' });
    symlinkSync(join(folder, 'real/a.js'), join(folder, 'link.js'));
    put(folder, { 'entry.js': `import './link.js'` });
    expect(listReachedFiles(join(folder, 'entry.js'))).toEqual(
      ['entry.js', 'real/a.js', 'real/b.js'].map((path) => join(folder, path)),
    );
    const before = codeDigest(join(folder, 'link.js'));
    put(folder, { 'real/b.js': '2' });
    expect(codeDigest(join(folder, 'link.js'))).not.toBe(before);
  });

  it('ends where files import one another', () => {
    const folder = scratchFolder();
    put(folder, { 'a.js': `import './b.js'`, 'b.js': `import './a.js'` });
    expect(listReachedFiles(join(folder, 'a.js'))).toHaveLength(2);
  });
});

it('a file has the same name in a digest on every system', () => {
  expect(nameBeside('/a/dist', '/a/src/x.js')).toBe('../src/x.js');
  expect(nameBeside(String.raw`C:\a\dist`, String.raw`C:\a\src\x.js`, win32)).toBe('../src/x.js');
});
