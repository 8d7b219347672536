// @module-tag long

import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';

const sandboxFile = new URL('./sandbox.ts', import.meta.url).href;

/** What a process says that runs this with a sandbox, and how it ended. */
function processOf(code: string): string {
  const program = `
    import { Sandbox } from ${JSON.stringify(sandboxFile)};
    const sandbox = new Sandbox();
    const run = (code) => sandbox.run(code, { signal: new AbortController().signal, session: 'one', dispatch });
    const dispatch = async () => ({ ok: true, text: 'answer' });
    ${code}`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    timeout: 50_000,
  });
  return `${stdout}${stderr.replace(/^.*Warning.*$/gm, '').trim()}${status}`;
}

describe('a process', () => {
  it('ends by itself while a session and a spare thread wait', () => {
    expect(processOf(`console.log((await run('const a = 1; a')).output); await sandbox.warm();`)).toBe('1\n0');
  });

  it('lives as long as a block runs', () => {
    expect(processOf(`console.log((await run('await nav()')).output)`)).toBe('answer\n0');
  });

  it('lives as long as something waits for the engine', () => {
    expect(processOf(`await sandbox.warm(); console.log('warm')`)).toBe('warm\n0');
  });

  it('does nothing at all for a sandbox that is not used', () => {
    expect(processOf(`console.log(process.getActiveResourcesInfo().length)`)).toBe('0\n0');
  });

  it('outlives code that a thread has no memory to parse', () => {
    expect(processOf(`console.log((await run('[' + '1,'.repeat(200_000) + '1].length')).output)`)).toBe(
      'RunError: the code has 400010 characters; a run block takes at most 150000.\nTry: write long data to a file, and read it in the code\n0',
    );
  });
});
