import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findIsolation } from '@bae/project';
import { describe, expect, it } from 'vitest';
import { RandomSource } from './random-source.ts';
import { scratchFolder } from './scratch-folder.ts';

/** Times that bae is killed while a command runs, fewer on a build server, and how many live at a time. */
const KILLS = Number(process.env['BAE_KILLS'] ?? (process.env['CI'] === undefined ? 1000 : 50));
const AT_ONCE = 2;
/** Only there to end what hangs. */
const LONGEST_KILL_MS = 6000;
/** Of so many, one is killed while it starts. */
const EARLY = 4;
const LONGEST_START_MS = 400;
const LONGEST_RUN_MS = 40;

const LAUNCHER = fileURLToPath(new URL('../../apps/cli/bin/bae.mjs', import.meta.url));

/** Ways of a command to leave something behind. */
const SCRIPTS = [
  `setsid sh -c 'trap "" HUP INT TERM; while :; do touch READY; sleep 0.05; done' MARK & sleep 1000`,
  `setsid sh -c 'setsid sh -c "while :; do touch READY; sleep 0.05; done" MARK &' & wait; sleep 1000`,
  `nohup sh -c 'touch READY; while :; do sleep 0.05; done' MARK > /dev/null & exec sleep 1000`,
];

function isMarked(id: string, marker: string): boolean {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(marker);
  } catch {
    return false;
  }
}

/** Processes of a command, and those that watch it. */
function countProcesses(marker: string): number {
  return readdirSync('/proc').filter((id) => /^\d+$/.test(id) && isMarked(id, marker)).length;
}

/** Lets bae run a command, kills it, and waits until nothing of the command is left. */
async function killOnce(seed: number): Promise<void> {
  const random = new RandomSource(seed * 7919);
  const folder = scratchFolder();
  const marker = randomUUID();
  const ready = join(folder, 'ready');
  const script = SCRIPTS[seed % SCRIPTS.length]!.replaceAll('MARK', marker).replaceAll('READY', ready);
  const bae = spawn(process.execPath, [LAUNCHER, 'do', '--allow-commands', '--yes'], {
    cwd: folder,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const background = seed % 2 === 0 ? 'background=true' : '';
  // A second call keeps bae alive behind one in the background.
  bae.stdin
    .on('error', () => undefined)
    .end(`<terminal.sh:${background}>\n${script}\n</sh>\n<terminal.exec:sleep 1000>\n`);
  if (seed % EARLY === 0) await wait(random.below(LONGEST_START_MS));
  else {
    while (!existsSync(ready)) await wait(5);
    expect(countProcesses(marker)).toBeGreaterThan(0);
    await wait(random.below(LONGEST_RUN_MS));
  }
  const ended = once(bae, 'exit');
  bae.kill('SIGKILL');
  await ended;
  // The limit of the test ends it when something stays.
  while (countProcesses(marker) > 0) await wait(5);
}

const { type } = await findIsolation();

describe.runIf(type === 'namespace')('a command, when bae is killed', () => {
  it('ends with its daemons, at any moment', { timeout: KILLS * LONGEST_KILL_MS }, async () => {
    const seeds = Array.from({ length: KILLS }, (_, index) => index);
    let killed = 0;
    const work = async (): Promise<void> => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
        await killOnce(seed);
        killed++;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(killed).toBe(KILLS);
  });
});
