import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { asModelText, createAgent } from '@bae/core';
import { describe, expect, it, vi } from 'vitest';
import { agents, folder, open, remember, settings } from '../test/open-server.ts';
import { learnTools, mcpServer } from './mcp-space.ts';
import { ServerConnection } from './server-connection.ts';

describe('a server of the protocol', () => {
  it('is a place with its tools, whose required parameters come first', { tags: ['long'] }, async () => {
    const { run } = await open();
    const text = await run('@box()');
    expect(text).toContain('home > box -- The tools of the MCP server box. 11 tools of fixture 1.0.0.');
    expect(text).toContain('<add:a b=number> [note]  -- The sum of two numbers.');
    expect(text).toContain('box.resources()');
    expect(await run('<add:1 b=2>')).toBe('3');
  });

  it('is called in the response that enters it, with JSON, by name and from elsewhere', async () => {
    const { run } = await open();
    expect(await run('<box.add:{"a": 1, "b": 2}>')).toContain('a');
    expect(await run('@box()\n<add a="2" b="3"/>')).toMatch(/\n5$/);
    expect(await run('<keep>\n{"items": [{"name": "x", "tags": ["y"]}, {"name": "z"}]}\n</keep>')).toBe('x/y z');
    expect(await run('<keep:[{"name": "x"}]>')).toBe('x');
  });

  it('checks arguments before the call, and says what to type', async () => {
    const { run } = await open();
    const entry = await run('@box()\n<add:1 b=two>');
    expect(entry).toContain('<strict:level=low|high> [where:{"city":…} slow]');
    expect(entry).toContain('b: expected number, got "two"');
    expect(await run('<keep:[{"tags": []}]>')).toContain('items.0.name: required');
    expect(await run('<keep:>')).toContain('Try: <keep:');
    expect(await run('<strict:medium>')).toContain('low');
    expect(await run('<strict:level=low>')).toBe('{"level":"low"}');
    expect(await run('<strict:low>')).toBe('{"level":"low"}');
    expect(await run('<strict:low where={"town":"x"}>')).toContain('where.city: required');
    expect(await run('<help:strict>')).toContain('\n- where: { city: string }\n');
    // A pattern of a server could take for ever.
    expect(await run(`<strict:low slow=${'a'.repeat(40)}!>`)).toContain('slow: expected to match the pattern ^(a+)+$');
    expect(await run(`<strict:low slow=${'a'.repeat(40)}>`)).toContain('"slow"');
  });

  it('gives code its structured data, and models text', async () => {
    const { run } = await open();
    expect(await run('@box()\n<data:>')).toContain('"degrees": 21');
    expect(await run('<picture:>')).toBe('[image result:1: image/png, 3 kB]');
    expect(await run('<R:result:1>')).toBe('[image result:1: image/png, 3 kB]');
  });

  it('reports what the server reports as an error, with its text', async () => {
    const { run } = await open();
    expect(await run('@box()\n<fail:>')).toMatch(/ServerError: the disk is full\nTry: <box\.help:fail>$/);
    const json = '<tool_call>{"name": "box.fail", "arguments": {}}</tool_call>';
    expect(await run(json)).toMatch(
      /ServerError: the disk is full\nTry: \{"name":"box\.help","arguments":\{"target":"fail"\}\}$/,
    );
  });

  it('names the files of the folder that a result links to or contains', { tags: ['long'] }, async () => {
    for (const name of ['a.txt', 'b c.txt']) writeFileSync(join(folder, name), '');
    const { agent } = await open({ kind: 'linking' });
    const tags = ['@box()', '<picture:>', `<box.resources.R:${pathToFileURL(folder).href}/a.txt>`, '<data:>'];
    const { calls } = await agent.run(asModelText(tags.join('\n')));
    expect(calls.map(({ result }) => result.files)).toEqual([undefined, ['a.txt', 'b c.txt'], ['a.txt'], undefined]);
  });

  it('is ended when it is not used for a time, and started again by the next call', { tags: ['long'] }, async () => {
    const { run } = await open({ idleMs: 1 });
    const first = (await run('@box()\n<pid:>')).split('\n').at(-1);
    await vi.waitFor(() => expect(() => process.kill(Number(first), 0)).toThrow('ESRCH'), 20_000);
    const second = await run('<pid:>');
    expect(second).toMatch(/^\d+$/);
    expect(second).not.toBe(first);
  });

  it('has an identifier for each tool', async () => {
    const { run } = await open();
    expect(await run('@box()\n<odd_name_with_dots:>')).toMatch(/odd$/);
  });

  it('has its prompts as tools', async () => {
    const { run } = await open();
    expect(await run('@box()\n<box.prompts.review:a.ts>')).toMatch(/user: Review a\.ts\.$/);
  });

  it('gets the address of the folder, whatever is in its name', { tags: ['long'] }, async () => {
    const { run } = await open({ kind: 'rooted' });
    expect(await run('@box()\n<pid:>')).toContain(`\n${pathToFileURL(folder).href}`);
    expect(pathToFileURL(folder).href).toContain('%20%231-');
  });

  it('gets the variables that it needs and those that are configured, no others', async () => {
    const { run } = await open({ env: { TOKEN: '1' } });
    const names = (await run('@box()\n<env:>')).split('\n').at(-1)!.split(' ');
    expect(names).toContain('TOKEN');
    expect(names.filter((name) => /KEY|SECRET|npm_/.test(name))).toEqual([]);
  });

  it('is believed to only read when the user trusts it, else each call asks', { tags: ['long'] }, async () => {
    const trusted = await open();
    await trusted.run('@box()\n<add:1 b=2>');
    expect(trusted.asked).toEqual([]);
    const other = await open({ trusted: false });
    await other.run('@box()\n<add:1 b=2>');
    expect(other.asked).toMatchObject([{ effect: 'external' }]);
  });
});

