import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runBae, runProgram } from './run-bae.ts';
import { scratchFolder } from './scratch-folder.ts';

const SERVERS = join(import.meta.dirname, '../../../packages/resourcespaces/mcp/test');

let cwd: string;
let env: Readonly<Record<string, string>>;
beforeEach(() => {
  cwd = scratchFolder().path;
  env = { BAE_HOME: join(cwd, '.home') };
});

const add = (...args: readonly string[]) => runBae(['mcp', 'add', ...args], { cwd, env });
const readFile = () =>
  (JSON.parse(readFileSync(join(cwd, '.home/mcp.json'), 'utf8')) as { mcpServers: Record<string, unknown> }).mcpServers;

describe('bae mcp add', () => {
  it(
    'gives a program its variables: those with a value, and those of the environment at the start',
    { tags: ['long'] },
    async () => {
      const program = [process.execPath, join(SERVERS, 'fixture-server.mjs')];
      const added = await add('box', '--env', 'LEVEL=a=b', '--env', 'BOX_TOKEN', '--', ...program);
      expect(added).toMatchObject({ code: 0, err: '' });
      expect(readFile()['box']).toMatchObject({ env: { LEVEL: 'a=b', BOX_TOKEN: '${BOX_TOKEN}' } });
      const see = (token: object) =>
        runProgram(['do', '--yes', '@box()', '<env:>'], { cwd, env: { ...env, ...token } });
      expect((await see({})).out).toContain('needs the variable BOX_TOKEN, which is not set.');
      expect((await see({ BOX_TOKEN: 'one two three' })).out).toMatch(/BOX_TOKEN.* LEVEL/);
      expect(readFileSync(join(cwd, '.home/mcp.json'), 'utf8')).not.toContain('one two three');
    },
  );

  it('writes down everything that the settings of a server know', async () => {
    const common = ['--sampling', '--timeout', '5000', '--start-timeout=9000', '--disabled'];
    const shared = { sampling: true, timeout: 5000, startTimeout: 9000, disabled: true };
    expect((await add('box', ...common, '--start-in', 'tools', '--', 'node', '-y', '--env')).err).toBe('');
    const headers = ['--header', 'X-Team:  shop ', '--header', 'Authorization: Bearer ${DOCS_TOKEN}'];
    const login = ['--client-id', 'bae', '--client-secret', '${DOCS_SECRET}', '--scope', 'read', '--scope', 'write'];
    const url = 'https://docs.example/mcp';
    const docs = ['docs', url, ...common, ...headers, ...login, '--callback-port', '8765', '--transport', 'sse'];
    expect((await add(...docs)).err).toBe('');
    expect(readFile()).toEqual({
      box: { command: 'node', args: ['-y', '--env'], cwd: 'tools', ...shared },
      docs: {
        type: 'sse',
        url,
        headers: { 'X-Team': 'shop', Authorization: 'Bearer ${DOCS_TOKEN}' },
        oauth: { clientId: 'bae', clientSecret: '${DOCS_SECRET}', scopes: ['read', 'write'], callbackPort: 8765 },
        ...shared,
      },
    });
    expect((await runBae(['mcp'], { cwd, env })).out).toMatch(/^box {2}disabled/m);
  });

  it.each([
    [['box', 'npx', '-y', '--debug', 'server', '--env', 'A', '--', '--http', '1'], {}],
    [['box', '--env', 'A=1', 'npx', '-y', '--debug', 'server', '--env', 'A', '--', '--http', '1'], { env: { A: '1' } }],
    [['box', '--', 'npx', '-y', '--debug', 'server', '--env', 'A', '--', '--http', '1'], {}],
  ])('leaves to a command everything that stands behind it: %j', async (args, others) => {
    expect(await add(...args)).toMatchObject({ code: 0, err: '' });
    const words = ['-y', '--debug', 'server', '--env', 'A', '--', '--http', '1'];
    expect(readFile()['box']).toEqual({ command: 'npx', args: words, ...others });
  });

  it('warns of a secret that stands in the file itself, names the variable to write instead, and does not repeat it', async () => {
    const { err, code } = await add('git-hub', '--env', 'GITHUB_TOKEN=hunter2hunter2', '--env', 'LEVEL=1', '--', 'npx');
    expect(code).toBe(0);
    expect(err).toBe(
      `bae: GITHUB_TOKEN looks like a secret and stands readable in ${join(cwd, '.home/mcp.json')}. ` +
        "Safer: export GITHUB_TOKEN=…, bae mcp remove git-hub, then add it with --env 'GITHUB_TOKEN=${GITHUB_TOKEN}'\n",
    );
    const header = await add('git-docs', 'https://docs.example/mcp', '--header', 'Authorization: Bearer hunter2');
    expect(header.err).toContain("then add it with --header 'Authorization: Bearer ${GIT_DOCS_TOKEN}'\n");
    const key = `ghp_${'a1'.repeat(20)}`;
    expect((await add('other', '--env', `LOGIN=${key}`, '--', 'npx')).err).toMatch(/^bae: LOGIN looks like a secret/);
    const login = await add('desk', 'https://desk.example', '--client-id', 'bae', '--client-secret', 'hunter2');
    expect(login.err).toContain("--client-secret '${DESK_TOKEN}'\n");
    for (const { err: shown } of [header, login]) expect(shown).not.toContain('hunter2');
  });

  it(
    'warns of a secret in the arguments or the address, shows it nowhere, and takes it from a result',
    { tags: ['long'] },
    async () => {
      const fixture = join(SERVERS, 'fixture-server.mjs');
      const secret = 'correct-horse-battery';
      const added = await add(
        'box',
        '--env',
        `VALUE=${secret}`,
        process.execPath,
        fixture,
        'values',
        '--api-key',
        secret,
      );
      expect(added.err).toBe(
        `bae: --api-key looks like a secret and stands readable in ${join(cwd, '.home/mcp.json')}. ` +
          "Safer: export BOX_TOKEN=…, bae mcp remove box, then add it with '${BOX_TOKEN}' in its place\n",
      );
      const docs = await add('docs', `http://127.0.0.1:1/mcp?key=${secret}`);
      expect(docs.err).toContain('bae: key in the address looks like a secret and stands readable in');
      expect(docs.err).toContain("then add it with '${DOCS_TOKEN}' in its place\n");
      const here = (...args: readonly string[]) => runProgram(args, { cwd, env });
      for (const args of [
        ['mcp'],
        ['mcp', '--json'],
        ['mcp', 'doctor'],
        ['mcp', 'inspect', 'box'],
        ['mcp', 'inspect', 'docs'],
      ]) {
        const { out, err } = await here(...args);
        expect(out + err).toMatch(/box|docs/);
        expect(out + err).not.toContain(secret);
      }
    },
  );

  it.each([
    [
      ['box', '--env', '7UP=hunter2', '--', 'npx'],
      "--env: expected NAME or NAME=VALUE, the name of letters, digits and _; got '7UP=…'. Type --env GITHUB_TOKEN",
    ],
    [
      ['docs', 'https://docs.example', '--header', 'Authorization=hunter2'],
      "--header: expected 'NAME: VALUE' in one line; got 'Authorization=…'. Type --header 'Authorization: Bearer ${TOKEN}'",
    ],
    [
      ['docs', 'https://docs.example', '--header', 'X: a\nY: hunter2'],
      "--header: expected 'NAME: VALUE' in one line; got 'X:…'. Type --header 'Authorization: Bearer ${TOKEN}'",
    ],
    [
      ['docs', 'https://docs.example', '--env', 'TOKEN'],
      "--env is for a program, and https://docs.example is an address. Give it a header: bae mcp add docs https://docs.example --header 'Authorization: Bearer ${TOKEN}'",
    ],
    [
      ['box', '--header', 'X: 1', '--', 'npx'],
      '--header is for an address such as https://docs.example/mcp, and npx is a program. Give it a variable: bae mcp add box --env TOKEN -- npx',
    ],
    [['box', '--transport', 'tcp', '--', 'npx'], "--transport: expected http, sse; got 'tcp'."],
    [['box', '--timeout', '5s', '--', 'npx'], "--timeout: expected a whole number of at least 1; got '5s'."],
    [['box', '--env'], '--env needs a value: --env NAME[=VALUE].'],
    [
      ['-y', 'box', 'npx', 'server'],
      'bae mcp add asks nothing, so it takes no --yes. What belongs to the command stands behind it: bae mcp add box npx -y PACKAGE',
    ],
    [['box', '--envv', 'A', '--', 'npx'], 'no option --envv. Did you mean --env?'],
  ])('refuses %j, and says what to type', async (args, message) => {
    const { code, err } = await add(...args);
    expect({ code, err }).toEqual({ code: 2, err: `bae: ${message}\nMore: bae mcp --help\n` });
    expect(existsSync(join(cwd, '.home/mcp.json'))).toBe(false);
  });

  it('alone takes these options, and shows them in the help with examples', async () => {
    const { code, err } = await runBae(['mcp', 'list', '--env', 'A'], { cwd, env });
    expect({ code, err }).toEqual({
      code: 2,
      err: 'bae: bae mcp list takes no --env; it belongs to bae mcp add.\nMore: bae mcp --help\n',
    });
    const { out } = await runBae(['mcp', 'add', '--help'], { cwd, env });
    for (const option of ['--env NAME[=VALUE]', "--header 'NAME: VALUE'", '--sampling'])
      expect(out).toContain(`\n  ${option} `);
    expect(out).toContain('bae mcp add github --env GITHUB_TOKEN -- npx -y @modelcontextprotocol/server-github\n');
  });
});
