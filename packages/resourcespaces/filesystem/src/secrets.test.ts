import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { approvalPolicy, asModelText, createAgent, type ApprovalPolicy } from '@bae/core';
import { provideWorkspace } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { FilesystemSpace } from './filesystem-space.ts';

const FILES = {
  '.env': 'TOKEN=hush\n',
  'deploy/.env.local': 'TOKEN=hush too\n',
  '.env.example': 'TOKEN=\n',
  'a.txt': 'TOKEN is in .env\n',
  '.git/config': 'url = https://ann:hush@example.org\n',
};

/** An agent over these files, and the questions it asks; replies are used in turn. */
function setUp(policy: ApprovalPolicy = {}) {
  const folder = temporaryFolder(FILES);
  const asked: string[] = [];
  const ask: ApprovalPolicy['ask'] = async ({ tool, target, reason }) => {
    asked.push(`${tool} ${target}: ${reason}`);
    return { decision: 'allow', remember: 'target' };
  };
  const agent = createAgent({
    home: FilesystemSpace,
    provide: [provideWorkspace(folder)],
    approver: approvalPolicy(policy.ask === undefined ? policy : { ...policy, ask }),
  });
  const run = async (text: string) => (await agent.run(asModelText(text))).calls.map(({ result }) => result.text);
  return { folder, asked, run };
}

const someone: ApprovalPolicy = { ask: async () => undefined };

describe('a file that may hold secrets', () => {
  it.each([
    ['<R:.env>', '.env'],
    ['<R:.env:1-1>', '.env'],
    ['<E:.env>', '.env'],
    ['<E:.env:1-2>', '.env'],
    ['<Grep:hush .env>', '.env'],
    ['<Grep:TOKEN path=deploy/.env.local>', 'deploy/.env.local'],
    ['<R:./deploy//.env.local>', 'deploy/.env.local'],
    ['<R:.git/config>', '.git/config'],
    ['<Grep:url .git>', '.git'],
  ])('is not shown by %s where nobody can be asked', async (tag, target) => {
    const [text = ''] = await setUp().run(tag);
    expect(text).toMatch(`ApprovalError: ${tag.startsWith('<G') ? 'grep' : 'read'} on ${target} was not run: it `);
    expect(text).toMatch(
      `, and no one is available to approve it. To allow it, give approvalPolicy the rule {"space":"home","target":"${target}","decision":"allow"}.`,
    );
    expect(text).not.toContain('hush');
  });

  it('is shown when the user allows it', async () => {
    const { asked, run } = setUp(someone);
    expect(await run('<R:.env>')).toEqual(['TOKEN=hush\n']);
    expect(asked).toEqual(['read .env: it may hold passwords']);
  });

  it('is asked about once, whatever tool shows it and however it is spelt', async () => {
    const { folder, asked, run } = setUp(someone);
    symlinkSync('.env', join(folder, 'link'));
    expect(await run('<R:.env>\n<R:./.env>\n<E:.env:1-1>\n<Grep:hush .env>\n<R:link>')).toEqual([
      'TOKEN=hush\n',
      'TOKEN=hush\n',
      '1|TOKEN=hush',
      '.env:1: TOKEN=hush',
      'TOKEN=hush\n',
    ]);
    expect(asked).toEqual(['read .env: it may hold passwords']);
    await run('<R:deploy/.env.local>');
    expect(asked).toHaveLength(2);
  });

  it('is shown without a question where a rule names it, and never where a rule denies it', async () => {
    const rules = [
      { target: '.env', decision: 'allow' },
      { target: 'deploy/**', decision: 'deny' },
    ] as const;
    const { asked, run } = setUp({ ...someone, rules });
    const [allowed, denied] = await run('<R:.env>\n<R:deploy/.env.local>');
    expect(allowed).toBe('TOKEN=hush\n');
    expect(denied).toMatch('ApprovalError: read on deploy/.env.local was not run: a rule denies it');
    expect(asked).toEqual([]);
  });

  it('does not get into a search that does not name it', async () => {
    const { asked, run } = setUp(someone);
    expect(await run('<Grep:TOKEN>')).toEqual([
      '.env.example:1: TOKEN=\na.txt:1: TOKEN is in .env\nnot searched: .env, deploy/.env.local, which may hold secrets; path=.env searches one of them',
    ]);
    expect(asked).toEqual([]);
  });

  it('is not shown by an edit, or by a preview of one', async () => {
    const { run } = setUp({ ...someone, otherwise: 'allow' });
    const [text] = await run('<E:.env old="nothing" new="x">');
    expect(text).toMatch(/^ProtectedFileError: /);
    expect(text).not.toContain('hush');
  });

  it('needs no consent when it is published, or is not there', async () => {
    const { asked, run } = setUp(someone);
    const [published, missing] = await run('<R:.env.example>\n<R:.env.production>');
    expect(published).toBe('TOKEN=\n');
    expect(missing).toMatch(/^FileNotFoundError: /);
    expect(asked).toEqual([]);
  });
});
