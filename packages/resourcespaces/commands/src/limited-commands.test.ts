import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { approvalPolicy, type ApprovalPolicy, type ApprovalRequest } from '@bae/core';
import { findLimits } from '@bae/project';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openPlace, temporaryFolder } from '../test/open-commands.ts';
import { TerminalSpace } from './commands-space.ts';
import { ScriptsSpace } from './scripts/scripts-space.ts';

type ApprovalRule = NonNullable<ApprovalPolicy['rules']>[number];

const support = await findLimits();

/** A place whose questions are answered with yes, and kept. */
function openAsked(space: typeof TerminalSpace | typeof ScriptsSpace, rules: readonly ApprovalRule[] = []) {
  const asked: string[] = [];
  const ask = async ({ target, preview }: ApprovalRequest) => {
    asked.push(`${target}\n${await preview?.()}`);
    return { decision: 'allow', remember: 'target' } as const;
  };
  const scripts = { fetch: 'echo EAI_AGAIN; exit 1' };
  const folder = temporaryFolder({ 'package.json': JSON.stringify({ scripts }) });
  return { asked, ...openPlace(space, folder, { approver: approvalPolicy({ rules, ask }) }) };
}

describe.runIf('tools' in support)('a command with limits', () => {
  it('says which limit it met, and what to type', { tags: ['long'] }, async () => {
    const { send } = openPlace(TerminalSpace, temporaryFolder());
    const network = 'limit: it had no network of this machine, only servers of this session.';
    expect(await send('<exec:sh -c "echo EAI_AGAIN; exit 1">')).toMatch(
      new RegExp(
        `^exit 1, .*\n${network} If it needs more: <exec:sh -c "echo EAI_AGAIN; exit 1" network=true>\nEAI_AGAIN$`,
      ),
    );
    expect(await send('<sh:>\necho x > /etc/bae-try\n</sh>')).toMatch(
      /^exit 2, .*\nlimit: it could write only the workspace without protected files and, until the session ends, \/tmp and the home folder\. The user can add a folder: "commands": \{"writable": \["\/srv\/folder"\]\}\n.*Read-only file system$/,
    );
    const lock = "fatal: Unable to create '/srv/shop/.git/index.lock': Read-only file system";
    expect(await send(`<sh:>\necho "${lock}"; exit 128\n</sh>`)).toContain(
      `\nlimit: the repository above the workspace is read-only for commands. To commit: <git.commit:Message files=a.ts>. The user can open it, with its hooks and settings, which run programs: "commands": {"writable": ["/srv/shop/.git"]}\n${lock}`,
    );
    expect(await send('<exec:sh -c "echo EAI_AGAIN; exit 1" network=true>')).not.toContain('limit:');
    expect(await send('<exec:echo EAI_AGAIN EROFS>')).not.toContain('limit:');
    expect(await send('<exec:sh -c "echo Cannot connect to the Docker daemon; exit 1">')).toContain(
      '\nlimit: it reached no socket of a service of this machine. The user can add one: "commands": {"writable": ["/run/docker.sock"]}\n',
    );
    const others = [
      ['npm error code ENEEDAUTH', 'credentials in the home folder, such as ~/.npmrc and ~/.ssh, are hidden from it.'],
      ['cat: /home/ann/.ssh/id_rsa: Permission denied', 'credentials in the home folder, such as'],
      ['sudo: The no new privileges flag is set', 'it can get no further rights: sudo, mount,'],
      ['write: No space left on device', '/tmp and the home folder of the session have room for half of the memory.'],
    ] as const;
    for (const [said, limit] of others)
      expect(await send(`<sh:>\necho "${said}"; exit 1\n</sh>`)).toMatch(
        new RegExp(`^exit 1, .*\nlimit: ${limit}.* The user can .*\n${said}$`),
      );
    expect(await send('<sh:>\necho "ENOSPC: System limit for number of file watchers"; exit 1\n</sh>')).not.toContain(
      'limit:',
    );
    await send('<exec:sh -c "echo EAI_AGAIN; exit 1" background=true>');
    await vi.waitUntil(async () => (await send('<tail:1>')).includes(network), { timeout: 60_000 });
  });

  it('is asked about the network as another command', async () => {
    const allow: ApprovalRule = { target: 'command:echo*', decision: 'allow' };
    const { send, asked } = openAsked(TerminalSpace, [allow, { target: 'command:curl*', decision: 'deny' }]);
    await send('<exec:echo one>');
    expect(asked).toEqual([]);
    for (let time = 0; time < 2; time++) await send('<exec:echo one network=true>');
    expect(asked).toEqual([
      'command:network=true echo one\necho one\nwith the network of this machine\nonly reads\nfor at most 120 s',
    ]);
    expect(await send('<exec:curl example.com network=true>')).toContain('a rule denies it');
    const ruled = openAsked(TerminalSpace, [{ target: 'command:network=true echo*', decision: 'allow' }]);
    await ruled.send('<exec:echo one network=true>');
    expect(ruled.asked).toEqual([]);
    await ruled.send('<exec:echo one>');
    expect(ruled.asked).toHaveLength(1);
  });

  it('has the network without asking for it where the user allows it', async () => {
    const folder = temporaryFolder();
    const { send, entered } = openPlace(TerminalSpace, folder, { limits: { network: true } });
    expect((await entered).calls[0]?.result.text).toContain(
      'They write in the workspace, and in a /tmp and home folder that end with the session.',
    );
    const own = readFileSync('/proc/net/dev', 'utf8').split('\n').length - 1;
    expect(await send('<sh:cat /proc/net/dev | wc -l>')).toMatch(new RegExp(`\n${own}$`));
    expect(await send('<exec:sh -c "echo EAI_AGAIN; exit 1">')).not.toContain('limit:');
  });

  it('reaches a server in the background', { tags: ['long'] }, async () => {
    const serve = `require("node:http").createServer((_, r) => r.end("served")).listen(3000, () => console.log("up"))`;
    const folder = temporaryFolder({
      'serve.cjs': serve,
      'get.cjs': 'fetch("http://localhost:3000").then((r) => r.text()).then(console.log)',
    });
    const { send } = openPlace(TerminalSpace, folder);
    await send('<exec:node serve.cjs background=true>');
    await vi.waitUntil(async () => (await send('<tail:1>')).includes('\nup'), { timeout: 60_000 });
    expect(await send('<exec:node get.cjs>')).toMatch(/^exit 0, .*\nserved$/);
  });
});

