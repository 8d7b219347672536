import { describe, expect, it } from 'vitest';
import { OPENAI_FORMAT } from '../wire/openai-format.ts';
import type { WireReply } from '../wire/wire-reply.ts';
import { WireServer } from '../wire/wire-server.ts';
import { repositoryCopy, runBae } from './run-bae.ts';

const ENV = { OPENAI_API_KEY: 'secret' };
const ask = (url: string) =>
  runBae(['ask', 'hi', '--model', 'openai-compatible/wire', '--base-url', url, '--cwd', repositoryCopy()], {
    env: ENV,
  });

/** One question to a service that gives the same reply again and again. */
async function askService(reply: WireReply) {
  await using server = await WireServer.start(OPENAI_FORMAT, [reply, reply, reply]);
  return await ask(server.url);
}

const REPLIES: readonly (readonly [string, WireReply, RegExp])[] = [
  ['garbage', { text: 'x', fault: { kind: 'garbage', body: '<html>busy</html>' } }, /cannot be read|broke off/],
  ['a refusal', { text: 'x', fault: { kind: 'status', status: 401 } }, /OPENAI_API_KEY|key/],
  ['no such model', { text: 'x', fault: { kind: 'status', status: 404 } }, /model/],
  ['a corrupt chunk', { text: '<W:a.txt>\nx\n</W>', fault: { kind: 'corrupt', event: 1 } }, /^bae: /m],
  ['half a response', { text: '<W:a.txt>\nx\n</W>', finish: 'length' }, /cut off/],
  ['50 MB', { text: 'x'.repeat(50_000_000), chunk: 1_000_000 }, /longer than 8 MB/],
];

describe('a model that answers with', () => {
  it.each(REPLIES)('%s is one clear line with a next step', async (_, reply, line) => {
    const { code, stdout, stderr } = await askService(reply);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(line);
    expect(stderr).toMatch(/^Try: /m);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe('a port that refuses', () => {
  it('is named, with what to check', async () => {
    const server = await WireServer.start(OPENAI_FORMAT, []);
    const { url } = server;
    await server.close();
    const { code, stderr } = await ask(url);
    expect(code).toBe(1);
    expect(stderr).toContain('ECONNREFUSED');
    expect(stderr).toMatch(/^Try: check that the service is running/m);
  });
});
