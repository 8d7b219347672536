import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBae } from './run-bae.ts';

/** What `bae create` is told, and what it then makes. */
export interface Made {
  readonly title: string;
  /** `space` or `agent`, its name, and options. */
  readonly what: readonly [kind: string, name: string, ...options: string[]];
}

/** Makes a package, installs it without any network, and does with it what its author is told to. */
export function describeMade({ title, what }: Made): void {
  describe(`${title} that bae create makes`, () => {
    const [kind, name, ...options] = what;
    let parent: string;
    let folder: string;

    beforeAll(async () => {
      parent = realpathSync(mkdtempSync(join(tmpdir(), 'bae-scaffold-')));
      const { code, stdout, stderr } = await runBae(['create', ...what, '--cwd', parent, '--json']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      ({ folder } = JSON.parse(stdout) as { folder: string });
      npm(folder, 'install', '--no-audit', '--no-fund');
    });
    afterAll(() => rmSync(parent, { recursive: true, force: true }));

    it('is built and green as it is', () => {
      if (kind === 'space') npm(folder, 'run', 'build');
      if (!options.includes('--javascript')) npm(folder, 'run', 'typecheck');
      expect(npm(folder, 'test')).toMatch(/Tests +\d+ passed \(\d+\)/);
    });

    if (kind === 'space') describeSpace(() => ({ folder, parent, identifier: name.replaceAll('-', '_') }));
  });
}

function describeSpace(made: () => { readonly folder: string; readonly parent: string; readonly identifier: string }) {
  it('keeps the whole contract, and nothing is left untried', async () => {
    const { code, stdout } = await runBae(['conformance', '.', '--cwd', made().folder]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n(\d+) of \1 \(100 %\)\n/);
  });

  it('is a place in the shell of its author, and after trust in that of others', async () => {
    const { folder, parent, identifier } = made();
    const dev = await runBae(['dev', '.', '--cwd', folder, '--yes'], { input: `<W:oslo>Snow.</W>\n<Grep:snow>\n` });
    expect(dev).toMatchObject({ code: 0, stderr: '' });
    expect(dev.stdout).toContain(`home > ${identifier} -- `);
    expect(dev.stdout).toContain('\nWrote oslo.\noslo: Snow.\n');
    const env = { HOME: parent, XDG_CONFIG_HOME: join(parent, 'config') };
    writeFileSync(join(parent, 'bae.config.json'), JSON.stringify({ spaces: [folder] }));
    await runBae(['trust', '--yes', '--cwd', parent], { env });
    const { stdout } = await runBae(['spaces', '--cwd', parent], { env });
    expect(stdout).toContain(`${identifier}() -- Notes by name, kept as files.\n    read, write, grep\n`);
    const input = `<${identifier}.W:rome>Sun.</${identifier}.W>\n<undo:>\n`;
    const used = await runBae(['do', '--yes', '--cwd', parent], { env, input });
    expect(used.stdout).toContain(`\nUndid write of ${identifier}/rome.md (the new file is gone)\n`);
  });
}

function npm(folder: string, ...args: readonly string[]): string {
  const env = { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false', NO_COLOR: '1' };
  const options = { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' } as const;
  return execFileSync('npm', [...args, '--silent'], options);
}
