import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const CALLS =
  'openat,write,pwrite64,writev,fchmod,fchown,fsync,fdatasync,ftruncate,rename,renameat,renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir';

/** The threads of a process that changes files: its own, and the one that waits for the disk. */
export type Thread = 'main' | 'disk';

/** A system call that may change something on disk. */
export interface SystemCall {
  readonly thread: Thread;
  readonly name: string;
  /** The how many-th of this name in its thread, from 1. */
  readonly number: number;
  /** As strace writes it. */
  readonly text: string;
}

/** Why system calls cannot be interrupted here; undefined when they can. */
export function whyNotTraced(): string | undefined {
  if (process.platform !== 'linux') return 'strace is for Linux';
  const { status, error } = spawnSync('strace', ['-o', '/dev/null', '-e', 'trace=none', '-p', `${process.pid}`], {
    timeout: 500,
  });
  if (error !== undefined && 'code' in error && error.code === 'ENOENT') return 'strace is not installed';
  // It goes on until it is stopped, unless it may not look into another process.
  return status === null ? undefined : 'strace may not look into processes here';
}

/** strace at the threads of a process. */
export class Tracer {
  readonly #folder = mkdtempSync(join(tmpdir(), 'bae-strace-'));
  readonly #processes: ChildProcess[] = [];
  readonly #pid: number;

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** Writes down the calls of a thread, or kills the process at the start of one of them. */
  async attach(thread: Thread, deadly?: Pick<SystemCall, 'name' | 'number'>): Promise<void> {
    const inject = deadly === undefined ? [] : ['-e', `inject=${deadly.name}:signal=KILL:when=${deadly.number}`];
    const tracee = thread === 'main' ? this.#pid : await diskThread(this.#pid);
    const log = join(this.#folder, thread);
    const tracer = spawn('strace', ['-o', log, '-e', `trace=${CALLS}`, ...inject, '-p', `${tracee}`], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#processes.push(tracer);
    await once(tracer.stderr, 'data');
  }

  /** The calls of a thread so far. */
  calls(thread: Thread): readonly SystemCall[] {
    const counts = new Map<string, number>();
    return readFileSync(join(this.#folder, thread), 'utf8')
      .split('\n')
      .flatMap((text) => {
        const name = /^(\w+)\(/.exec(text)?.[1];
        if (name === undefined) return [];
        const number = (counts.get(name) ?? 0) + 1;
        counts.set(name, number);
        return [{ thread, name, number, text }];
      });
  }

  async end(): Promise<void> {
    for (const one of this.#processes) if (one.exitCode === null && one.signalCode === null) await once(one, 'exit');
  }

  [Symbol.dispose](): void {
    for (const one of this.#processes) one.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** The thread that does the disk's work. It has its name a moment after it was begun. */
async function diskThread(pid: number): Promise<string> {
  const tasks = `/proc/${pid}/task`;
  const isNamed = (task: string) => readFileSync(`${tasks}/${task}/comm`, 'utf8').startsWith('libuv');
  for (let tries = 0; tries < 100; tries++) {
    const [first, ...more] = readdirSync(tasks).filter(isNamed);
    if (more.length > 0) throw new Error('more than one thread for the disk; set UV_THREADPOOL_SIZE=1');
    if (first !== undefined) return first;
    await setTimeout(10);
  }
  throw new Error('no thread for the disk');
}
