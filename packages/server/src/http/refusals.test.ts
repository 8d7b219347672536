import { connect } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { readEvents, serveNotes, temporaryFolder, type ServedNotes } from '../../test/serve-scripted.ts';

const ROUTES = async (served: ServedNotes) => {
  const document = (await (await fetch(`${served.server.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() })),
  );
};

/** Sends bytes as they are, and returns what comes back until the connection ends. */
async function sendBytes(url: string, ...pieces: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (bytes) => (text += String(bytes)));
  socket.on('error', () => undefined);
  for (const piece of pieces) socket.write(piece);
  await once(socket, 'close');
  return text;
}

describe('every route', () => {
  const BAD: Readonly<Record<string, (served: ServedNotes, good: string) => string | Promise<string>>> = {
    'without a token': () => '',
    'with the id of a token and another secret': (_, good) => good.slice(0, -1) + (good.endsWith('A') ? 'B' : 'A'),
    'with an expired token': (served) => served.addToken('expired', { expires: new Date(0) }),
    'with a revoked token': async (served) => {
      const revoked = await served.addToken('revoked');
      await served.store.revokeToken('revoked', new Date());
      return revoked;
    },
    'with a text that is no token': () => 'nonsense',
  };

  it.each(Object.entries(BAD))('refuses requests %s', async (_, makeBad) => {
    // Each has a server of its own, because an address may only try some wrong tokens.
    const served = await serveNotes({ script: () => 'Yes.' });
    const good = await served.addToken('good');
    const bad = await makeBad(served, good);
    const routes = await ROUTES(served);
    expect(routes.length).toBeGreaterThan(10);
    const id = '019aa000-0000-7000-8000-000000000000';
    const ask = async (token: string, { path, method }: (typeof routes)[number]) => {
      const headers = token === '' ? undefined : { authorization: `Bearer ${token}` };
      const url = served.server.url + path.replaceAll(/\{\w+\}/g, id);
      const response = await fetch(url, { method, ...(headers && { headers }) });
      await response.body?.cancel();
      return response.status;
    };
    for (const route of routes) expect([route, await ask(bad, route)]).toEqual([route, 401]);
    for (const route of routes) expect([route, await ask(good, route)]).not.toEqual([route, 401]);
    // Only that use counts.
    const used = (await served.store.listTokens()).filter((token) => token.used !== undefined);
    expect(used.map(({ name }) => name)).toEqual(['good']);
  });

  it('tells nothing of the sessions of another token', async () => {
    const served = await serveNotes({ script: () => 'A secret of alice.' });
    const alice = await served.addToken('alice');
    const mallory = await served.addToken('mallory', { may: ['read', 'write', 'external', 'approve'] });
    const id = await served.ask(alice, 'The secret question');
    const prompt = '019aa000-0000-7000-8000-000000000000';
    const bodies: Record<string, object> = {
      addPrompt: { text: 'x' },
      reply: { decision: 'allow', hash: '0'.repeat(64) },
      cancel: {},
      pushBranch: { message: 'x' },
    };
    const unknown = '019aa000-0000-7000-8000-000000000001';
    for (const { path, method } of await ROUTES(served)) {
      if (!path.includes('{id}')) continue;
      const at = (session: string) => path.replace('{id}', session).replaceAll(/\{\w+\}/g, prompt);
      const body = method === 'GET' ? undefined : (bodies[guessOperation(path)] ?? {});
      const [hers, nobodys] = await Promise.all(
        [id, unknown].map(async (session) => {
          const response = await served.send(mallory, at(session), body);
          return [response.status, (await response.text()).replaceAll(session, 'ID')];
        }),
      );
      // The same as for a session that does not exist.
      expect([path, ...hers!]).toEqual([path, ...nobodys!]);
      expect(hers![0]).toBe(404);
    }
    expect(await (await served.send(mallory, '/v1/sessions')).json()).toEqual({ sessions: [] });
  });
});

it('a token that may not read starts no session', async () => {
  const served = await serveNotes({ script: () => 'Yes.' });
  const lead = await served.addToken('lead', { may: ['approve'] });
  const writer = await served.addToken('writer', { may: ['read', 'write'] });
  expect((await served.send(lead, '/v1/sessions', {})).status).toBe(403);
  expect((await served.send(writer, '/v1/sessions', { may: ['write'] })).status).toBe(403);
  expect((await served.send(writer, '/v1/sessions', { may: ['read'] })).status).toBe(201);
});

function guessOperation(path: string): string {
  if (path.endsWith('/prompts')) return 'addPrompt';
  if (path.includes('/questions/')) return 'reply';
  return path.endsWith('/branch') ? 'pushBranch' : 'cancel';
}

describe('a request that is not in order', () => {
  it('is told which field of a reply is wrong', async () => {
    const served = await serveNotes({ script: () => 'Yes.' });
    const token = await served.addToken('shop');
    const id = '019aa000-0000-7000-8000-000000000000';
    const reply = async (body: object) => {
      const response = await served.send(token, `/v1/sessions/${id}/questions/${id}`, body);
      return ((await response.json()) as { error: { message: string } }).error.message;
    };
    const hash = '0'.repeat(64);
    expect(await reply({ decision: 'allow', hash, why: 1 })).toBe('body: Unrecognized key: "why"');
    expect(await reply({ decision: 'allow' })).toBe('body.hash: Invalid input: expected string, received undefined');
    expect(await reply({ decision: 'maybe', hash })).toBe(
      'body.decision: Invalid option: expected one of "allow"|"deny"',
    );
    expect(await reply({ answers: { a: null } })).toContain('body.answers.a: ');
  });

  it('is refused when it has the key of a prompt with another text', async () => {
    const served = await serveNotes({ script: () => 'Yes.' });
    const token = await served.addToken('shop');
    const id = await served.ask(token, 'First');
    const send = async (text: string) => {
      const response = await served.send(token, `/v1/sessions/${id}/prompts`, { text }, { 'idempotency-key': 'k' });
      return [response.status, ((await response.json()) as { error?: { message: string } }).error?.message];
    };
    expect(await send('Second')).toEqual([202, undefined]);
    expect(await send('Second')).toEqual([202, undefined]);
    expect(await send('Third')).toEqual([409, 'Idempotency-Key: a prompt with another text was sent with this key.']);
  });

  it('is refused with its status and what is wrong', async () => {
    const served = await serveNotes({ script: () => 'Yes.', bodyBytes: 1000 });
    const token = await served.addToken('shop', { folders: ['docs', 'https://git.example/acme'], spaces: ['tasks'] });
    const post = async (body: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${served.server.url}/v1/sessions`, {
        method: 'POST',
        body,
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...headers,
        },
      });
      return [response.status, ((await response.json()) as { error: { message: string } }).error.message];
    };
    expect(await post('{')).toEqual([400, 'body: expected JSON in UTF-8.']);
    expect(await post('[]')).toEqual([400, 'body: Invalid input: expected object, received array']);
    expect(await post('{"colour": 1}')).toEqual([400, 'body: Unrecognized key: "colour"']);
    expect(await post('{}', { 'content-type': 'text/plain' })).toEqual([
      415,
      'Content-Type: expected application/json.',
    ]);
    expect(await post(JSON.stringify({ spaces: ['x'.repeat(2000)] }))).toEqual([413, 'a body has at most 1000 bytes.']);
    expect(await post('{"spaces": ["source"]}')).toEqual([
      403,
      'spaces: this token does not allow the space source; it allows tasks.',
    ]);
    expect(await post('{"spaces": ["nosuch"]}')).toEqual([
      403,
      'spaces: this token does not allow the space nosuch; it allows tasks.',
    ]);
    expect(await post('{"may": ["external"]}')).toMatchObject([403, expect.stringContaining('the effect external')]);
    for (const workspace of [
      { type: 'folder', name: 'shop' },
      { type: 'git', repository: 'https://git.example/acmeevil/x' },
      { type: 'git', repository: 'https://git.example/acme-2' },
    ])
      expect(await post(JSON.stringify({ workspace }))).toMatchObject([403, expect.stringContaining('this workspace')]);
    for (const workspace of [
      { type: 'folder', name: '../etc' },
      { type: 'folder', name: 'docs' },
      { type: 'git', repository: 'https://git.example/acme' },
    ])
      expect((await post(JSON.stringify({ workspace })))[0]).toBe(400);
    expect((await post('{"workspace": {"type": "folder", "name": "/etc"}}'))[0]).toBe(400);
    const { id } = (await (await served.send(token, '/v1/sessions', {})).json()) as { id: string };
    expect((await served.send(token, `/v1/sessions/${id}/prompts`, { text: 'a\0b' })).status).toBe(400);
    expect((await served.send(token, `/v1/sessions/${id}/prompts`, { text: 'a\uD800b' })).status).toBe(400);
    expect((await served.send(token, `/v1/sessions/${id}/events?after=-1`)).status).toBe(400);
    expect((await served.send(token, `/v1/sessions/${id}`, {})).status).toBe(405);
    expect((await served.send(token, '/v2')).status).toBe(404);
  });

  it('is refused when it names a space that does not exist, with what to send', async () => {
    const served = await serveNotes({ script: () => 'Yes.' });
    const token = await served.addToken('shop');
    const some = await served.addToken('some', { spaces: ['notes', 'tasks', 'gone'] });
    const create = async (text: string, spaces: readonly string[]) => {
      const response = await served.send(text, '/v1/sessions', { spaces });
      return [response.status, ((await response.json()) as { error?: object }).error];
    };
    const refuse = (message: string, spaces: readonly string[]) => [
      400,
      { code: 'invalid', message, try: JSON.stringify({ spaces }) },
    ];
    expect(await create(token, ['tasks', 'note'])).toEqual(
      refuse('spaces.1: there is no space note. Did you mean notes? There are notes, source, tasks.', [
        'tasks',
        'notes',
      ]),
    );
    expect(await create(token, ['nosuch'])).toEqual(
      refuse('spaces.0: there is no space nosuch. There are notes, source, tasks.', ['notes', 'source', 'tasks']),
    );
    // The error names only what the token may use.
    expect(await create(some, ['gone'])).toEqual(
      refuse('spaces.0: there is no space gone. There are notes, tasks.', ['notes', 'tasks']),
    );
    expect(await create(token, ['tasks', 'notes'])).toEqual([201, undefined]);
    const unsure = await serveNotes({ script: () => 'Yes.', listSpaces: async () => undefined });
    const response = await unsure.send(await unsure.addToken('shop'), '/v1/sessions', { spaces: ['nosuch'] });
    expect(response.status).toBe(201);
  });

  it('is refused for another name of the server, and for pages of other origins', async () => {
    const served = await serveNotes({
      script: () => 'Yes.',
      hosts: ['api.shop.example'],
      origins: ['https://shop.example'],
    });
    const token = await served.addToken('shop');
    const head = (host: string) =>
      `GET /v1/sessions HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`;
    expect(await sendBytes(served.server.url, head('attacker.example'))).toMatch(/^HTTP\/1.1 421 /);
    expect(await sendBytes(served.server.url, head('api.shop.example'))).toMatch(/^HTTP\/1.1 200 /);
    expect(await sendBytes(served.server.url, head('localhost:4310'))).toMatch(/^HTTP\/1.1 200 /);
    const from = (origin: string) => served.send(token, '/v1/sessions', undefined, { origin });
    expect((await from('https://attacker.example')).status).toBe(403);
    const allowed = await from('https://shop.example');
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).toEqual([200, 'https://shop.example']);
    const preflight = await fetch(`${served.server.url}/v1/sessions`, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
      204,
      'Authorization, Content-Type, Idempotency-Key, Last-Event-ID',
    ]);
  });

  it('is ended when it comes too slowly, or is no HTTP', async () => {
    const served = await serveNotes({ script: () => 'Yes.', headersMs: 100, requestMs: 200 });
    const token = await served.addToken('shop');
    const start = 'POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\n';
    expect(await sendBytes(served.server.url, start)).toMatch(/^HTTP\/1.1 408 /);
    const body = `${start}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`;
    expect(await sendBytes(served.server.url, body)).toMatch(/^HTTP\/1.1 408 |^$/);
    expect(await sendBytes(served.server.url, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /);
    expect((await served.send(token, '/v1/sessions')).status).toBe(200);
  });
});

