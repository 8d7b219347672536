import { renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { approvalPolicy, type ApprovalPolicy } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { openHome } from '../test/open-home.ts';

/** A home whose person allows every change, after `meanwhile` has happened once. */
function changedWhileAsked(files: Readonly<Record<string, string>>, meanwhile: (folder: string) => void) {
  const previews: string[] = [];
  const ask: ApprovalPolicy['ask'] = async ({ preview }) => {
    if (previews.push((await preview?.()) ?? '') === 1) meanwhile(home.folder);
    return { decision: 'allow' };
  };
  const home = openHome(files, approvalPolicy({ ask }));
  return { home, previews };
}

describe('a change that is made after the file changed while the person was asked', () => {
  it('is shown again, so that what is made is what was shown', async () => {
    const { home, previews } = changedWhileAsked({ 'a.txt': 'old\n' }, (folder) =>
      writeFileSync(join(folder, 'a.txt'), 'of the person\n'),
    );
    expect(await home.send('<W:a.txt>new</W>')).toEqual(['Wrote 3 chars (1 line) to a.txt (replaced 1 line)']);
    expect(previews.map((text) => text.match(/^[-+][^-+].*$/gm))).toEqual([
      ['-old', '+new'],
      ['-of the person', '+new'],
    ]);
  });

  it('is refused when the session had read the file', async () => {
    const { home } = changedWhileAsked({ 'a.txt': 'old\n' }, (folder) =>
      writeFileSync(join(folder, 'a.txt'), 'of the person\n'),
    );
    await home.send('<R:a.txt>');
    expect((await home.send('<E:a.txt:1>\nnew\n</E>'))[0]).toMatch(/^ConflictError: a\.txt changed since you read it/);
    expect(home.content('a.txt')).toBe('of the person\n');
  });

  it('follows no link that took the place of a folder', async () => {
    const { home } = changedWhileAsked({ 'docs/a.txt': 'old\n', 'other/a.txt': 'old\n' }, (folder) => {
      renameSync(join(folder, 'docs'), join(folder, 'moved'));
      symlinkSync('other', join(folder, 'docs'));
    });
    expect((await home.send('<W:docs/a.txt>new</W>'))[0]).toMatch(
      /^ConflictError: docs\/a\.txt leads to other\/a\.txt/,
    );
    expect([home.content('moved/a.txt'), home.content('other/a.txt')]).toEqual(['old\n', 'old\n']);
  });
});
