import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { scratchFolder } from './scratch-folder.ts';

/** A network namespace in which a worker can be started. */
export interface WorkerNamespace {
  /** What is written before a command, so that it runs in there. */
  readonly prefix: readonly string[];
  /** Address at which the other end of the cable passes everything on. */
  readonly host: string;
}

type Answer = { readonly result: object } | { readonly failure: string };

/** Cables between workers and their database, each of which can be cut. Needs no rights, but Linux that allows it. */
export class WorkerNetwork {
  readonly #router: ChildProcess;
  #last: Promise<unknown>;

  private constructor(router: ChildProcess) {
    this.#router = router;
    this.#last = readAnswer(router);
  }

  static async open(): Promise<WorkerNetwork> {
    const script = join(import.meta.dirname, 'processes', 'route-workers.mjs');
    const options = ['--map-root-user', '--net', process.execPath, script];
    const network = new WorkerNetwork(spawn('unshare', options, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }));
    try {
      await network.#last;
      return network;
    } catch (error) {
      network.end();
      throw error;
    }
  }

  /** Tries all of it, and says what does not work here; nothing when it does. */
  static async findObstacle(): Promise<string | undefined> {
    let network: WorkerNetwork | undefined;
    try {
      network = await WorkerNetwork.open();
      const { prefix } = await network.add(1, join(scratchFolder(), 'none'));
      const [code] = (await once(spawn(prefix[0]!, [...prefix.slice(1), 'true']), 'exit')) as [number | null];
      if (code !== 0) return `${prefix.join(' ')} ended with ${code}`;
      await network.cut(1);
      await network.mend(1);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    } finally {
      network?.end();
    }
  }

  /** @param socket file to which everything from that namespace is passed on */
  async add(number: number, socket: string): Promise<WorkerNamespace> {
    const { process: holder, host } = (await this.#do({ action: 'add', number, socket })) as {
      readonly process: number;
      readonly host: string;
    };
    return { prefix: ['nsenter', '--target', String(holder), '--user', '--net', '--preserve-credentials'], host };
  }

  /** Drops everything from now on, in both directions, without an error on either side. */
  async cut(number: number): Promise<void> {
    await this.#do({ action: 'cut', number });
  }

  async mend(number: number): Promise<void> {
    await this.#do({ action: 'mend', number });
  }

  end(): void {
    if (this.#router.connected) this.#router.disconnect();
  }

  /** One after the other, so that each gets its own answer. */
  #do(request: object): Promise<object> {
    const answer = this.#last.then(() => {
      this.#router.send(request);
      return readAnswer(this.#router);
    });
    this.#last = answer.catch(() => undefined);
    return answer;
  }
}

async function readAnswer(router: ChildProcess): Promise<object> {
  const over = new AbortController();
  const ended = once(router, 'exit', { signal: over.signal }).then(([code]) => {
    throw new Error(`unshare ended with ${String(code)}`);
  });
  // Nobody waits for it after an answer.
  ended.catch(() => undefined);
  try {
    const message = once(router, 'message', { signal: over.signal });
    message.catch(() => undefined);
    const [answer] = (await Promise.race([message, ended])) as [Answer];
    if ('failure' in answer) throw new Error(answer.failure);
    return answer.result;
  } finally {
    over.abort();
  }
}
