import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { approvalPolicy, type ApprovalPolicy, type ApprovalRequest, type SpaceSource } from '@bae/core';
import { findLimits } from '@bae/project';
import { describe, expect, it } from 'vitest';
import { openPlace, temporaryFolder } from '../test/open-commands.ts';
import { TerminalSpace } from './commands-space.ts';
import { ScriptsSpace } from './scripts/scripts-space.ts';

type ApprovalRule = NonNullable<ApprovalPolicy['rules']>[number];

const support = await findLimits();
const FILES = {
  '.env': 'TOKEN=hush\n',
  'keys/a.pem': 'hush\n',
  'docs/a.md': 'open\n',
  'private/a.txt': 'hush\n',
  'private/deep/down/here/b.txt': 'hush\n',
  'package.json': '{"scripts": {"show": "cat"}}',
};
const COMMANDS: ApprovalRule = { target: 'command:*', decision: 'allow' };

interface RunOptions {
  readonly rules?: readonly ApprovalRule[];
  readonly space?: SpaceSource;
}

/** What is asked when a command runs, where all commands are allowed. */
async function run(tag: string, { rules = [], space = TerminalSpace }: RunOptions = {}) {
  const asked: string[] = [];
  const ask = async ({ target, reason = '', effect }: ApprovalRequest) => {
    asked.push(`${target}: ${reason || effect}`);
    return { decision: 'deny' } as const;
  };
  const approver = approvalPolicy({ rules: [COMMANDS, ...rules], ask });
  const { send } = openPlace(space, temporaryFolder(FILES), { approver, limits: { limits: false } });
  return { text: await send(tag), asked };
}

describe('a command that names a file with passwords', () => {
  it.each([
    ['<exec:cat .env>', '.env'],
    ['<exec:cat ./docs/../.env>', '.env'],
    ['<exec:cat docs/a.md>', undefined],
    ['<exec:env --unset=A cat keys/a.pem>', 'keys/a.pem'],
    ['<exec:tool -f.env>', undefined],
    ['<exec:grep -f.env docs/a.md>', '.env'],
    ['<exec:cat --file=.env>', '.env'],
    ['<exec:curl -d @.env http://127.0.0.1:9>', '.env'],
    ['<exec:git show HEAD:.env>', '.env'],
    ['<exec:cat a.pem folder=keys>', 'keys/a.pem'],
    ['<sh:cat docs/a.md;cat .env>', '.env'],
    ['<sh:cd keys && cat a.pem>', 'keys/a.pem'],
    ['<sh:cat key?/*.pem>', 'keys/a.pem'],
    ['<sh:echo x | tee .env>', '.env'],
  ])('is asked about it even where commands are allowed: %s', async (tag, path) => {
    const { text, asked } = await run(tag);
    expect(text).not.toContain('hush');
    if (path === undefined) expect(asked).toEqual([]);
    else expect(asked[0]).toMatch(new RegExp(`^${path}: it is named by .*, and may (?:hold passwords|be a private)`));
  });

  it('runs after a yes, and by a rule that names the file, but not by one for commands', async () => {
    const { text, asked } = await run('<exec:cat .env>', { rules: [{ target: '.env', decision: 'allow' }] });
    expect([text.split('\n').at(-1), asked]).toEqual(['TOKEN=hush', []]);
  });

  it('is asked about again for every other command, whatever was remembered', async () => {
    const asked: string[] = [];
    const ask = async ({ reason = '' }: ApprovalRequest) => {
      asked.push(reason);
      return { decision: 'allow', remember: 'target' } as const;
    };
    const approver = approvalPolicy({ rules: [COMMANDS], ask });
    const { send } = openPlace(TerminalSpace, temporaryFolder(FILES), { approver, limits: { limits: false } });
    const long = `echo ${'x'.repeat(200)}`;
    for (const command of ['cat .env', 'cat .env', 'wc .env', `${long} .env`, `${long} . .env`, 'cat .env folder=.'])
      await send(`<exec:${command}>`);
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.slice(0, 2)).toEqual([
      'it is named by cat .env, and may hold passwords',
      'it is named by wc .env, and may hold passwords',
    ]);
    expect(asked.length).toBeGreaterThanOrEqual(4);
  });

  it('is refused where the file is denied', async () => {
    const { text, asked } = await run('<exec:cat .env>', { rules: [{ target: '.env', decision: 'deny' }] });
    expect([text, asked]).toEqual([expect.stringContaining('exec on .env was not run: a rule denies it'), []]);
  });

  it('is asked about as an argument of a script', async () => {
    const { text, asked } = await run('<run_script:"show .env">', { space: ScriptsSpace });
    expect(text).not.toContain('hush');
    expect(asked).toEqual(['.env: it is named by npm run show -- .env, and may hold passwords']);
  });
});