describe.runIf('tools' in support)('a script with limits', () => {
  it('says which limit it met, and is asked about the network as another command', { tags: ['long'] }, async () => {
    const { send, asked } = openAsked(ScriptsSpace);
    expect(await send('<run_script:fetch>')).toContain(' If it needs more: <run_script:fetch network=true>\n');
    expect(await send('<run_script:fetch network=true>')).not.toContain('limit:');
    expect(asked.map((text) => text.replace(/#\w+/, '#'))).toEqual([
      'command:npm run fetch -- #\nruns npm run fetch --\n  fetch: echo EAI_AGAIN; exit 1',
      'command:network=true npm run fetch -- #\nruns npm run fetch --\n  with the network of this machine\n  fetch: echo EAI_AGAIN; exit 1',
    ]);
  });

  it('for tests names what runs them without the tool that may have met the limit', async () => {
    const scripts = { test: 'echo EROFS; exit 1', lint: 'echo EROFS; exit 1' };
    const files = { 'package.json': JSON.stringify({ scripts }), 'a.test.js': '' };
    const { send } = openPlace(ScriptsSpace, temporaryFolder(files));
    expect(await send('<run_script:test>')).toContain('\nThe tests alone: <source.tests.test:>\n');
    expect(await send('<run_script:lint>')).not.toContain('The tests alone');
  });

  it('fills caches in the home folder, which is that of the user otherwise', { tags: ['long'] }, async () => {
    const home = temporaryFolder({ '.npm/x': 'read', '.npmrc': '//registry.example/:_authToken=secret' });
    vi.stubEnv('HOME', home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const fill = 'mkdir -p ~/.cache/standard ~/.standard-v17-cache && echo a > ~/.standard-v17-cache/a && cat ~/.npm/x';
    const files = { 'package.json': JSON.stringify({ scripts: { lint: fill, look: 'cat ~/.npmrc; ls -A ~' } }) };
    const { send } = openPlace(ScriptsSpace, temporaryFolder(files));
    expect(await send('<check:>')).toMatch(/^ok lint/);
    expect(await send('<run_script:look>')).toMatch(/(?<!secret[^]*)\.standard-v17-cache/);
    expect(readdirSync(home).toSorted()).toEqual(['.npm', '.npmrc']);
  });

  it('cannot write outside of the workspace', async () => {
    const outside = temporaryFolder({ file: 'mine' });
    const scripts = { write: `echo x > ${join(outside, 'file')}` };
    const { send } = openPlace(ScriptsSpace, temporaryFolder({ 'package.json': JSON.stringify({ scripts }) }));
    expect(await send('<run_script:write>')).toMatch(/^FAILED write/);
    expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('mine');
  });
});

it('a command without limits is not described with any', async () => {
  const { send, entered } = openPlace(TerminalSpace, temporaryFolder(), { limits: { limits: false } });
  expect((await entered).calls[0]?.result.text).not.toContain('/tmp');
  expect(await send('<exec:sh -c "echo EAI_AGAIN EROFS; exit 1" network=true>')).not.toContain('limit:');
});
