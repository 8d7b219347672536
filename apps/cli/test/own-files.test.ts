import { existsSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from 'node:fs';
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
      '<W:real/own.json>{"approve": "all"}</W>',
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
      'ProtectedFileError: real/own.json',
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

  it('is not replaced by way of the links of pnpm, nor by a package that is found earlier', async () => {
    const store = 'node_modules/.pnpm/pk@1.0.0/node_modules';
    const manifest = { version: '1.0.0', type: 'module', exports: './i.mjs' };
    put(cwd, `${store}/pk/package.json`, { ...manifest, name: 'pk' });
    put(cwd, `${store}/pk/i.mjs`, "import 'dep';");
    put(cwd, 'node_modules/.pnpm/dep@1.0.0/node_modules/dep/package.json', { ...manifest, name: 'dep' });
    put(cwd, 'node_modules/.pnpm/dep@1.0.0/node_modules/dep/i.mjs', '');
    put(cwd, 'node_modules/unused/i.mjs', '');
    mkdirSync(join(cwd, 'node_modules/@scope'));
    const links = {
      'node_modules/pk': '.pnpm/pk@1.0.0/node_modules/pk',
      'node_modules/@scope/alias': '../.pnpm/pk@1.0.0/node_modules/pk',
      [`${store}/dep`]: '../../dep@1.0.0/node_modules/dep',
    };
    for (const [link, target] of Object.entries(links)) symlinkSync(target, join(cwd, link));
    put(cwd, 'lib/rules.mjs', "import 'pk';\nexport const cap = 300;");
    put(cwd, 'tools/node_modules/tool/i.mjs', '');
    const imports = "import '@scope/alias';\nimport './tools/node_modules/tool/i.mjs';\n";
    put(cwd, 'my.mjs', `${imports}import { cap } from './lib/rules.mjs';\nexport default { cap };`);
    const input = Object.keys(links).flatMap((link) => [
      `<delete:${link}>`,
      `<move:${link} to=away>`,
      `<W:${link}>x</W>`,
    ]);
    const early = [
      'lib/node_modules/pk/i.mjs',
      `${store}/pk/node_modules/dep/i.mjs`,
      'node_modules/.pnpm/node_modules/dep/i.mjs',
      'tools/node_modules/tool/more.mjs',
    ];
    input.push(...early.map((file) => `<W:${file}>x</W>`), '<move:node_modules to=away>', '<delete:node_modules>');
    input.push('<W:node_modules/unused/i.mjs>x</W>');
    const { out } = await runProgram(['do', '--yes', '--config', 'my.mjs'], { cwd, input: input.join('\n') });
    expect(out.match(/^#\d+ .*$/gm)?.filter((line) => line.endsWith(' ok'))).toHaveLength(1);
    for (const [link, target] of Object.entries(links)) expect(readlinkSync(join(cwd, link))).toBe(target);
    expect([...early, 'away'].filter((file) => existsSync(join(cwd, file)))).toEqual([]);
    expect(readFileSync(join(cwd, 'node_modules/unused/i.mjs'), 'utf8')).toBe('x');
  });

  it('is not replaced by a package in the workspace if it was found above', async () => {
    put(cwd, 'node_modules/pk/package.json', { name: 'pk', version: '1.0.0', type: 'module', exports: './i.mjs' });
    put(cwd, 'node_modules/pk/i.mjs', '');
    put(cwd, 'inner/node_modules/other/i.mjs', '');
    put(cwd, 'inner/my.mjs', "import 'pk';\nexport default {};");
    const input = '<W:node_modules/pk/i.mjs>x</W>\n<W:node_modules/other/i.mjs>x</W>';
    const { out } = await runProgram(['do', '--yes', '--config', 'my.mjs'], { cwd: join(cwd, 'inner'), input });
    expect(out).toContain('ProtectedFileError: node_modules/pk/i.mjs belongs to bae');
    expect(existsSync(join(cwd, 'inner/node_modules/pk'))).toBe(false);
    expect(readFileSync(join(cwd, 'inner/node_modules/other/i.mjs'), 'utf8')).toBe('x');
  });

  it('is not written by tools: an installed package with spaces', async () => {
    put(cwd, 'node_modules/dep/package.json', { name: 'dep', version: '1.0.0', type: 'module', exports: './i.mjs' });
    put(cwd, 'node_modules/dep/i.mjs', '');
    await install(
      cwd,
      'good',
      `${IMPORTS}export const good = defineResourcespace({ name: 'good', description: 'G.', tools: { read: tool('R.', {}, async () => { await import('dep'); return 'read'; }) } });`,
    );
    put(cwd, 'named.json', { spaces: ['good'] });
    const env = { HOME: cwd };
    await runProgram(['trust', 'good', '--yes'], { cwd, env });
    // What it loads is known when it has run once.
    const read = await runProgram(['do', '--config', 'named.json', '<good.R:>'], { cwd, env });
    expect(read.out).toContain('\nread\n');
    const files = ['node_modules/bae-resourcespace-good/dist/more.js', 'node_modules/dep/i.mjs'];
    const input = files.map((file) => `<W:${file}>x</W>`).join('\n');
    const { out } = await runProgram(['do', '--yes', '--config', 'named.json'], { cwd, env, input });
    expect(out.match(/^ProtectedFileError: .* belongs to bae/gm)).toHaveLength(2);
  });
});
