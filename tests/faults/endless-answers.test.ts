import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, 'processes/ask-endless-model.ts');
/** Most memory of a process, in megabytes; one that does nothing takes about 90. */
const MOST = 200;
/** Little room for young garbage: how much of it waits would depend on how busy the machine is, and nothing on bae. */
const FLAGS = ['--no-warnings', '--max-semi-space-size=8'];
const WIRES = ['openai-compatible', 'anthropic', 'openai'];
const NAMES = [
  'line',
  'text',
  'small-texts',
  'comments',
  'empty-lines',
  'json',
  'nested',
  'names',
  'tags',
  'lines-of-data',
];
const KINDS = [...NAMES, 'calls', 'nameless-calls'].flatMap((kind) => [kind, `${kind}+gzip`, `${kind}+refused`]);

async function ask(wire: string, kind: string): Promise<{ readonly outcome: string; readonly most: number }> {
  const start = (...args: readonly string[]) => spawn(process.execPath, [...FLAGS, SCRIPT, ...args]);
  const service = start('serve', wire, kind);
  try {
    const [port] = (await once(service.stdout.setEncoding('utf8'), 'data')) as [string];
    const client = start('ask', wire, kind, port.trim());
    let said = '';
    client.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    await once(client, 'close');
    return JSON.parse(said) as { outcome: string; most: number };
  } finally {
    service.kill('SIGKILL');
  }
}

describe.each(WIRES)('a service of %s that answers without end', (wire) => {
  it.each(KINDS)('is an error, and takes little memory: %s', async (kind) => {
    const { outcome, most } = await ask(wire, kind);
    expect(outcome).toMatch(/^ModelError: /);
    expect(most).toBeLessThan(MOST);
  });
});
