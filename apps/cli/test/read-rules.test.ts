// @module-tag long

import { readdirSync, symlinkSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { serveModel } from './model-server.ts';
import { LAUNCHER, openBae, runBae, runProgram } from './run-bae.ts';
import { put, scratchFolder } from './scratch-folder.ts';

const HUSH = 'quokka';

let cwd: string;
const rule = (decision: string, more: object = {}) =>
  put(cwd, 'mine.json', JSON.stringify({ approve: [{ effect: 'read', target: 'private', decision, ...more }] }));

beforeEach(() => {
  cwd = scratchFolder().path;
  put(cwd, 'private/a.ts', `export const ${HUSH} = '${HUSH}';\n`);
  put(cwd, 'private/deep/down/below/here/b.txt', `${HUSH}\n`);
  put(cwd, 'private/a.json', `{"${HUSH}": 1}\n`);
  put(cwd, 'open/b.ts', "import * as all from '../private/a.ts';\nexport const b: number = { ...all };\n");
  put(cwd, 'open/c.ts', "import * as all from '../private/a.json';\nexport const c: number = { ...all };\n");
  put(
    cwd,
    'tsconfig.json',
    '{"compilerOptions": {"strict": true, "allowImportingTsExtensions": true, "noEmit": true, "resolveJsonModule": true, "module": "preserve"}}',
  );
  put(cwd, 'package.json', '{"type": "module", "scripts": {"show": "cat"}}');
  symlinkSync('../private/a.ts', join(cwd, 'open/link.ts'));
  const git = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org'];
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    ['commit', '--quiet', '-m', 'First'],
  ])
    spawnSync('git', [...git, ...args], { cwd });
  put(cwd, 'private/a.ts', `export const ${HUSH} = '${HUSH}';\n// ${HUSH}\n`);
});

const READS = [
  '<R:private/a.ts>',
  '<R:./private//a.ts:1-2>',
  '<R:open/link.ts>',
  '<R:private/deep/down/below/here/b.txt>',
  '<Grep:k{1}a path=private>',
  '<Grep:k{1}a path=private/a.ts>',
  '<search.R:quok>',
  '<Grep:k{1}a path=**/*.txt>',
  '<source.R:private.a>',
  '<source.R:private/a.ts>',
  '<source.Grep:k{1}a>',
  '<git.show:HEAD path=private>',
  '<git.show:HEAD:private/a.ts>',
  '<git.diff:>',
  '<git.diff:path=private/a.ts>',
  '<git.blame:private/a.ts>',
  '<source.diagnostics:>',
  '<terminal.exec:cat private/a.ts>',
  '<terminal.exec:git show HEAD:private/a.ts>',
  '<terminal.sh:cd private; cat a.ts>',
  '<terminal.sh:cat pri*/a.*>',
  '<scripts.run_script:"show private/a.ts">',
  '<run>\nconst found = await home.read("private/a.ts");\nfound.text ?? found\n</run>',
  '<run>\nlist = await home.grep("kk", { path: "private" });\nlist\n</run>',
] as const;

