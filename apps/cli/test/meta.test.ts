// @module-tag long

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeManifest } from '@bae/plugins';
import { describe, expect, it } from 'vitest';
import { runBae, runProgram } from './run-bae.ts';
import { IMPORTS } from './sample-plugin.ts';
import { put, scratchFolder } from './scratch-folder.ts';

/** A space that takes options, imports a module of its own, and notes when it is let go of. */
const shopModule = (log: string, name = 'shop') => `${IMPORTS}
import { appendFileSync } from 'node:fs';
import { price } from './price.js';
export const options = z.object({ level: z.string().default('low') });
export const spaces = ({ level }) => [
  defineResourcespace({
    name: '${name}',
    description: 'A shop.',
    enter: () => level,
    dispose: () => appendFileSync(${JSON.stringify(log)}, 'closed\\n'),
    tools: { read: tool('What it says.', {}, () => \`\${level} \${price()}\`) },
  }),
];
`;

async function open({ use = './spaces/shop', build = '', mount = {}, approve = true } = {}) {
  const cwd = scratchFolder().path;
  const folder = join(cwd, use);
  const log = join(cwd, 'log');
  const bae = { api: '^1', spaces: './src/index.js', manifest: './bae.manifest.json' };
  const keywords = ['bae-resourcespace'];
  const scripts = build === '' ? {} : { build };
  put(folder, 'package.json', {
    name: 'bae-resourcespace-shop',
    version: '1.0.0',
    type: 'module',
    keywords,
    scripts,
    bae,
  });
  put(folder, 'src/price.js', 'export function price() {\n  return 5;\n}\n');
  put(folder, 'src/index.js', shopModule(log));
  await writeManifest(folder, []);
  const rules = ['shop', 'work.store'].map((target) => ({ space: 'source.meta', target, decision: 'allow' }));
  put(cwd, 'named.json', { spaces: [{ use, ...mount }], approve: approve ? rules : [] });
  await runBae(['trust', use, '--yes'], { cwd });
  // Writing the manifest has made the spaces, and let go of them.
  put(cwd, 'log', '');
  return {
    log,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    say: async (...tags: readonly string[]) =>
      (await runProgram(['do', '--yes', '--config', 'named.json'], { cwd, input: `${tags.join('\n')}\n` })).out,
  };
}

const edit = (body: string, more = '') =>
  `<source.meta.E:spaces.shop.src.price.price${more}>\nexport function price() {\n  ${body}\n}\n</source.meta.E>`;
const BROKEN = "return 7;\n}\nfail();\nfunction fail() {\n  throw new Error('too dear');";

describe('the code of a space of the workspace', () => {
  it('is listed, and replaced in place with what it imports', async () => {
    const { say, log } = await open({ mount: { options: { level: 'high' } } });
    const out = await say('<source.meta.R:>', '<shop.R:>', edit('return 7;'), '<shop.R:>');
    expect(out).toContain('\nshop -- spaces/shop (2 modules)\n');
    expect(out).toContain('\nhigh 5\n');
    expect(out).toContain('\nReloaded shop.\n');
    expect(out).toContain('\nhigh 7\n');
    expect(readFileSync(log, 'utf8')).toBe('closed\nclosed\n');
  });

  it('is put back when it does not load, in memory and on disk', async () => {
    const { say, read } = await open();
    const out = await say(edit(BROKEN), '<shop.R:>');
    expect(out).toContain('ReloadError: shop cannot be loaded: Error: too dear. Rolled back.');
    expect(out).toContain('\nlow 5\n');
    expect(read('src/price.js')).toBe('export function price() {\n  return 5;\n}\n');
  });

  it('is not run without permission, whatever may be written', async () => {
    const { say, read } = await open({ approve: false });
    const out = await say(edit('return 7;'), '<source.meta.reload:shop>', '<shop.R:>');
    expect(
      out.match(/it runs the changed code of shop in bae itself, and no one is available to approve it/g),
    ).toHaveLength(2);
    expect(out).toContain('\nlow 5\n');
    expect(read('src/price.js')).toContain('return 5;');
  });

  it('is refused when the space is not in it any more', async () => {
    const { say, read } = await open();
    const whole = read('src/index.js');
    const body = whole.slice(whole.indexOf('export const spaces')).replace("name: 'shop'", "name: 'store'");
    const out = await say(`<source.meta.E:spaces.shop.src.spaces>\n${body}</source.meta.E>`, '<shop.R:>');
    expect(out).toContain('it has no space named shop any more. Rolled back.');
    expect(out).toContain('\nlow 5\n');
    expect(read('src/index.js')).toBe(whole);
  });

  it('keeps the name and the place that it was given', async () => {
    const { say } = await open({ mount: { as: 'store', under: 'work' } });
    const out = await say('<source.meta.R:>', edit('return 9;'), '<work.store.R:>');
    expect(out).toContain('\nwork.store -- spaces/shop (2 modules)\n');
    expect(out).toContain('\nReloaded work.store.\n');
    expect(out).toContain('\nlow 9\n');
  });

  it('is built before it is loaded; a build that fails takes the change back', async () => {
    const { say, read } = await open({ build: "grep -q 'return [5-8];' src/price.js && echo built >> ../../log" });
    const out = await say(edit('return 7;'), edit('return 9;'), '<shop.R:>');
    expect(out).toContain('\nReloaded shop.\n');
    expect(out).toContain('ReloadError: shop cannot be loaded: Error: it cannot be built:');
    expect(out).toContain('\nlow 7\n');
    expect(read('src/price.js')).toContain('return 7;');
    expect(read('../../log').match(/built/g)).toHaveLength(2);
  });

  it('is loaded when everything that belongs together was changed', async () => {
    const { say } = await open();
    const out = await say(edit('return cost();', ' reload=false'), '<source.meta.reload:shop>', '<shop.R:>');
    expect(out).toContain('Not loaded yet: <source.meta.reload:shop>');
    expect(out).toContain('\nReloaded shop.\n');
    expect(out).toContain('cost is not defined');
  });

  it('is not at hand when it was installed from elsewhere', async () => {
    const { say } = await open({ use: './node_modules/bae-resourcespace-shop' });
    const out = await say('<shop.R:>', '<source.meta.R:>');
    expect(out).toContain('\nlow 5\n');
    expect(out).toContain('ResourceError');
    expect(out).not.toContain('shop -- ');
  });
});

describe("bae's own code", () => {
  it('is listed where it is worked on, and used by the next start', async () => {
    const cwd = fileURLToPath(new URL('../../../', import.meta.url));
    const { out } = await runBae(['do', '--yes'], { cwd, input: '<source.meta.R:>\n<source.meta.reload:tasks>\n' });
    expect(out).toContain('\ntasks -- packages/resourcespaces/tasks (');
    expect(out).toContain('\ntasks runs the tools of this session: a change takes effect after restart.\n');
  });
});
