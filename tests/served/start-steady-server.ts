import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client } from '@bae/client';
import { onTestFinished } from 'vitest';
import type { SteadyServer } from './serve-steadily.ts';

/** What a server holds after everything that can be freed is. */
export interface Figures {
  /** In MB. */
  readonly heap: number;
  readonly rss: number;
  readonly connections: number;
  readonly unexpected: readonly string[];
}

/** Starts a server in a process of its own, until the test is over. */
export async function startSteadyServer(options: SteadyServer) {
  const child = fork(join(import.meta.dirname, 'serve-steadily.ts'), [JSON.stringify(options)], {
    execArgv: ['--expose-gc'],
  });
  onTestFinished(async () => {
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
  });
  const [{ url, token }] = (await once(child, 'message')) as [{ readonly url: string; readonly token: string }];
  const client = new Client({ url, token });
  return {
    url,
    token,
    client,
    measure: async (): Promise<Figures> => {
      child.send('measure');
      const [figures] = (await once(child, 'message')) as [Figures];
      return figures;
    },
  };
}
