import { expect, it } from 'vitest';
import { looksSecret } from './secrets.ts';

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
