import { describe, expect, it } from 'vitest';
import { describeServer, readServer } from '../server-settings.ts';
import { findSecretsInAddress, findSecretsInArguments } from './literal-secrets.ts';
import { listServerSecrets } from './server-secrets.ts';

const KEY = `ghp_${'a1'.repeat(20)}`;

describe('a secret that is written in settings', () => {
  it.each([
    [['--api-key', 'hunter2'], ['--api-key'], ['hunter2']],
    [['--token=hunter2', '-v'], ['--token'], ['hunter2']],
    [['run', '-e', 'GITHUB_TOKEN=hunter2', 'image'], ['GITHUB_TOKEN'], ['hunter2']],
    [['--header', 'Authorization: Bearer hunter2'], ['Authorization'], ['hunter2']],
    [['postgres://me:hunter2@db.example/shop'], ['the password in the address'], ['hunter2']],
    [['https://a.example/mcp?apiKey=hunter2&page=1'], ['apiKey in the address'], ['hunter2']],
    [['serve', KEY], ['argument 2'], [KEY]],
    [['--api-key', '${KEY}', '--token=${TOKEN:-none}', 'Authorization:${AUTH}'], [], []],
    [['-y', '@acme/token-server', '--port', '8080', '--keyboard', 'german', 'https://a.example/?page=2'], [], []],
  ])('is found in the arguments %j', (args, places, values) => {
    const found = findSecretsInArguments(args);
    expect(found.map(({ place }) => place)).toEqual(places);
    expect(found.map(({ value }) => value)).toEqual(values);
  });

  it('is not shown to anyone, and hidden in what the server returns', () => {
    const program = readServer({ command: 'npx', args: ['server', '--api-key', 'hunter2hunter2', '-v'] }, 'box');
    expect(describeServer(program)).toEqual(['starts: npx server --api-key … -v']);
    const remote = readServer({ url: 'https://a.example/mcp?key=hunter2hunter2&page=1' }, 'docs');
    expect(describeServer(remote)).toEqual(['connects to https://a.example/mcp?key=…&page=1']);
    for (const settings of [program, remote])
      expect(listServerSecrets('box', settings, { env: {} })).toEqual(['hunter2hunter2']);
  });

  it('is no word of an address that is broken', () => {
    for (const address of ['', '://', 'https://', 'a?key=hunter2', 'http://[?key=hunter2'])
      expect(() => findSecretsInAddress(address)).not.toThrow();
  });
});
