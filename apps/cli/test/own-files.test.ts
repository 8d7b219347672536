import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runBae, runProgram } from './run-bae.ts';
import { IMPORTS, install } from './sample-plugin.ts';
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

/** Settings whose rules, and other code, come from elsewhere in the folder. */
function putCode(config: string): void {
  const denied = 'export const approve = [{ target: "plain.txt", decision: "deny" }];';
  put(cwd, 'lib/rules.mjs', denied);
  put(cwd, 'lib/computed.mjs', 'export default 1;');
  put(cwd, 'lib/unused.mjs', 'export default 1;');
  put(cwd, 'node_modules/pk/package.json', { name: 'pk', version: '1.0.0', type: 'module', exports: './i.mjs' });
  put(cwd, 'node_modules/pk/i.mjs', 'export default 1;');
  put(cwd, 'node_modules/other/i.mjs', 'export default 1;');
  const computed = "await import(['.', 'lib', 'computed.mjs'].join('/'));";
  put(
    cwd,
    config,
    `import { approve } from './lib/rules.mjs';\nimport 'pk';\n${computed}\nexport default { approve };`,
  );
}

const CODE = ['lib/rules.mjs', 'lib/computed.mjs', 'node_modules/pk/i.mjs', 'node_modules/pk/new.mjs'];

describe('code that settings load', { tags: ['long'] }, () => {
  it.each([
    ['named with --config', 'my.mjs', ['--config', 'my.mjs']],
    ['found and trusted', 'bae.config.js', []],
  ])('is not written by tools, and other files are: %s', async (_, config, options) => {
    putCode(config);
    put(cwd, 'package.json', '{ "name": "sample", "type": "module" }');
    const env = { HOME: cwd };
    if (options.length === 0) {
      await runProgram(['trust', config, '--yes'], { cwd, env });
      // What is not written in an import is known when it was asked for, and decided about.
      await runProgram(['do', '<R:.>'], { cwd, env });
      await runProgram(['trust', config, '--yes'], { cwd, env });
    }
    const files = [...CODE, 'lib/unused.mjs', 'node_modules/other/i.mjs', 'plain.txt'];
    const input = files.map((file) => `<W:${file}>x</W>`).join('\n');
    const { out } = await runProgram(['do', '--yes', ...options], { cwd, env, input });
    const changed = files.filter((file) => {
      try {
        return readFileSync(join(cwd, file), 'utf8') === 'x';
      } catch {
        return false;
      }
    });
    expect([changed, out.match(/^ProtectedFileError: .* belongs to bae/gm)?.length]).toEqual([
      ['lib/unused.mjs', 'node_modules/other/i.mjs'],
      CODE.length,
    ]);
  });

  it('is not written by tools: an installed package with spaces', async () => {
    await install(
      cwd,
      'good',
      `${IMPORTS}export const good = defineResourcespace({ name: 'good', description: 'G.', tools: { read: tool('R.', {}, () => 'read') } });`,
    );
    put(cwd, 'named.json', { spaces: ['good'] });
    const env = { HOME: cwd };
    await runProgram(['trust', 'good', '--yes'], { cwd, env });
    const input = '<good.R:>\n<W:node_modules/bae-resourcespace-good/dist/more.js>x</W>\n';
    const { out } = await runProgram(['do', '--yes', '--config', 'named.json'], { cwd, env, input });
    expect(out).toContain('\nread\n');
    expect(out).toContain('belongs to bae');
  });
});