describe('a rule that denies reading', () => {
  it.each(READS)('holds for %s', async (tag) => {
    rule('deny');
    const { out, err } = await runBae(['--config', 'mine.json', '--yes', '--allow-commands', 'do', tag], { cwd });
    // What was asked for may be repeated.
    expect((out + err).replaceAll(tag, '')).not.toContain(HUSH);
    expect((out + err).trim()).not.toBe('');
  });

  it.each(['<Move:private/a.ts to=open/d.ts>', '<E:private/a.ts old="quokka" new="b">', '<W:private/new.ts>1</W>'])(
    'keeps %s from bringing the content elsewhere, or from telling what it is',
    async (tag) => {
      rule('deny');
      const { out, err } = await runBae(['--config', 'mine.json', '--yes', 'do', tag], { cwd });
      expect(out + err).toContain('is named by a rule about reading: no tool writes it.');
    },
  );

  it.each([
    '<Move:private to=elsewhere>',
    '<Delete:private>',
    '<terminal.exec:mv private elsewhere>',
    '<terminal.exec:cp -r private elsewhere>',
    '<terminal.exec:ln -s ../private/a.ts open/late.ts>',
    '<terminal.sh:tar c priv* | cat>',
    '<run>\nawait home.move("private", "elsewhere");\n</run>',
  ])('keeps %s from taking the folder away', async (tag) => {
    rule('deny', { target: 'private/**' });
    const { out, err } = await runBae(['--config', 'mine.json', '--yes', '--allow-commands', 'do', tag], { cwd });
    expect((out + err).replaceAll(tag, '')).not.toContain(HUSH);
    expect(readdirSync(cwd)).toContain('private');
    expect(readdirSync(cwd)).not.toContain('elsewhere');
    expect(readdirSync(join(cwd, 'open'))).not.toContain('late.ts');
  });

  it('leaves places usable whose files it names', async () => {
    put(cwd, 'README.md', `${HUSH}\n`);
    put(cwd, 'mine.json', JSON.stringify({ approve: [{ effect: 'read', target: '**/*', decision: 'deny' }] }));
    const tags = [
      '@home()',
      '@source()',
      '@scripts()',
      '@git()',
      '@search()',
      '@tasks()',
      '<home.G:**>',
      '<source.G:**>',
    ];
    const { out } = await runBae(['--config', 'mine.json', '--yes', 'do'], { cwd, input: `${tags.join('\n')}\n` });
    expect(out).not.toContain(HUSH);
    expect(out).not.toMatch(/InternalError|TypeError|is not a function/);
    expect(out).toContain('private/a.ts');
  });

  it('says why, and to whom it is up', async () => {
    rule('deny');
    const { out, err, code } = await runBae(['--config', 'mine.json', '--yes', 'do', '<R:private/a.ts>'], { cwd });
    expect(out + err).toContain(
      'read on private/a.ts was not run: a rule denies it: {"effect":"read","target":"private","decision":"deny"}. To allow it, change "approve" in the configuration.',
    );
    expect(code).not.toBe(0);
  });

  it('holds for attachments', async () => {
    rule('deny');
    const model = await serveModel(['Fine.']);
    onTestFinished(model.close);
    await runBae(['--config', 'mine.json', ...model.args, 'ask', 'What is in @private/a.ts?'], { cwd });
    expect(model.prompts[0]).not.toContain(HUSH);
  });

  it('holds for the server of the Model Context Protocol', async () => {
    rule('deny');
    const client = new Client({ name: 'test', version: '1' });
    const args = [LAUNCHER, '--config', 'mine.json', '--yes', 'mcp', 'serve'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, cwd }));
    onTestFinished(() => client.close());
    for (const call of [
      { tool: 'read', arguments: { target: 'private/a.ts' } },
      { tool: 'grep', arguments: { pattern: 'kk', path: 'private' } },
    ])
      expect(JSON.stringify(await client.callTool({ name: 'look_up', arguments: call }))).not.toContain(HUSH);
  });

  it('for a tool or a space holds for everything that it reads', async () => {
    put(cwd, 'mine.json', JSON.stringify({ approve: [{ effect: 'read', space: 'git', decision: 'deny' }] }));
    const { out, err } = await runBae(['--config', 'mine.json', '--yes', 'do', '<git.log:>'], { cwd });
    expect(out + err).toContain('log was not run: a rule denies it');
    expect((await runBae(['--config', 'mine.json', 'do', '<R:open/b.ts>'], { cwd })).out).toContain('number');
  });

  it('is not weakened by one that allows, nor by --yes', async () => {
    const deny = { effect: 'read', target: 'private', decision: 'deny' };
    const allow = { target: 'private/a.ts', decision: 'allow' };
    put(cwd, 'mine.json', JSON.stringify({ approve: [allow, deny, { target: '**', decision: 'allow' }] }));
    const { out } = await runBae(['--config', 'mine.json', '--yes', 'do', '<R:private/a.ts>'], { cwd });
    expect(out).not.toContain(HUSH);
  });
});

describe('a rule that asks about reading', () => {
  it('refuses where nobody can answer, and says how to allow it', async () => {
    rule('ask');
    const { out, err } = await runProgram(['--config', 'mine.json', '--yes', 'do', '<R:private/a.ts>'], { cwd });
    expect(out + err).toContain('it is named by a rule about reading, and no one is available to approve it.');
    expect(out).not.toContain(HUSH);
  });

  it('shows the file to the model after a yes, and not what a person did not allow', async () => {
    rule('ask');
    const terminal = openBae(['--config', 'mine.json'], { cwd, interactive: true });
    await terminal.shows('home>');
    terminal.type('<R:private/a.ts>\r');
    await terminal.shows('it is named by a rule about reading');
    expect(terminal.screen()).not.toContain(HUSH);
    terminal.type('n\r');
    await terminal.shows('you said no');
    terminal.type('<R:private/a.ts>\r');
    await terminal.shows('it is named by a rule about reading', 2);
    terminal.type('y\r');
    await terminal.shows(HUSH);
    terminal.type('exit\r');
    expect((await terminal.end).code).toBe(0);
  });
});

it.each(READS)('without a rule, it is shown by %s', async (tag) => {
  const { out } = await runBae(['--yes', '--allow-commands', 'do', tag], { cwd });
  expect(out.replaceAll(tag, '')).toContain(HUSH);
});
