import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import { expect, it, onTestFinished } from 'vitest';
import { looksSecret, WorkspaceSecrets } from './secrets.ts';

it.each([
  'DB_PASSWORD=hunter22',
  'The password is hunter22',
  'The password is opensesame',
  'the api key: abc-def-123',
  `The key is ${'aB3'.repeat(9)}`,
  'Use postgres://u:pw@host/x',
  '-----BEGIN RSA PRIVATE KEY-----',
  `xoxb-1234567890-${'aB3d'.repeat(6)}`,
])('%s looks secret', (text) => {
  expect(looksSecret(text)).toBe(true);
});

it.each([
  'The password is stored in the vault, see docs/a.md',
  'The password is in .env',
  'The token is required.',
  'login(user: string, password: string)',
  'It broke in 8922c2164a5e0b4d44328922c2164a5e0b4d4432',
  'The private key is in the vault',
  'createSha256SignatureForEveryRequest makes it',
  'API_TOKEN=process.env.API_TOKEN',
])('%s does not look secret', (text) => {
  expect(looksSecret(text)).toBe(false);
});

/** The secrets of a folder with one file. */
async function loadSecrets(env: string): Promise<WorkspaceSecrets> {
  const folder = mkdtempSync(join(tmpdir(), 'bae-secrets-'));
  const root = new WorkspaceRoot(folder);
  onTestFinished(() => {
    root[Symbol.dispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(join(folder, '.env'), env);
  return WorkspaceSecrets.load(root);
}

const TOKEN = `ghp_${'a1'.repeat(18)}`;

it.each([
  ['a key', TOKEN],
  ['a key behind its name', `{"token":"${TOKEN}"}`],
  ['a private key', `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQ\n'.repeat(4)}`],
  ['a value of a protected file', 'correct (horse) battery'],
])('of %s no part is shown where a text was cut', async (_what, secret) => {
  const secrets = await loadSecrets('PASSWORD="correct (horse) battery"\n');
  for (let length = 1; length <= secret.length; length++) {
    const shown = secrets.maskBeginning(`It is ${secret.slice(0, length)}`);
    expect(shown).toMatch(/^It is .*…$/s);
    expect(shown).not.toMatch(/ghp_a|a1a1|cor|horse|MII/);
  }
});

it('leaves out little of a text that was cut', async () => {
  const secrets = await loadSecrets('PASSWORD="correct horse battery"\n');
  expect(secrets.maskBeginning('All of this is shown, but not thi')).toBe('All of this is shown, but not …');
  expect(secrets.maskBeginning('x'.repeat(10_000))).toBe(`${'x'.repeat(10_000 - 4096)}…`);
  expect(secrets.maskBeginning('')).toBe('…');
});
