import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Store } from '@bae/store';
import type { RandomSource } from './random-source.ts';
import { faultsOf, stepsIn } from './scripted-session.ts';

/** How a writer is killed: so many milliseconds after its start, or after so many acknowledged steps. */
export type Moment = { readonly ms: number } | { readonly steps: number; readonly ms: number };

/** `early` acknowledges a step before it is written; `once` writes one step and ends by itself. */
type Mode = 'early' | 'once';

/** One time in four while it starts or opens the database, else in the middle of its work. */
export function anyMoment(random: RandomSource): Moment {
  if (random.below(4) === 0) return { ms: random.below(100) };
  return { steps: 1 + random.below(15), ms: random.below(3) };
}

/** A session that is written by one process after the other, each of which is killed. */
export class KilledWriter {
  readonly #file: string;
  readonly #compiled: string;
  readonly #session: string;
  /** Steps that were acknowledged, and steps that are there. */
  acknowledged = 0;
  written = 0;

  /** @param compiled folder that saves each process the time to compile its modules */
  constructor(folder: string, compiled: string) {
    this.#file = join(folder, 'bae.db');
    this.#compiled = compiled;
    const store = Store.open(this.#file);
    this.#session = store.createSession();
    store.close();
  }

  /** Lets a process write, kills it, and opens the session again: tells what is wrong with it then. */
  async kill(moment: Moment, mode?: Mode): Promise<readonly string[]> {
    const last = await this.#write(moment, mode);
    this.acknowledged = Math.max(this.acknowledged, last);
    const store = Store.open(this.#file);
    try {
      this.written = stepsIn(store, this.#session);
    } catch (error) {
      return [String(error)];
    } finally {
      store.close();
    }
    const { acknowledged, written } = this;
    // One more may be on disk: the process was killed when it was about to say so.
    const isRight = written === acknowledged || written === acknowledged + 1;
    const fault = `${acknowledged} steps were acknowledged, ${written} are there`;
    return [...(isRight ? [] : [fault]), ...faultsOf(this.#file)];
  }

  /** The number that the process acknowledged last, 0 for none. */
  async #write(moment: Moment, mode: Mode | undefined): Promise<number> {
    const child = spawn(process.execPath, this.#arguments(mode), {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NODE_COMPILE_CACHE: this.#compiled },
    });
    let said = '';
    const closed = once(child, 'close');
    const enough = new Promise<void>((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if ('steps' in moment && said.split('\n').length > moment.steps) resolve();
      });
    });
    if ('steps' in moment) await Promise.race([enough, closed]);
    await sleep(moment.ms);
    if (mode !== 'once') child.kill('SIGKILL');
    await closed;
    return Number(said.split('\n').at(-2) ?? 0);
  }

  #arguments(mode: Mode | undefined): readonly string[] {
    const [before, script] = ['without-core.ts', 'write-session.ts'].map((name) =>
      join(import.meta.dirname, 'processes', name),
    ) as [string, string];
    const next = String(this.written + 1);
    return ['--import', before, script, this.#file, this.#session, next, ...(mode === undefined ? [] : [mode])];
  }
}
