import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isAlive } from '../../test/fake-claude.ts';
import { ProcessGroup } from './process-group.ts';

const node = process.execPath;

async function outputOf(group: ProcessGroup): Promise<string> {
  let text = '';
  for await (const piece of group.output()) text += piece;
  return text;
}

it('gives what a command prints, and how it ended', async () => {
  const group = new ProcessGroup(node, ['-e', 'console.log("out"); console.error("err"); process.exitCode = 3']);
  expect([await outputOf(group), await group.exit]).toEqual(['out\n', { kind: 'exited', code: 3, stderr: 'err\n' }]);
});

it('keeps a character whole that arrives in two pieces', async () => {
  const script = 'process.stdout.write(Buffer.of(0xc3)); setTimeout(() => process.stdout.write(Buffer.of(0xbc)), 50)';
  expect(await outputOf(new ProcessGroup(node, ['-e', script]))).toBe('ü');
});

it('keeps the end of a long complaint', async () => {
  const group = new ProcessGroup(node, ['-e', 'process.stderr.write("x".repeat(100_000) + "the reason")']);
  const exit = await group.exit;
  if (exit.kind !== 'exited') throw new Error(exit.kind);
  expect([exit.stderr.length, exit.stderr.endsWith('the reason')]).toEqual([4000, true]);
});

it('reports that it was killed, and can be killed again', async () => {
  const group = new ProcessGroup(node, ['-e', 'setInterval(() => {}, 1000)']);
  group.kill();
  expect(await outputOf(group)).toBe('');
  expect(await group.exit).toMatchObject({ kind: 'killed', signal: 'SIGKILL' });
  group.kill();
});

it('reports that a command could not be started', async () => {
  const group = new ProcessGroup('/nonexistent/command', []);
  expect(await outputOf(group)).toBe('');
  expect(await group.exit).toMatchObject({ kind: 'not-started', error: { code: 'ENOENT' } });
  group.kill();
});

it('takes its environment from the options', async () => {
  const group = new ProcessGroup(node, ['-p', 'process.env.COLOUR'], { env: { COLOUR: 'blue' } });
  expect(await outputOf(group)).toBe('blue\n');
});

it('does not outlive the process that started it', async () => {
  const module = new URL('process-group.ts', import.meta.url).href;
  const script = `
    const { ProcessGroup } = await import(${JSON.stringify(module)});
    const group = new ProcessGroup(process.execPath, ['-e', 'console.log(process.pid); setInterval(() => {}, 1000)']);
    for await (const pid of group.output()) { process.stdout.write(pid); process.exit(0); }`;
  const parent = spawn(node, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(parent.stdout.setEncoding('utf8'), 'data')) as [string];
  await once(parent, 'exit');
  await expect.poll(() => isAlive(Number(line))).toBe(false);
});

it('leaves no listener on the process behind', async () => {
  const before = process.listenerCount('exit');
  const groups = [new ProcessGroup(node, ['-e', '']), new ProcessGroup('/nonexistent/command', [])];
  await Promise.all(groups.map((group) => group.exit));
  expect(process.listenerCount('exit')).toBe(before);
});
