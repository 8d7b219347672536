import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '@bae/store-postgres/testing';
import type { RandomSource } from './random-source.ts';
import type { WorkerNetwork } from './worker-network.ts';

/** What is done to a worker, or to the database of all of them. */
export type Harm = 'kill' | 'stop' | 'reset' | 'swallow' | 'delay' | 'part' | 'restart' | 'drain';

/** Longer than the 10 seconds after which a worker that says nothing is taken for dead, in milliseconds. */
const STOPPED_MS = 13_000;
const SWALLOWED_MS = 13_000;
const PARTED_MS = 13_000;
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

  /** Listens at a socket of that name, or at a port. Returns the port. */
  async open(socket?: string): Promise<number | undefined> {
    if (socket === undefined) this.#server.listen(0, '127.0.0.1');
    else this.#server.listen(socket);
    await once(this.#server, 'listening');
    const address = this.#server.address() as AddressInfo | string;
    return typeof address === 'string' ? undefined : address.port;
  }

  reset(): void {
    // A socket with a name in a folder cannot be reset.
    for (const socket of this.#sockets)
      if (socket.remoteAddress === undefined) socket.destroy();
      else socket.resetAndDestroy();
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
  /** Cables of the workers. Default: they are on the machine of the database, and are never cut off. */
  readonly network?: WorkerNetwork | undefined;
}

/** A worker, its way to the database, and whether something is being done to it. */
interface Lane {
  child: ChildProcess;
  readonly number: number;
  readonly proxy: Proxy;
  readonly url: string;
  /** What its command begins with. */
  readonly prefix: readonly string[];
  isHarmed: boolean;
}

/** A harm that lasts until the end of the fleet: the worker is dead, frozen, or cut off. */
export type LastingHarm = 'kill' | 'stop' | 'part';

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
    for (let number = 1; number <= count; number++) {
      const lane = { number, ...(await this.#connect(number)), isHarmed: false };
      this.#lanes.push({ ...lane, child: await this.#spawn(lane) });
    }
  }

  /** Harms the worker of a number, from 1, for good. */
  async harmForGood(harm: LastingHarm, number: number): Promise<void> {
    const { child } = this.#lanes[number - 1]!;
    this.#ended.add(child);
    if (harm === 'part') await this.#options.network!.cut(number);
    else child.kill(harm === 'kill' ? 'SIGKILL' : 'SIGSTOP');
  }

  /** Harms one worker, or the database. What takes longer goes on beside what follows. */
  async harm(harm: Harm): Promise<void> {
    if (harm === 'restart') return this.#options.server.restart();
    const free = this.#lanes.filter(({ isHarmed }) => !isHarmed);
    const lane = this.#options.random.pick(free.length > 0 ? free : this.#lanes);
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
    if (harm === 'part') {
      await this.#options.network!.cut(lane.number);
      await sleep(PARTED_MS);
      return this.#options.network!.mend(lane.number);
    }
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
    lane.child = await this.#spawn(lane);
  }

  /** Makes the way of a worker to the database. */
  async #connect(number: number): Promise<Pick<Lane, 'proxy' | 'url' | 'prefix'>> {
    const { url, network, folder } = this.#options;
    const [host, port] = /127\.0\.0\.1:(\d+)/.exec(url)!;
    const proxy = new Proxy(Number(port));
    if (network === undefined) return { proxy, url: url.replace(host, `127.0.0.1:${await proxy.open()}`), prefix: [] };
    const socket = join(folder, `way-${number}`);
    await proxy.open(socket);
    const { host: other, prefix } = await network.add(number, socket);
    return { proxy, url: url.replace(host, other), prefix };
  }

  async #spawn(lane: Pick<Lane, 'url' | 'prefix'>): Promise<ChildProcess> {
    const { folder } = this.#options;
    const script = join(import.meta.dirname, 'processes', 'work-on-sessions.ts');
    const journal = join(folder, `worker-${++this.#started}.jsonl`);
    const command = [...lane.prefix, process.execPath, script, lane.url, journal, join(folder, 'notes.jsonl')];
    const child = spawn(command[0]!, command.slice(1), {
      stdio: ['ignore', 'pipe', openSync(join(folder, 'errors.log'), 'a')],
      env: { ...process.env, NODE_COMPILE_CACHE: join(folder, 'compiled') },
    });
    const isReady = await Promise.race([
      once(child.stdout!, 'data').then(() => true),
      once(child, 'exit').then(() => false),
    ]);
    // One whose database is away while it starts ends, and is started again, as by any supervisor.
    if (!isReady) return this.#isEnding ? child : this.#spawn(lane);
    child.once('exit', (code, signal) => {
      if (!this.#isEnding && !this.#ended.has(child))
        this.crashed.push(`${code ?? signal}: ${readFileSync(join(folder, 'errors.log'), 'utf8').slice(-3000)}`);
    });
    return child;
  }
}
