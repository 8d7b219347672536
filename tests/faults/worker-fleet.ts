import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '@bae/store-postgres/testing';
import type { RandomSource } from './random-source.ts';

/** What is done to a worker, or to the database of all of them. */
export type Harm = 'kill' | 'stop' | 'reset' | 'swallow' | 'delay' | 'restart' | 'drain';

/** Longer than the 10 seconds after which a worker that says nothing is taken for dead, in milliseconds. */
const STOPPED_MS = 13_000;
const SWALLOWED_MS = 13_000;
const DELAYED_MS = 3000;

/** Between a worker and its database: passes everything on, until it is told otherwise. */
class Proxy {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #delayMs = 0;
  #isSwallowing = false;

  constructor(port: number) {
    this.#server = createServer((near) => {
      const far = connect(port, '127.0.0.1');
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#sockets.add(from);
        from.on('error', () => undefined);
        from.on('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
        from.on('data', (data) => this.#pass(data, to));
      }
    });
  }

  /** Listens, and returns the address of the database through it. */
  async open(url: string): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return url.replace(/:\d+\//, `:${(this.#server.address() as { port: number }).port}/`);
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  /** Loses everything for a while, without a word, and then the connections. */
  async swallow(): Promise<void> {
    this.#isSwallowing = true;
    await sleep(SWALLOWED_MS);
    this.#isSwallowing = false;
    this.reset();
  }

  async delay(): Promise<void> {
    this.#delayMs = 150;
    await sleep(DELAYED_MS);
    this.#delayMs = 0;
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(data: Buffer, to: Socket): void {
    if (this.#isSwallowing) return;
    if (this.#delayMs === 0) to.write(data);
    else setTimeout(() => to.destroyed || to.write(data), this.#delayMs);
  }
}

interface FleetOptions {
  readonly server: TestServer;
  readonly url: string;
  /** Folder of what the workers write down, one file each, and of the notes of their tools. */
  readonly folder: string;
  readonly random: RandomSource;
}

/** A worker, its way to the database, and whether something is being done to it. */
interface Lane {
  child: ChildProcess;
  readonly proxy: Proxy;
  readonly url: string;
  isHarmed: boolean;
}

/** Workers that are harmed, and replaced by new ones when they end. */
export class WorkerFleet {
  readonly #options: FleetOptions;
  readonly #lanes: Lane[] = [];
  readonly #over = new Set<Promise<void>>();
  /** Workers that ended though nobody had ended them. */
  readonly crashed: string[] = [];
  readonly #ended = new WeakSet<ChildProcess>();
  #started = 0;
  #isEnding = false;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  async start(count: number): Promise<void> {
    for (let lane = 0; lane < count; lane++) {
      const proxy = new Proxy(Number(/:(\d+)\//.exec(this.#options.url)![1]));
      const url = await proxy.open(this.#options.url);
      this.#lanes.push({ child: await this.#spawn(url), proxy, url, isHarmed: false });
    }
  }

  /**
   * Harms one worker, or the database. What takes longer goes on beside what follows.
   *
   * @param which number of the worker, from 0. Default: any
   */
  async harm(harm: Harm, which?: number): Promise<void> {
    if (harm === 'restart') return this.#options.server.restart();
    const free = this.#lanes.filter(({ isHarmed }) => !isHarmed);
    const any = this.#options.random.pick(free.length > 0 ? free : this.#lanes);
    const lane = which === undefined ? any : this.#lanes[which]!;
    const { proxy } = lane;
    if (harm === 'reset') return proxy.reset();
    lane.isHarmed = true;
    const over = this.#harmLane(harm, lane).finally(() => {
      lane.isHarmed = false;
      this.#over.delete(over);
    });
    this.#over.add(over);
    // A worker that is stopped is not there; at least one of them is.
    if (free.length <= 2) await Promise.race(this.#over);
  }

  /** Waits for the end of every harm. */
  async recover(): Promise<void> {
    await Promise.all(this.#over);
  }

  async end(): Promise<void> {
    await this.recover();
    this.#isEnding = true;
    for (const { child, proxy } of this.#lanes) {
      child.kill('SIGKILL');
      proxy.close();
    }
  }

  async #harmLane(harm: Harm, lane: Lane): Promise<void> {
    if (harm === 'swallow') return lane.proxy.swallow();
    if (harm === 'delay') return lane.proxy.delay();
    if (harm === 'stop') {
      lane.child.kill('SIGSTOP');
      await sleep(STOPPED_MS);
      lane.child.kill('SIGCONT');
      return;
    }
    this.#ended.add(lane.child);
    const ended = once(lane.child, 'exit');
    lane.child.kill(harm === 'kill' ? 'SIGKILL' : 'SIGTERM');
    await ended;
    lane.child = await this.#spawn(lane.url);
  }

  async #spawn(url: string): Promise<ChildProcess> {
    const { folder } = this.#options;
    const script = join(import.meta.dirname, 'processes', 'work-on-sessions.ts');
    const journal = join(folder, `worker-${++this.#started}.jsonl`);
    const child = spawn(process.execPath, [script, url, journal, join(folder, 'notes.jsonl')], {
      stdio: ['ignore', 'pipe', openSync(join(folder, 'errors.log'), 'a')],
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    });
    const isReady = await Promise.race([
      once(child.stdout!, 'data').then(() => true),
      once(child, 'exit').then(() => false),
    ]);
    // One whose database is away while it starts ends, and is started again, as by any supervisor.
    if (!isReady) return this.#isEnding ? child : this.#spawn(url);
    child.once('exit', (code, signal) => {
      if (!this.#isEnding && !this.#ended.has(child))
        this.crashed.push(`${code ?? signal}: ${readFileSync(join(folder, 'errors.log'), 'utf8').slice(-3000)}`);
    });
    return child;
  }
}
