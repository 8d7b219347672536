// @module-tag long

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { asModelText, createAgent } from '@bae/core';
import { afterEach, describe, expect, it } from 'vitest';
import { learnTools, mcpServer } from './mcp-space.ts';
import { logIn, type Login, type LoginStore } from './server-login.ts';
import type { ServerSettings } from './server-settings.ts';

const SERVER = join(import.meta.dirname, '../test/guarded-server.mjs');
const servers = new Set<ChildProcess>();
afterEach(() => {
  for (const server of servers) server.kill();
  servers.clear();
});

/** Starts a server that wants a login. Returns its address. */
async function start(kind: string): Promise<string> {
  const server = spawn(process.execPath, [SERVER, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
  servers.add(server);
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  return String(line).trim();
}

function keep(): LoginStore & { login: Login | undefined } {
  const store = {
    login: undefined as Login | undefined,
    read: () => store.login,
    write: (login: Login) => void (store.login = login),
  };
  return store;
}

/** Makes a login one of an earlier version, which does not say where it is from. */
function forgetIssuer(store: ReturnType<typeof keep>): void {
  const parts = JSON.parse(JSON.stringify(store.login)) as { client: { issuer?: string }; tokens: { issuer?: string } };
  delete parts.client.issuer;
  delete parts.tokens.issuer;
  store.login = parts as unknown as Login;
}

/** Follows an address as a browser does. Returns where it was sent to. */
async function browse(address: URL): Promise<string> {
  const { headers } = await fetch(address, { redirect: 'manual' });
  return headers.get('location')!;
}

interface Given {
  readonly oauth?: Record<string, unknown>;
  readonly store?: LoginStore;
  /** What the person does with the address; the default is to open it in a browser of this machine. */
  readonly open?: (address: URL) => void;
  readonly pasted?: () => Promise<string>;
  /** Whether the person lets the secret go there; the default is that they do. */
  readonly confirm?: (receiver: string, before: string | undefined) => Promise<boolean>;
}

const SECRET = { clientId: 'known', clientSecret: 'hush' };

/** What the place for tokens of a server got as authorization. */
async function seenBy(url: string): Promise<unknown> {
  return (await fetch(new URL('/seen', url))).json();
}

const never = () => new Promise<never>(() => undefined);

function login(url: string, { oauth, store = keep(), open, pasted = never, confirm = async () => true }: Given = {}) {
  const settings = { url, headers: {}, ...(oauth && { oauth }) } as ServerSettings;
  const show = open ?? ((address: URL) => void browse(address).then((back) => fetch(back)));
  return logIn({ name: 'box', settings, env: {}, store, show, pasted, confirm, signal: new AbortController().signal });
}

/** The result of the only tool, with the login that is kept. */
async function call(url: string, store: LoginStore): Promise<string> {
  const settings = { url, headers: {} } as ServerSettings;
  const options = { name: 'box', settings, place: { folder: '/tmp', env: {}, login: () => store }, trusted: true };
  const agent = createAgent({ spaces: [mcpServer(options)], approver: { approve: async () => ({ allow: true }) } });
  try {
    const place = await agent.describe(['box']);
    const [called] = (await agent.run(asModelText('<box.whoami:>'))).calls;
    return called?.result.ok === true ? called.result.text : place;
  } finally {
    await agent.close();
  }
}

describe('a login at a server', () => {
  it('registers bae, proves with PKCE that it asked, and keeps the tokens', async () => {
    const url = await start('normal');
    const store = keep();
    const settings = { url, headers: {} } as ServerSettings;
    const options = { name: 'box', settings, place: { folder: '/tmp', env: {} } };
    expect(await learnTools({ ...options, signal: new AbortController().signal })).toBe(
      'box: log in from another terminal (bae mcp login box): it wants to know who is there.',
    );
    expect(await login(url, { store })).toBe(true);
    expect(store.login).toMatchObject({ url, tokens: { token_type: 'Bearer' }, client: { client_name: 'bae' } });
    expect(await call(url, store)).toBe('registered 1, renewed 0');
  });

  it('takes the address that a person pastes, and asks again for what is none', async () => {
    const url = await start('normal');
    const store = keep();
    const { promise: opened, resolve } = Promise.withResolvers<URL>();
    const typed = ['yes', 'http://127.0.0.1/callback?code=1'];
    const pasted = async () => typed.shift() ?? browse(await opened);
    expect(await login(url, { store, open: resolve, pasted })).toBe(true);
    expect(await call(url, store)).toBe('registered 1, renewed 0');
  });

  it('refuses the answer to another login', async () => {
    const url = await start('normal');
    const forge = (address: URL) =>
      void browse(address).then((back) => fetch(back.replace(/state=[^&]+/, 'state=of-somebody-else')));
    await expect(login(url, { open: forge })).rejects.toThrow('box: the answer belongs to another login.');
  });

  it('says why the access was not allowed', async () => {
    const url = await start('refusing');
    const store = keep();
    await expect(login(url, { store })).rejects.toThrow('box: the access was not allowed: the person said no.');
    expect(store.login).toBeUndefined();
  });

  it('uses a client that was registered before', async () => {
    const url = await start('secret');
    const store = keep();
    expect(await login(url, { store, oauth: { clientId: 'known', clientSecret: 'hush' } })).toBe(true);
    expect(await call(url, store)).toBe('registered 0, renewed 0');
  });

  it('asks once where the secret of a client may go, and again when that has changed', async () => {
    const [url, other] = [await start('secret'), await start('secret')];
    const [here, there] = [new URL(url).origin, new URL(other).origin];
    const asked: (readonly [string, string | undefined])[] = [];
    const confirm = async (...question: readonly [string, string | undefined]) => asked.push(question) > 0;
    const known = { store: keep(), oauth: SECRET, confirm };
    await login(url, known);
    await login(url, known);
    expect(asked).toEqual([[here, undefined]]);
    await fetch(new URL(`/move?tokens=${there}`, url));
    const refused = login(url, { ...known, confirm: async (...question) => asked.push(question) === 0 });
    await expect(refused).rejects.toThrow(
      `box: the client secret was not sent to ${here} at ${there}, because nobody allowed it.`,
    );
    await fetch(new URL(`/move?to=${there}`, url));
    await expect(login(url, { ...known, confirm: async () => false })).rejects.toThrow(
      `box: the client secret was not sent to ${there}, because nobody allowed it.`,
    );
    expect(asked.slice(1)).toEqual([[`${here} at ${there}`, here]]);
    expect(await seenBy(other)).toEqual([]);
    expect(await seenBy(url)).toHaveLength(2);
  });

  it('sends the secret of a client only to the authorization server that the settings name', async () => {
    const [url, other] = [await start('secret'), await start('secret')];
    const named = { confirm: never, oauth: { ...SECRET, issuer: `${new URL(url).origin}/` } };
    expect(await login(url, named)).toBe(true);
    await fetch(new URL(`/move?to=${new URL(other).origin}`, url));
    await expect(login(url, named)).rejects.toThrow(
      `box: it names ${new URL(other).origin} as its authorization server, and the settings name ${new URL(url).origin}/. The client secret was not sent.`,
    );
    expect(await seenBy(other)).toEqual([]);
  });

  it.each(['to', 'tokens'])('is not renewed with a secret elsewhere (%s)', async (what) => {
    const [url, other] = [await start('secret-short'), await start('secret')];
    const store = keep();
    await login(url, { store, oauth: SECRET });
    expect(await call(url, store)).toBe('registered 0, renewed 0');
    expect(await call(url, store)).toBe('registered 0, renewed 1');
    await fetch(new URL(`/move?${what}=${new URL(other).origin}`, url));
    expect(await call(url, store)).toContain(
      'box: log in from another terminal (bae mcp login box): its client secret would now go to ',
    );
    expect(await seenBy(other)).toEqual([]);
    // What the person logged in for is still there.
    await fetch(new URL(`/move?${what}=${new URL(url).origin}`, url));
    expect(await call(url, store)).toBe('registered 0, renewed 2');
  });

  it('of an earlier version is renewed at the server itself', async () => {
    const url = await start('short');
    const store = keep();
    await login(url, { store });
    forgetIssuer(store);
    await call(url, store);
    expect(await call(url, store)).toBe('registered 1, renewed 1');
    expect(store.login?.tokens).toMatchObject({ issuer: new URL(url).origin });
  });

  it.each(['to', 'tokens'])('of an earlier version is not renewed elsewhere (%s)', async (what) => {
    const [url, other] = [await start('short'), await start('normal')];
    const [here, there] = [new URL(url).origin, new URL(other).origin];
    const store = keep();
    await login(url, { store });
    forgetIssuer(store);
    await call(url, store);
    await fetch(new URL(`/move?${what}=${there}`, url));
    const shown = what === 'to' ? there : `${here} at ${there}`;
    expect(await call(url, store)).toContain(
      `box: log in from another terminal (bae mcp login box): it is not known where its login is from, and it would go to ${shown.slice(0, 20)}`,
    );
    expect(await seenBy(other)).toEqual([]);
  });

  it('has ended where a client that registered itself would need another secret', async () => {
    const [url, other] = [await start('issuing-short'), await start('issuing')];
    const store = keep();
    await login(url, { store, confirm: never });
    expect(store.login?.client?.client_secret).toBeDefined();
    await call(url, store);
    await fetch(new URL(`/move?to=${new URL(other).origin}`, url));
    expect(await call(url, store)).toContain('its login has ended.');
    expect(await seenBy(other)).toEqual([]);
  });

  it('is renewed by itself', async () => {
    const url = await start('short');
    const store = keep();
    await login(url, { store });
    expect(await call(url, store)).toBe('registered 1, renewed 0');
    expect(await call(url, store)).toBe('registered 1, renewed 1');
  });

  it('that has ended says what to type, and opens nothing', async () => {
    const url = await start('once');
    const store = keep();
    await login(url, { store });
    await call(url, store);
    expect(await call(url, store)).toContain(
      'box: log in from another terminal (bae mcp login box): its login has ended.',
    );
    expect(store.login).toEqual({ url });
  });

  it('goes to no other address', async () => {
    const [url, other] = [await start('normal'), await start('normal')];
    const store = keep();
    await login(url, { store });
    expect(await call(other, store)).toContain('it wants to know who is there');
  });

  it('is not asked for by a server that is not there, and not by a program', async () => {
    const url = await start('normal');
    for (const server of servers) {
      server.kill();
      await once(server, 'exit');
    }
    await expect(login(url)).rejects.toThrow('box: it cannot be reached (ECONNREFUSED): nothing listens at 127.0.0.1:');
    const settings = { command: 'x', args: [], env: {} };
    const parts = { name: 'box', env: {}, store: keep(), show: () => undefined, pasted: never, confirm: never };
    await expect(logIn({ ...parts, settings, signal: new AbortController().signal })).rejects.toThrow(
      'box is a program: it needs no login.',
    );
  });
});