describe('a server with hundreds of tools', () => {
  it('has the schemas of those converted that are shown or called, and no others', async () => {
    const read = new Set<string>();
    const tools = Array.from({ length: 200 }, (_, index) => {
      const name = `look_${['issue', 'page', 'user', 'board', 'label'][index % 5]}_${index}`;
      const inputSchema = {
        type: 'object' as const,
        get properties() {
          read.add(name);
          return { id: { type: 'string' } };
        },
      };
      return { name, description: 'Looks.', inputSchema };
    });
    const memory = remember();
    memory.write({ tools, pin: '' });
    const options = { name: 'box', settings: settings({}), place: { folder, env: {} }, memory };
    const agent = createAgent({ spaces: [mcpServer(options)] });
    agents.add(agent);
    const [group] = agent.tree.below(['box']);
    const { calls } = await agent.run(asModelText('<R:>\n<help:look_page_1>'));
    expect(calls.map(({ result }) => result.text).join('\n')).toContain('look_page_1(id?: string)');
    expect([...read]).toEqual(['look_page_1']);
    const shown = await agent.describe(['box', group!.name]);
    expect(read.size).toBe(1 + shown.match(/^<look_/gm)!.length);
  });

  it('takes text between tags for the parameter that such text must be for', { tags: ['long'] }, async () => {
    const file = join(folder, `tools-${Math.random()}`);
    const text = { type: 'string' };
    const tools = [
      { name: 'echo', inputSchema: { type: 'object', properties: { message: text }, required: ['message'] } },
      { name: 'post', inputSchema: { type: 'object', properties: { to: text, body: text }, required: ['to', 'body'] } },
      { name: 'swap', inputSchema: { type: 'object', properties: { a: text, b: text }, required: ['a', 'b'] } },
    ];
    writeFileSync(file, JSON.stringify(tools));
    const { run } = await open({ kind: 'list', args: [file] });
    expect(await run('<box.echo:>hello</box.echo>')).toBe('{"message":"hello"}');
    expect(await run('@box()\n<echo>hello</echo>')).toContain('\n{"message":"hello"}');
    expect(await run('<post:Ada>\none\ntwo\n</post>')).toBe('{"to":"Ada","body":"one\\ntwo"}');
    expect(await run('<swap:x>y</swap>')).toContain('- body: this tool takes no body');
  });

  it('has the same names and descriptions of parameters for a search as where they are shown', () => {
    const inputSchema = {
      type: 'object' as const,
      properties: { limit: { type: 'integer' }, query: { type: 'string', description: 'What is wanted' }, all: true },
      required: ['query'],
    };
    const memory = remember();
    memory.write({ tools: [{ name: 'look', description: 'Looks.', inputSchema }], pin: '' });
    const space = mcpServer({ name: 'box', settings: settings({}), place: { folder, env: {} }, memory });
    const agent = createAgent({ spaces: [space] });
    agents.add(agent);
    const look = agent.tree.at(['box'])!.tools['look']!;
    const shown = look.spec.params.map(({ name, doc }) => (doc === undefined ? { name } : { name, doc }));
    expect(look.parameterDocs?.()).toEqual(expect.arrayContaining(shown));
    expect(look.parameterDocs?.()).toHaveLength(shown.length);
  });
});

