// A long build: its lines as they come, progress by them, an end when it is cancelled, and data at its end.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { defineResourcespace, ResourceError, tool } from '@bae/core';
import { z } from 'zod';

const PROGRAM = `const n = Number(process.argv[1]); let i = 0;
const step = () => { console.log('[' + ++i + '/' + n + '] compiling unit ' + i); if (i < n) setTimeout(step, 2); else console.log('done'); };
step();`;

async function* build({ target, units }, { signal, progress }) {
  if (target !== 'app') throw new ResourceError(`no target '${target}'.`, ['<R:>']);
  const child = spawn(process.execPath, ['-e', PROGRAM, String(units)], {
    signal,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  let lines = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    lines++;
    yield `${line}\n`;
    const [, done, total] = /^\[(\d+)\/(\d+)\]/.exec(line) ?? [];
    if (done !== undefined) progress(Number(done), Number(total), `unit ${done}`);
  }
  await ended;
  signal.throwIfAborted();
  const whole = () => ({ target, units, lines });
  return { text: `Built ${target}: ${units} units, ${lines} lines of output.`, rows: units, whole };
}

export const spaces = () =>
  defineResourcespace({
    name: 'builds',
    description: 'What this project can build.',
    tools: {
      read: tool('Targets that can be built.', {}, () => 'app'),
      build: tool(
        'How the build ended.',
        {
          target: z.string().meta({ description: 'What to build', examples: ['app'] }),
          units: z.int().min(1).default(20).describe('How many parts it has'),
        },
        build,
        { output: z.object({ target: z.string(), units: z.int(), lines: z.int() }) },
      ),
    },
  });

export const samples = {
  missing: null,
  calls: { build: { target: 'app', units: 3 } },
  slow: { tool: 'build', args: { target: 'app', units: 5000 } },
};
