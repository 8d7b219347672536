import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sampleRequest, secretRequest } from '../../test/sample-request.ts';
import { createApprover, type AskPerson, type ConsentSettings } from './approver.ts';

const signal = new AbortController().signal;
const yesToAll: AskPerson = async () => ({ decision: 'allow' });

async function decide(settings: ConsentSettings, request = sampleRequest()): Promise<string> {
  const answer = await createApprover(settings).approve(request, signal);
  return answer.allow ? 'allowed' : answer.reason;
}

describe('createApprover', () => {
  it.each([
    ['the name of a link', 'linked.md', 'notes.md'],
    ['a folder that is a link', 'linked', 'src/a.ts'],
    ['everything in a folder that is a link', 'linked/**', 'src/a.ts'],
    ['a new file in a folder that is a link', 'linked/new/a.ts', 'src/new/a.ts'],
    ['an absolute path', '$ROOT/src/a.ts', 'src/a.ts'],
    ['an absolute path with a wildcard', '$ROOT/src/*.ts', 'src/a.ts'],
    ['a path with a dot', './src/', 'src/a.ts'],
  ])('keeps to a rule that denies %s', async (_, written, target) => {
    const folder = mkdtempSync(join(tmpdir(), 'bae-approver-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'src'));
    for (const name of ['notes.md', 'src/a.ts', 'src/b.ts']) writeFileSync(join(folder, name), '');
    symlinkSync('notes.md', join(folder, 'linked.md'));
    symlinkSync(join(folder, 'src'), join(folder, 'linked'));
    const rules = [{ target: written.replace('$ROOT', folder), decision: 'deny' }] as const;
    const request = sampleRequest();
    expect(await decide({ yes: true, approve: rules, root: folder }, { ...request, target })).toContain(
      'a rule denies',
    );
    expect(await decide({ yes: true, approve: rules, root: folder }, { ...request, target: 'other.md' })).toBe(
      'allowed',
    );
  });

  it('allows only what a rule says that allows a link', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bae-approver-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'notes.md'), '');
    symlinkSync('notes.md', join(folder, 'linked.md'));
    const rules = [{ target: 'linked.md', decision: 'allow' }] as const;
    const request = { ...sampleRequest(), target: 'notes.md' };
    expect(await decide({ yes: false, approve: rules, root: folder }, request)).toContain('write was not run');
  });

  it('refuses when there is nobody to ask, and explains how to allow it', async () => {
    expect(await decide({ yes: false })).toBe(
      'write was not run: it has the effect \'write\', and no one is available to approve it. To allow it, start bae with --yes. A --config file may allow only this: {"approve":[{"space":"home","tool":"write","decision":"allow"}]}',
    );
  });

  it('asks nothing about a file that would stay as it is, unless there is a reason', async () => {
    let asked = 0;
    const ask: AskPerson = async () => {
      asked++;
      return { decision: 'deny' };
    };
    const texts = (after: string) => ({ touches: ['a.txt'], texts: () => [{ path: 'a.txt', before: 'one', after }] });
    const same = { ...sampleRequest(), ...texts('one'), preview: async () => '' };
    expect(await decide({ yes: false, ask }, same)).toBe('allowed');
    expect(asked).toBe(0);
    await decide({ yes: false, ask }, { ...same, reason: 'may hold passwords' });
    await decide({ yes: false, ask }, { ...same, ...texts('two') });
    await decide({ yes: false, ask }, { ...same, touches: ['a.txt', 'b.png'] });
    await decide({ yes: false, ask }, { ...same, preview: async () => 'becomes executable' });
    expect(asked).toBe(4);
  });

  it('allows every write with --yes, and when the configuration does', async () => {
    expect(await decide({ yes: true })).toBe('allowed');
    expect(await decide({ yes: false, approve: 'all' })).toBe('allowed');
    expect(await decide({ yes: true, approve: [{ decision: 'ask' }] })).toBe('allowed');
  });

  it('does not take --yes for consent to show secrets', async () => {
    const refusal =
      'read on .env was not run: it may hold secrets, and no one is available to approve it. To allow it, start bae with a --config file that says {"approve":[{"space":"home","target":".env","decision":"allow"}]}';
    expect(await decide({ yes: true }, secretRequest())).toBe(refusal);
    expect(await decide({ yes: false, approve: 'all' }, secretRequest())).toBe(refusal);
    expect(await decide({ yes: true, ask: yesToAll }, secretRequest())).toBe('allowed');
    const rules = [{ target: '.env', decision: 'allow' }] as const;
    expect(await decide({ yes: false, approve: rules }, secretRequest())).toBe('allowed');
  });

  it('names the tool of a call without a target, and a rule for it works', async () => {
    const request = { ...secretRequest(), space: 'graph', tool: 'add', target: '', reason: 'it was read' };
    expect(await decide({ yes: true }, request)).toBe(
      'add was not run: it was read, and no one is available to approve it. To allow it, start bae with a --config file that says {"approve":[{"space":"graph","tool":"add","target":"**","decision":"allow"}]}',
    );
    const rules = [{ space: 'graph', tool: 'add', target: '**', decision: 'allow' }] as const;
    expect(await decide({ yes: true, approve: rules }, request)).toBe('allowed');
    expect(await decide({ yes: true, approve: rules }, { ...request, tool: 'remove' })).toContain('was not run');
  });

  it('lets a configuration that refuses win over --yes', async () => {
    expect(await decide({ yes: true, approve: 'none', ask: yesToAll })).toBe(
      'write was not run: the configuration says approve: "none".',
    );
    const rules = [{ tool: 'write', decision: 'deny' }] as const;
    for (const approve of [rules, { rules }])
      expect(await decide({ yes: true, approve, ask: yesToAll })).toBe(
        'write was not run: a rule denies it: {"tool":"write","decision":"deny"}. To allow it, change "approve" in the configuration.',
      );
  });

  it('can tell what it would ask about', async () => {
    const decide = (settings: ConsentSettings, request = sampleRequest()) => createApprover(settings).decide?.(request);
    expect(decide({ yes: false, ask: yesToAll })).toBeUndefined();
    expect(decide({ yes: false })).toMatchObject({ allow: false, isUnanswered: true });
    expect(decide({ yes: true })).toEqual({ allow: true, by: 'option' });
    expect(decide({ yes: true, ask: yesToAll }, secretRequest())).toBeUndefined();
    const rules = [{ tool: 'write', decision: 'deny' }] as const;
    expect(decide({ yes: true, approve: rules })).toMatchObject({ allow: false, by: 'rule' });
  });

  it('asks a person, where there is one, about what no rule decides', async () => {
    const asked: string[] = [];
    const ask: AskPerson = async ({ tool }) => {
      asked.push(tool);
      return { decision: 'deny' };
    };
    const settings = { yes: false, approve: [{ tool: 'edit', decision: 'allow' }], ask } as const;
    expect(await decide(settings, sampleRequest({ tool: 'edit' }))).toBe('allowed');
    expect(await decide(settings)).toBe('write was not run: the user said no. Ask what to do instead.');
    expect(asked).toEqual(['write']);
  });
});