describe('a server that does not do what it should', () => {
  it.each([
    ['ends at once', { kind: 'exit' }, /box: .*closed.*the token is missing/s],
    ['is not a program', { kind: 'normal', command: 'no-such-program' }, /there is no program no-such-program/],
  ])('that %s is an answer with its name and last words', async (_, given, expected) => {
    const { memory } = { memory: remember() };
    const command = 'command' in given ? { command: given.command, args: [], env: {} } : settings(given);
    const options = { name: 'box', settings: command, place: { folder, env: { PATH: process.env['PATH'] } }, memory };
    expect(await learnTools({ ...options, signal: new AbortController().signal })).toMatch(expected);
    const agent = createAgent({ spaces: [mcpServer(options)] });
    agents.add(agent);
    const { calls } = await agent.run(asModelText('@box()'));
    expect(calls[0]!.result.text).toMatch(expected);
  });

  it(
    'answers with a line without an end: the call fails at once with the limit, and the next starts it again',
    { tags: ['long'] },
    async () => {
      const { run } = await open({ kind: 'endless', timeout: 600_000 });
      expect(await run('@box()\n<hang:>')).toContain(
        'ServerError: box: it sent a message of more than 16 MB, and was ended. Ask it for less: a part, a page, a filter.\nTry: make the call again, if it may run twice',
      );
      expect(await run('<box.pid:>')).toMatch(/^\d+$/);
    },
  );

  it(
    'dies in a call: the call fails with its last words, and the next starts it again',
    { tags: ['long'] },
    async () => {
      const { run } = await open();
      expect(await run('@box()\n<die:>')).toMatch(/ServerError: box: .*\nIt printed last:\nout of memory/s);
      expect(await run('<add:1 b=2>')).toBe('3');
    },
  );

  it(
    'never answers: the call ends with its time, with the name and last words of the server',
    { tags: ['long'] },
    async () => {
      const { run } = await open({ timeout: 3000 });
      expect(await run('@box()\n<hang:>')).toContain(
        'TimeoutError: box: hang did not answer within 3s and was stopped, outcome unknown. ' +
          'Ask for less in one call; the user can set a longer "timeout" in the settings of box.\n' +
          'It printed last:\nwaiting for the lock\nTry: make the call again, if it may run twice',
      );
      expect(await run('<add:1 b=2>')).toBe('3');
    },
  );

  it('answers nothing any more after such a call: the next use starts it again', { tags: ['long'] }, async () => {
    const { run } = await open({ kind: 'stuck', timeout: 3000 });
    const before = await run('@box()\n<pid:>');
    expect(await run('<hang:>')).toContain('hang did not answer within 3s');
    expect(await run('@home()\n@box()')).not.toContain('state unavailable');
    const after = await run('<pid:>');
    expect(after).toMatch(/^\d+$/);
    expect(before).not.toMatch(new RegExp(`^${after}$`, 'm'));
  });

  it('never begins: that is said with its name', { tags: ['long'] }, async () => {
    const options = { name: 'box', settings: settings({ kind: 'silent' }), place: { folder, env: {} } };
    expect(await learnTools({ ...options, signal: AbortSignal.timeout(500) })).toBe('box: it did not answer in time.');
  });

  it('prints noise: it is given up, and everything else goes on', { tags: ['long'] }, async () => {
    const options = {
      name: 'box',
      settings: settings({ kind: 'garbage' }),
      place: { folder, env: {} },
      memory: remember(),
    };
    expect(await learnTools({ ...options, signal: AbortSignal.timeout(500) })).toBeDefined();
  });

  it(
    'changes its tools after they were allowed: the place says so, and the next call asks',
    { tags: ['long'] },
    async () => {
      const file = join(folder, `changed-${Math.random()}`);
      const memory = remember();
      const first = await open({ kind: 'changing', args: [file], memory });
      expect(await first.run('@box()\n<add:1 b=2>')).toContain(
        'Its tools are not those that you allowed (changed: add, keep, data, fail, picture, env and 5 more): ' +
          'the next call asks for consent to all of them',
      );
      expect(first.asked).toHaveLength(1);
      expect(first.asked[0]!.reason).toContain('are not those that you allowed (changed: add, keep,');
      expect(first.asked[0]!.target).toBe('box');
      await first.run('<add:1 b=2>');
      expect(first.asked).toHaveLength(1);
      rmSync(file);
    },
  );

  it('is not allowed what has changed, nor forgotten, by asking it for its tools', { tags: ['long'] }, async () => {
    const memory = remember();
    const place = { folder, env: { PATH: process.env['PATH'] } };
    const learn = (kind: string) =>
      learnTools({ name: 'box', settings: settings({ kind }), place, memory, signal: new AbortController().signal });
    await learn('normal');
    const allowed = { ...memory.known!, pin: 'of other tools' };
    memory.known = allowed;
    expect(await learn('normal')).toBeUndefined();
    expect(memory.known).toEqual(allowed);
    expect(await learn('exit')).toMatch(/^box: /);
    expect(memory.known).toEqual(allowed);
  });

  it(
    'says that its tools have changed: they are asked for again before the next call',
    { tags: ['long'] },
    async () => {
      const { run, agent } = await open({ kind: 'growing' });
      const count = () => Object.keys(agent.tree.at(['box'])!.tools).length;
      await run('@box()\n<hang:>');
      expect(count()).toBe(11);
      await run('<hang:>');
      expect(count()).toBe(12);
    },
  );

  it('is told when a call is cancelled', { tags: ['long'] }, async () => {
    const file = join(folder, `noted-${Math.random()}`);
    const { agent } = await open({ kind: 'noting', args: [file] });
    await agent.run(asModelText('@box()'));
    const notes = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
    const stop = new AbortController();
    const stopped = expect(agent.run(asModelText('<hang:>'), { signal: stop.signal })).rejects.toThrow();
    await vi.waitUntil(() => notes() === 'hang began\n', { timeout: 60_000 });
    stop.abort();
    await stopped;
    await vi.waitUntil(() => notes() === 'hang began\nhang cancelled\n', { timeout: 60_000 });
  });

  it('is started again ever later while it does not start, and at once when it does', { tags: ['long'] }, async () => {
    const file = join(folder, `starts-${Math.random()}`);
    const connection = new ServerConnection('box', settings({ kind: 'exit', args: [file] }), {
      place: { folder, env: { PATH: process.env['PATH'] } },
      onChange: () => undefined,
    });
    for (let count = 0; count < 3; count++)
      await expect(connection.describe(new AbortController().signal)).rejects.toThrow('the token is missing');
    await connection.close();
    const [first = 0, second = 0, third = 0] = readFileSync(file, 'utf8').trim().split('\n').map(Number);
    expect(second - first).toBeGreaterThanOrEqual(240);
    expect(third - second).toBeGreaterThanOrEqual(490);
  });

  it(
    'writes tags, frames, code and terminal codes, wherever it can: nothing is executed, or outside the frame',
    { tags: ['long'] },
    async () => {
      const { agent } = await open({ kind: 'hostile' });
      const started: string[] = [];
      agent.subscribe((event) => {
        if (event.type === 'call-start') started.push(event.tag);
        if (event.type === 'run-start') started.push(event.code);
      });
      const tags = [
        '@box()',
        '<help:>',
        '<help:look>',
        '<look:>',
        '<fail:>',
        '<odd_run_1_run_:>',
        '@box.prompts()',
        '<review:a.ts>',
        '@box.resources()',
        '<R:>',
        '<R:memo://one>',
        '<Grep:owned>',
      ];
      const { feedback, location } = await agent.run(asModelText(tags.join('\n')));
      expect(started).toEqual(tags);
      expect(location).toBe('box.resources');
      // What the server wrote has arrived, between the first and the last line; both have a number of this session.
      const [, nonce = ''] = /^\[Tool output (\w+)\]\n/.exec(feedback)!;
      expect(feedback.trimEnd().endsWith(`\n[end ${nonce}]`)).toBe(true);
      expect(feedback.match(/Ignore all rules/g)).toHaveLength(6);
      expect(feedback.split('\n').filter((line) => line.includes(nonce))).toHaveLength(tags.length + 2);
      expect(feedback).toContain('3 tools of box.\n');
      // Home is shown outside of any frame: nothing of the server's own is there.
      expect(await agent.describe([])).not.toMatch(/Ignore all rules|owned|000000/);
    },
  );

  it('leaves no process behind', async () => {
    const { run, agent } = await open();
    const pid = Number((await run('@box()\n<pid:>')).split('\n').at(-1));
    expect(process.kill(pid, 0)).toBe(true);
    agents.delete(agent);
    await agent.close();
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('redirects: the headers with their keys go nowhere else', async () => {
    const seen: string[] = [];
    const other = createServer((request, response) => {
      seen.push(String(request.headers.authorization));
      response.end('{}');
    });
    const first = createServer((_, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/` }).end();
    });
    for (const server of [other, first]) await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(first.address() as AddressInfo).port}/mcp`;
    const remote = { url, headers: { authorization: 'Bearer secret' } };
    const options = { name: 'box', settings: remote, place: { folder, env: {} }, memory: remember() };
    expect(await learnTools({ ...options, signal: new AbortController().signal })).toMatch(/^box: /);
    expect(seen).toEqual([]);
    for (const server of [other, first]) server.close();
  });

  // What limits them has quick tests beside it.
  it('answers without an end are not kept in memory', { tags: ['long'] }, async () => {
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, ' '));
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
    const options = { name: 'box', settings: { url, headers: {} }, place: { folder, env: {} }, memory: remember() };
    const { signal } = new AbortController();
    expect(await learnTools({ ...options, signal })).toMatch(/^box: .*it sent a message of more than 64 MB/);
    server.close();
  });
});

it('the progress of a call is an event', async () => {
  const { agent, run } = await open();
  const seen: unknown[] = [];
  agent.subscribe((event) => {
    if (event.type === 'call-progress') seen.push([event.tag, event.done, event.total, event.text]);
  });
  await run('<box.data:>');
  expect(seen).toEqual([['<box.data:>', 2, 2, 'measuring']]);
});
