import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runBae } from './run-bae.ts';
import { install } from './sample-plugin.ts';

let top: string;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'bae-skills-'));
  mkdirSync(join(top, 'project'));
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const run = (...args: readonly string[]) =>
  runBae(args, { cwd: join(top, 'project'), env: { BAE_HOME: join(top, 'user'), HOME: join(top, 'home') } });

function put(path: string, name: string): void {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), `---\nname: ${name}\ndescription: Does ${name}.\n---\n\nFirst look.\n`);
}

it('skills of the project and of the user are a place, which is not there where there are none', async () => {
  expect((await run('spaces')).out).not.toContain('skills()');
  put('project/.agents/skills/release/SKILL.md', 'release');
  put('user/skills/mail/SKILL.md', 'mail');
  put('home/.claude/skills/review/SKILL.md', 'review');
  expect((await run('do', '<skills.R:>')).out).toContain(
    `
release -- Does release. (of this project)
mail -- Does mail. (yours)
review -- Does review. (yours)
`,
  );
  expect((await run('do', '<skills.R:mail>')).out).toContain('First look.');
  expect((await run('do', '<search.R:mail>')).out).toContain('<skills.R:mail>');
  writeFileSync(join(top, 'project/bae.config.json'), '{"disabled": ["skills"]}');
  expect((await run('spaces')).out).not.toContain('skills()');
});

it('a package brings skills once it is trusted, and none after they were changed', async () => {
  const folder = await install(join(top, 'project'), 'shop');
  const skill = (name: string) => join('project/node_modules/bae-resourcespace-shop/skills', name, 'SKILL.md');
  put(skill('orders'), 'orders');
  writeFileSync(join(folder, 'skills/orders/table.csv'), 'id,total\n7,12.50\n');
  put(skill('broken'), 'other');
  writeFileSync(join(top, 'project/named.json'), '{"spaces": ["shop"]}');
  const say = async (tag: string) => (await run('do', tag, '--config', 'named.json')).out;
  expect(await say('<skills.R:>')).not.toContain('orders');
  await run('trust', 'shop', '--yes');
  expect(await say('<skills.R:>')).toContain(`
broken -- not usable: name: expected that of its folder, broken; got "other" (of bae-resourcespace-shop)
orders -- Does orders. (of bae-resourcespace-shop)
`);
  expect(await say('<skills.R:orders>')).toContain('First look.\n\nIts files: <skills.R:orders/table.csv>');
  expect(await say('<skills.R:orders/table.csv>')).toContain('7,12.50');
  expect(await say('<skills.R:broken>')).toMatch(
    /the skill broken is not usable: name: expected that of its folder, .*\nTry: <skills\.R:>/,
  );
  put(skill('orders'), 'orders');
  writeFileSync(join(folder, 'skills/orders/SKILL.md'), '---\nname: orders\ndescription: Evil.\n---\n');
  expect(await say('<skills.R:>')).not.toContain('Evil');
});
