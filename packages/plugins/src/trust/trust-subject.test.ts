import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IMPORTS, putPackage, spaceModule } from '../../test/sample-package.ts';
import { put, scratchFolder } from '../../test/scratch.ts';
import { writeManifest } from '../manifest/write-manifest.ts';
import { readPlugin } from '../package/read-plugin.ts';
import { configurationSubject, pluginSubject } from './trust-subject.ts';

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
