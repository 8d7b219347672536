import { chmodSync, existsSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { approvalPolicy } from '@bae/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openPlace, temporaryFolder } from '../test/open-commands.ts';
import { TerminalSpace } from './commands-space.ts';

afterEach(() => void vi.unstubAllEnvs());

const rules = [
  { target: 'command:git log*', decision: 'allow' },
  { target: 'command:ls', decision: 'allow' },
  { target: 'command:ls -l', decision: 'allow' },
  { target: 'command:echo *', decision: 'allow' },
  { target: 'command:npm test', decision: 'allow' },
  { target: 'docs/**', decision: 'allow' },
  { target: '**', effect: 'read', decision: 'allow' },
] as const;

/** A workspace in which `touch pwned` would be the proof, and nobody is there to consent. */
function open() {
  const folder = temporaryFolder({
    ls: '#!/bin/sh\ntouch pwned\n',
    git: '#!/bin/sh\ntouch pwned\n',
    'bin/ls': '#!/bin/sh\ntouch ../pwned\ntouch pwned\n',
    'docs/run.sh': '#!/bin/sh\ntouch pwned\n',
    'npm test': '#!/bin/sh\ntouch pwned\n',
    'node_modules/.bin/ls': '#!/bin/sh\ntouch pwned\n',
  });
  for (const path of ['ls', 'git', 'bin/ls', 'docs/run.sh', 'npm test', 'node_modules/.bin/ls'])
    chmodSync(join(folder, path), 0o755);
  symlinkSync('/bin/touch', join(folder, 'echo'));
  symlinkSync('/bin/sh', join(folder, 'bin/git'));
  return { ...openPlace(TerminalSpace, folder, { approver: approvalPolicy({ rules }) }), folder };
}

const isTouched = (folder: string): boolean =>
  existsSync(join(folder, 'pwned')) || readdirSync(folder).some((name) => name.startsWith('pwned'));

describe('ways out of what rules allow', () => {
  it.each([
    // Operators of a shell.
    'ls; touch pwned',
    'ls && touch pwned',
    'ls || touch pwned',
    'ls | tee pwned',
    'ls & touch pwned',
    'ls > pwned',
    'ls $(touch pwned)',
    'ls `touch pwned`',
    'ls <(touch pwned)',
    'ls\ntouch pwned',
    'ls\rtouch pwned',
    // What only looks like an allowed command.
    'ls -l pwned',
    'LS',
    "'ls -l'",
    "'npm test'",
    './npm\\ test',
    "'git log'",
    'git  -c core.pager="touch pwned" log',
    'git -c alias.log="!touch pwned" log',
    'git -C . log',
    'git --exec-path=. log',
    'git lo\\g; touch pwned',
    'npm test --prefix x',
    'npm run test',
    // Programs that run programs.
    'env touch pwned',
    'env -S "ls" touch pwned',
    'xargs touch pwned',
    'find . -maxdepth 0 -exec touch pwned ;',
    'find . -maxdepth 0 -exec touch pwned \\;',
    'nohup touch pwned',
    'setsid touch pwned',
    'timeout 5 touch pwned',
    'sh -c "touch pwned"',
    'bash -c "echo x > pwned"',
    'busybox touch pwned',
    "node -e \"require('fs').writeFileSync('pwned', '')\"",
    "python3 -c \"open('pwned', 'w')\"",
    'awk \'BEGIN { system("touch pwned") }\'',
    'sed -n "w pwned" ls',
    'tar cf pwned ls',
    'make -f - pwned',
    'ssh -o ProxyCommand="touch pwned" x',
    // Programs and links of the workspace.
    './ls',
    './git log',
    'bin/ls -l',
    'node_modules/.bin/ls',
    './node_modules/.bin/ls -l',
    'npx ls',
    'npm exec ls',
    'pnpm exec ls',
    './echo pwned',
    'bin/git log -c "touch pwned"',
    'docs/run.sh',
    './docs/../docs/run.sh',
    '/bin/sh -c "touch pwned"',
    // Variables and options of bae.
    'PATH=. ls',
    'ls folder=bin',
    'command=ls; touch pwned',
    'ls timeout=1 touch pwned',
  ])('lead nowhere: %j', async (command) => {
    const { send, folder } = open();
    const text = await send(`<exec:>\n${command}\n</exec>`);
    expect(isTouched(folder), text).toBe(false);
    // What runs is exactly what is allowed.
    if (text.startsWith('exit')) expect(command).toBe('ls folder=bin');
    else expect(text).toMatch(/^(?:ApprovalError|ParameterError|ResourceError)/);
  });

  it.each(['ls; touch pwned', 'echo x > pwned', 'git log', 'ls', 'npm test', 'docs/run.sh'])(
    'are none for a shell: %j',
    async (script) => {
      const { send, folder } = open();
      expect(await send(`<sh:>\n${script}\n</sh>`)).toMatch(/^ApprovalError/);
      expect(isTouched(folder)).toBe(false);
    },
  );

  it('are not opened by the PATH of bae', async () => {
    const { send, folder } = open();
    vi.stubEnv(
      'PATH',
      `${folder}:${join(folder, 'bin')}:${join(folder, 'node_modules/.bin')}:.:bin:node_modules/.bin::${process.env['PATH']}`,
    );
    expect(await send('<exec:ls>')).toMatch(/^exit 0/);
    expect(await send('<exec:git log --version>')).not.toContain('pwned');
    expect(await send('<exec:echo ls>')).toMatch(/^exit 0, .*\nls$/);
    expect(isTouched(folder)).toBe(false);
  });

  it('do not exist for what is allowed: that runs', async () => {
    const { send } = open();
    for (const command of ['ls', "'ls'", '"l"s', ' ls  -l ', 'echo a; b'.replace('; ', ' ')])
      expect(await send(`<exec:${command}>`)).toMatch(/^exit 0/);
  });
});
