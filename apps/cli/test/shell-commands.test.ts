import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openBae, runBae } from './run-bae.ts';

let cwd: string;
beforeEach(() => void (cwd = mkdtempSync(join(tmpdir(), 'bae-commands-'))));
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

it('the shell lists what can be typed, and runs commands of bae', async () => {
  const bae = openBae([], { cwd, interactive: true });
  await bae.shows('home>');
  bae.type('?\r');
  await bae.shows('/audit');
  expect(bae.screen()).toContain('tools of this place');
  bae.type('/sessions\r');
  await bae.shows('(no sessions)');
  bae.type('bae approvals\r');
  await bae.shows('(no answer applies');
  bae.type('@1\r');
  await bae.shows('session 1.\n');
  bae.type('/cost\r');
  await bae.shows('by tool');
  bae.type('/tasks list\r');
  await bae.shows('no tasks');
  bae.type('/audit --changes\r');
  await bae.shows('nothing has been decided yet');
  bae.type('/audit --chnges\r');
  await bae.shows('no option --chnges');
  bae.type('exit\r');
  expect(await bae.end).toMatchObject({ code: 0 });
});

it('refuses words after commands that take none, and says where other commands of bae are typed', async () => {
  const { err } = await runBae([], { cwd, input: '/context foo\n/cost foo bar\n/new x\n/ns x\nbae trust --yes\n' });
  expect(err).toBe(`\
/context takes nothing; got foo.
/cost takes nothing; got foo bar.
/new takes nothing; got x.
/ns takes nothing; got x.
bae trust is a command of its own: type it in another terminal. A question about it begins otherwise.
`);
});

it('says when a server that is added in the shell becomes a place', async () => {
  const started = { cwd, env: { BAE_HOME: join(cwd, '.home') } };
  const { out, err } = await runBae([], { ...started, input: '/mcp add box -- node box.mjs\n/mcp list\n' });
  expect(out).toContain('added box to ');
  expect(err).toBe('places change when bae is started again.\n');
});

it('/spaces shows the places of the shell, as it was started', async () => {
  const { out } = await runBae(['--allow-commands'], { cwd, input: '/spaces\nexit\n' });
  expect(out).toContain('  terminal() -- Commands on this machine.');
});

it('/doctor checks the model of the shell, and breaks lines at words', async () => {
  const model = ['--model', 'openai-compatible/small', '--base-url', 'http://127.0.0.1:9/v1'];
  const bae = openBae(model, { cwd, interactive: true, env: { OPENAI_COMPATIBLE_API_KEY: 'x' } });
  await bae.shows('home>');
  bae.type('/doctor\r');
  await bae.shows('✓ model: openai-compatible/small, asked for by name');
  await bae.shows('commands:');
  const finding = bae.screen().slice(bae.screen().indexOf('✓ Node'));
  for (const line of finding.split('\n').filter((one) => one.startsWith('  '))) expect(line).toMatch(/^ {2}\S/);
  bae.type('exit\r');
  await bae.end;
});

it('without a terminal, /tasks prints what runs, and cancels by number', async () => {
  const begin = ['1000', '2000'].map((seconds) => `<terminal.exec:sleep ${seconds} background=true>`);
  const input = [...begin, '/tasks', '/tasks cancel 1', '<terminal.stop:1>', '/tasks', 'exit', ''].join('\n');
  const { code, out } = await runBae(['--allow-commands', '--yes'], { cwd, input });
  expect(out).toMatch(/^1 {2}\d+ s {2}terminal {2}sleep 1000\n2 {2}\d+ s {2}terminal {2}sleep 2000\n/m);
  expect(out).toMatch(/^1: sleep 1000 \(killed, /m);
  expect(out).toMatch(/^1 {2}\d+ s {2}terminal {2}sleep 2000\n/m);
  expect(code).toBe(0);
});

it('the prompt does not wait for the number of tasks, which the toolbar shows soon after', async () => {
  await runBae(['tasks', 'add', 'Fix the login'], { cwd });
  const bae = openBae([], { cwd, interactive: true });
  await bae.shows('home>');
  expect(bae.screen()).not.toContain('1 task');
  await bae.shows('1 task');
  bae.type('exit\r');
  expect(await bae.end).toMatchObject({ code: 0 });
});
