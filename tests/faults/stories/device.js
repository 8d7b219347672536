// A device behind a program that speaks lines: firmware with progress, which may not be cut off half-way.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { defineResourcespace, ResourceError, tool } from '@bae/core';
import { z } from 'zod';

const DEVICE = `const { createInterface } = require('node:readline'); let version = '1.0';
createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, value] = line.split(' ');
  if (word === 'version') return console.log('version ' + version);
  for (let part = 1; part <= 5; part++) console.log('written ' + part * 20);
  version = value; console.log('ready ' + version);
});`;

export function spaces() {
  let device;
  let lines;
  const send = (line) => device.stdin.write(`${line}\n`);
  const next = async () => (await lines.next()).value?.split(' ') ?? ['gone'];
  return defineResourcespace({
    name: 'device',
    description: 'A lamp on the desk, and its firmware.',
    onOpen: () => {
      device = spawn(process.execPath, ['-e', DEVICE], { stdio: ['pipe', 'pipe', 'ignore'] });
      lines = createInterface({ input: device.stdout })[Symbol.asyncIterator]();
    },
    dispose: async () => {
      const ending = device;
      device = undefined;
      if (ending === undefined || ending.exitCode !== null) return;
      ending.stdin.end();
      await once(ending, 'close');
    },
    enter: () => 'connected',
    tools: {
      read: tool('The version of the firmware.', {}, async () => {
        send('version');
        return (await next())[1];
      }),
      flash: tool(
        'The version after it was written.',
        {
          version: z
            .string()
            .regex(/^\d+\.\d+$/, 'expected a version like 1.1')
            .meta({ description: 'Version like 1.1', examples: ['1.1'] }),
        },
        async ({ version }, { progress, signal }) => {
          signal.throwIfAborted();
          send(`flash ${version}`);
          for (;;) {
            const [word, value] = await next();
            if (word === 'ready') return `The lamp has ${value} now.`;
            if (word === 'gone') throw new ResourceError('the lamp does not answer any more.', ['<R:>']);
            progress(Number(value), 100, 'writing');
          }
        },
        { destructive: true, idempotent: true },
      ),
    },
  });
}

export const samples = { missing: null, calls: { flash: { version: '1.1' } } };
