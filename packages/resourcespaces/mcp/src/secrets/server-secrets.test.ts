import { describe, expect, it } from 'vitest';
import type { LoginStore } from '../server-login.ts';
import { listServerSecrets } from './server-secrets.ts';
import { readServer } from '../server-settings.ts';

const env = { GH_TOKEN: 'a-long-token', HOME: '/home/ada-long', PORT: '12345678' };
const list = (settings: object, login?: (url: string) => LoginStore) =>
  listServerSecrets('box', readServer(settings, 'box'), { env, ...(login && { login }) });

describe('the secrets of a server', () => {
  it('are the variables that are named like secrets, and those that get their values', () => {
    expect(
      list({
        command: 'npx',
        args: ['--auth', '${GH_TOKEN}', '${HOME}/x', '${PORT}'],
        env: {
          API_KEY: 'written-down',
          DEBUG: 'a-long-value',
          TOKEN: '${OTHER:-by-default}',
          SHORT_TOKEN: 'true',
          PASSWORD: 'four words',
        },
      }),
    ).toEqual(['written-down', 'by-default', 'four words', 'a-long-token']);
  });

  it('are what headers prove, without the word before it, and the client secret', () => {
    const headers = { Authorization: 'Bearer ${GH_TOKEN}', 'X-Api-Key': 'written-down', 'X-Version': '2026-11-29' };
    const oauth = { clientId: 'known-to-all', clientSecret: 'client-secret' };
    expect(list({ url: 'https://a.example', headers, oauth })).toEqual([
      'a-long-token',
      'written-down',
      'client-secret',
    ]);
  });

  it('are the tokens of the login, when there is one', () => {
    const tokens = { access_token: 'of-the-login', token_type: 'bearer', refresh_token: 'of-the-next-one' };
    const login = (url: string): LoginStore => ({ read: () => ({ url, tokens }), write: () => undefined });
    expect(list({ url: 'https://a.example' }, login)).toEqual(['of-the-login', 'of-the-next-one']);
    expect(list({ url: 'https://${NOWHERE}.example' }, login)).toEqual([]);
  });
});
