import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { openRestricted } from '../consent/approver.ts';
import { readPromptBlocks } from './editor-prompt.ts';

it('names a file that is shown only with consent, without the text that an editor sends of it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'bae-prompt-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'private'));
  for (const name of ['private/a.txt', '.env', 'open.txt']) writeFileSync(join(root, name), 'x');
  const approve = [{ effect: 'read', target: 'private', decision: 'deny' }] as const;
  using workspace = openRestricted({ root, approve }, { HOME: root, BAE_HOME: join(root, 'own') });
  const attach = async (path: string) => {
    const resource = { uri: pathToFileURL(join(root, path)).href, text: 'hush' };
    return readPromptBlocks([{ type: 'resource', resource }], workspace);
  };
  for (const path of ['private/a.txt', '.env'])
    expect(await attach(path)).toMatchObject({ text: `Attached: ${join(root, path)}`, quoted: [] });
  expect(await attach('open.txt')).toMatchObject({ text: expect.stringContaining('hush') as string, quoted: ['hush'] });
  await expect(workspace.open('private/a.txt').read()).rejects.toThrow('is named by a rule about reading');
});