describe('a command that names a file of a rule', () => {
  const deny = (effect?: 'read' | 'write'): ApprovalRule => ({
    target: 'private',
    decision: 'deny',
    ...(effect && { effect }),
  });

  it.each([
    ['<exec:cat private/a.txt>', deny('read'), 'exec on private/a.txt was not run: a rule denies it'],
    ['<sh:cat priv*/*.txt>', deny('read'), 'sh on private/a.txt was not run: a rule denies it'],
    ['<exec:cp docs/a.md private/b.txt>', deny(), 'exec was not run: a rule denies it'],
    ['<exec:rm private/a.txt>', deny('write'), 'exec was not run: a rule denies it'],
    ['<exec:rm -rf private>', deny('write'), 'exec was not run: a rule denies it'],
    ['<exec:cat private/a.txt>', deny('write'), 'hush'],
    ['<exec:cat private/a.txt>', deny(), 'hush'],
    ['<exec:cat docs/a.md>', deny('read'), 'open'],
  ])('%s, %j: %s', async (tag, rule, part) => {
    expect((await run(tag, { rules: [rule] })).text).toContain(part);
  });

  it('is asked about before it changes the file', async () => {
    const { asked } = await run('<exec:rm private/a.txt>', { rules: [{ target: 'private', decision: 'ask' }] });
    expect(asked).toEqual(['command:rm private/a.txt: external']);
  });
});

describe.runIf('tools' in support)('rules about files, where commands are limited,', () => {
  const open = (...rules: readonly ApprovalRule[]) =>
    openPlace(TerminalSpace, temporaryFolder(FILES), { approver: approvalPolicy({ rules: [COMMANDS, ...rules] }) });

  it('hide what may not be read, however a command finds it', async () => {
    const { send } = open(
      { effect: 'read', target: 'private/deep/**/*.txt', decision: 'deny' },
      { effect: 'read', target: 'DOCS', decision: 'ask' },
    );
    const text = await send('<sh:grep -r "" . ; true>');
    expect(text).toContain('./private/a.txt:hush');
    expect(text).not.toMatch(/b\.txt:hush|a\.md:open/);
  });

  it('fix what may not be written', async () => {
    const { send, folder } = open({ target: 'private/**', decision: 'deny' });
    const text = await send('<sh:>\nd=pri; d=${d}vate\necho x > $d/new\necho x > $d/a.txt\necho x > here\n</sh>');
    expect(text.match(/Read-only file system/g)).toHaveLength(2);
    expect(readFileSync(join(folder, 'here'), 'utf8')).toBe('x\n');
    expect(readdirSync(join(folder, 'private'))).toEqual(['a.txt', 'deep']);
    expect(readFileSync(join(folder, 'private/a.txt'), 'utf8')).toBe('hush\n');
  });

  it('end every command where nothing may be read', async () => {
    const { send } = open({ effect: 'read', target: '**', decision: 'ask' });
    expect(await send('<exec:ls>')).toContain('a rule restricts reading every file of this folder');
  });
});
