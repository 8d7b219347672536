import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeFolder, openLimits as open } from '../../test/open-limits.ts';
import { startProgram } from '../running-program.ts';
import { CommandLimits, findLimits } from './command-limits.ts';

const support = await findLimits();

describe('limits', () => {
  it.runIf('tools' in support)('are released once, also by several spaces, and set again', async () => {
    const { limits, print } = open(makeFolder());
    await print('true');
    await Promise.all([limits.close(), limits.close()]);
    expect(await print('echo again')).toBe('again');
  });

  it.runIf('tools' in support)(
    'hold with a home folder in /tmp, whose cache is new except for the known ones',
    async () => {
      const home = mkdtempSync('/tmp/bae-home-');
      onTestFinished(() => rmSync(home, { recursive: true }));
      mkdirSync(join(home, '.cache/pip'), { recursive: true });
      writeFileSync(join(home, '.cache/pip/a'), 'known');
      writeFileSync(join(home, '.cache/other'), 'other');
      vi.stubEnv('HOME', home);
      onTestFinished(() => void vi.unstubAllEnvs());
      const { print } = open(makeFolder());
      expect(await print(`cd ${home}/.cache; cat pip/a; echo; touch new && ls`)).toBe('known\nnew\npip');
      expect(readdirSync(join(home, '.cache'))).toEqual(['other', 'pip']);
    },
  );

  it.runIf('tools' in support)('show a home folder that is only read, where the system has no layers', async () => {
    const home = makeFolder({ '.cache/pip/x': 'kept', '.ssh/id_rsa': 'secret', plain: 'open' });
    vi.stubEnv('HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { tools } = support as Extract<typeof support, { tools: object }>;
    const script = `#!/bin/sh\ncase "$*" in *overlay*) exit 32;; esac\nexec ${tools.mount} "$@"\n`;
    const mount = join(makeFolder({ mount: script }), 'mount');
    chmodSync(mount, 0o755);
    const folder = makeFolder();
    using root = new WorkspaceRoot(folder);
    await using limits = new CommandLimits(root, {}, { tools: { ...tools, mount } });
    const look = 'cat ~/plain ~/.ssh/id_rsa; echo x > ~/new; echo x > ~/.cache/new; ls ~/.cache; echo x > here';
    const program = { command: '/bin/sh', args: ['-c', look], folder, limits, mergesErrors: true } as const;
    expect((await (await startProgram(program)).ended).output).toMatch(/^open.*\n.*Read-only file system\nnew\n$/);
    expect(readdirSync(home).toSorted()).toEqual(['.cache', '.ssh', 'plain']);
  });

  it.runIf('tools' in support)('hide the data of bae, also in a hidden folder', async () => {
    const own = makeFolder({ 'trust.json': 'secret', 'db/bae.db': 'secret' });
    const folder = makeFolder({ 'data/bae.db': 'secret' });
    const data = [own, join(own, 'trust.json'), join(own, 'db/bae.db'), join(own, 'none'), join(folder, 'data/bae.db')];
    using root = new WorkspaceRoot(folder, { ownFiles: { data } });
    await using limits = new CommandLimits(root, {}, support);
    const script = `cat ${data.join(' ')}; ls ${own}; echo end`;
    const { ended } = await startProgram({ command: '/bin/sh', args: ['-c', script], folder, limits });
    const { output, errors } = await ended;
    expect(output).toBe('end\n');
    expect(errors).not.toContain('limits of this command');
  });

  it('are off where the user says so, where the machine has none, and for the whole machine', async () => {
    using root = new WorkspaceRoot(makeFolder());
    expect(await new CommandLimits(root, { limits: false }, support).enter(root.folder)).toBeUndefined();
    expect(await new CommandLimits(root, {}, { reason: 'none' }).hold()).toBe(false);
    using all = new WorkspaceRoot('/');
    expect(await new CommandLimits(all, {}, support).hold()).toBe(false);
  });

  it('that cannot be set let nothing run', async () => {
    using root = new WorkspaceRoot(makeFolder());
    const broken = {
      unshare: '/bin/false',
      nsenter: '/bin/false',
      mount: '/bin/false',
      umount: '/bin/false',
      setpriv: '/bin/false',
      env: '/bin/false',
    };
    const limits = new CommandLimits(root, {}, { tools: broken });
    await expect(limits.enter(root.folder)).rejects.toThrow(
      'the limits of commands could not be set: the namespaces could not be built. The user can turn them off',
    );
  });
});