describe('too many requests', () => {
  it('of one token wait as long as they are told to', async () => {
    const served = await serveNotes({ script: () => 'Yes.', requestsPerMinute: 3 });
    const [shop, other] = [await served.addToken('shop'), await served.addToken('other')];
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push((await served.send(shop, '/v1/sessions')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(Number((await served.send(shop, '/v1/sessions')).headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await served.send(other, '/v1/sessions')).status).toBe(200);
  });

  it('with wrong tokens wait, and those with right ones from the same address do not', async () => {
    const served = await serveNotes({ script: () => 'Yes.' });
    const token = await served.addToken('shop');
    const statuses = [];
    for (let i = 0; i < 31; i++) statuses.push((await served.send('wrong', '/v1/sessions')).status);
    expect(statuses.slice(-2)).toEqual([401, 429]);
    expect((await served.send(token, '/v1/sessions')).status).toBe(200);
  });

  it('for one session wait', async () => {
    const served = await serveNotes({ script: () => new Promise<string>(() => undefined) });
    const token = await served.addToken('shop');
    const { id } = (await (await served.send(token, '/v1/sessions', {})).json()) as { id: string };
    const send = () => served.send(token, `/v1/sessions/${id}/prompts`, { text: 'x' });
    await send();
    await readEvents(await served.send(token, `/v1/sessions/${id}/events`), ({ type }) => type === 'turn-start');
    for (let i = 0; i < 20; i++) expect((await send()).status).toBe(202);
    const last = await send();
    expect([last.status, last.headers.get('retry-after')]).toEqual([429, '5']);
  });
});

describe('a reader who is too slow', () => {
  it('is dropped, and resumes where it was', { tags: ['long'] }, async () => {
    const folder = temporaryFolder();
    const patient = await serveNotes({ script: () => 'x'.repeat(500_000), chunk: 1e6, folder });
    const token = await patient.addToken('shop');
    const id = await patient.ask(token, 'Much');
    for (let i = 0; i < 14; i++) await patient.send(token, `/v1/sessions/${id}/prompts`, { text: 'More' });
    await expect.poll(async () => (await patient.store.readSession(id))!.state, { timeout: 60_000 }).toBe('idle');
    const impatient = await serveNotes({ script: () => '', folder, streams: { slowMs: 200 } });
    const { hostname, port } = new URL(impatient.server.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(`GET /v1/sessions/${id}/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    // What comes is not read: the system keeps as much of it as it likes.
    await expect.poll(() => impatient.server.connections(), { timeout: 60_000 }).toBe(1);
    await expect.poll(() => impatient.server.connections(), { timeout: 60_000 }).toBe(0);
    let text = '';
    socket.on('data', (bytes) => (text += String(bytes)));
    await once(socket, 'close');
    const read = [...text.matchAll(/^id: (\d+)$/gm)].map(([, place]) => place!);
    const all = (await patient.store.readEvents(id, 0, 1000)).map(({ seq }) => String(seq));
    expect(read.length).toBeGreaterThan(1);
    expect(read.length).toBeLessThan(all.length);
    // The last one may have come in part.
    const last = read.at(-2)!;
    const path = `/v1/sessions/${id}/events?follow=false`;
    const response = await patient.send(token, path, undefined, { 'last-event-id': last });
    const rest = (await readEvents(response, () => false)).map((event) => event.id);
    expect(rest).toEqual(all.slice(all.indexOf(last) + 1));
  });
});
