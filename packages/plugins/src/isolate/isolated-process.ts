import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { readBytes } from '../disk.ts';
import { parseSpaces } from '../manifest/plugin-manifest.ts';
import { PluginError } from '../plugin-error.ts';
import {
  type CurrentSpaces,
  decodeMessage,
  encodeMessage,
  type FromProcess,
  type LoadReport,
  type Request,
  divideLines,
  toError,
  type ToProcess,
} from './wire.ts';

/** Memory limits of a package, in megabytes: for its heap, and for its whole process. */
const HEAP_MB = 256;
const PROCESS_MB = 512;
/** Interval of the memory check, and the time that a call may continue after it was cancelled, in milliseconds. */
const WATCH_MS = 500;
const GRACE_MS = 1000;
/** Number of unexpected messages after which the process is ended. */
const MOST_UNASKED = 1000;
/** Maximum length of the kept end of its output, in characters. */
const LAST_WORDS = 2000;

const INHERITED =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|https?_proxy|no_proxy|NODE_EXTRA_CA_CERTS)$/i;

type Unnumbered<T> = T extends unknown ? Omit<T, 'id'> : never;

/** Receiver of the messages of a call before its result. */
export interface CallListener {
  readonly signal?: AbortSignal | undefined;
  on?(message: Exclude<FromProcess, { type: 'result' }>): void;
  /** Receives the spaces if others exist now, before the result. */
  onSpaces?(now: CurrentSpaces): void;
}

interface Pending extends CallListener {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

export interface ProcessOptions {
  /** The only folder that it can write to. */
  readonly dataFolder: string | undefined;
  /** Receives what it reports about its imports. */
  readonly report: (message: LoadReport) => void;
}

/** Process of one package. When it ends for any reason, every open call fails with an error that states the reason. */
export class IsolatedProcess {
  readonly #name: string;
  readonly #report: ProcessOptions['report'];
  readonly #child: ChildProcess;
  readonly #pipe: Duplex;
  readonly #pending = new Map<number, Pending>();
  readonly #watch: NodeJS.Timeout;
  readonly #exit = Promise.withResolvers<void>();
  #lastId = 0;
  #unasked = 0;
  #lastWords = '';
  /** Reason why it was ended; undefined if it ended on its own. */
  #reason: string | undefined;
  #isOver = false;
  #noPipe: NodeJS.Timeout | undefined;

  constructor(name: string, { dataFolder, report }: ProcessOptions) {
    this.#name = name;
    this.#report = report;
    const env = Object.fromEntries(Object.entries(process.env).filter(([key]) => INHERITED.test(key)));
    const permissions = ['--permission', '--allow-fs-read=*', '--allow-worker'];
    if (dataFolder !== undefined)
      permissions.push(`--allow-fs-write=${dataFolder}/*`, `--allow-fs-write=${dataFolder}`);
    const args = [...permissions, `--max-old-space-size=${HEAP_MB}`, '--no-warnings', locateIsolateWorker()];
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'], env });
    this.#pipe = this.#child.stdio[3] as Duplex;
    this.#pipe.on('data', this.#guard(divideLines((line) => this.#receive(line))));
    this.#pipe.on('error', () => undefined);
    // At its end the process closes it too, and then its exit is the reason.
    this.#pipe.on('close', () => {
      if (!this.#isOver) this.#noPipe = setTimeout(() => this.end('closed its pipe'), GRACE_MS);
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) this.#listen(stream);
    this.#child.on('error', (error) => this.#finish(`could not be started: ${error.message}`));
    this.#child.on('exit', (code, signal) => this.#finish(this.#reason ?? this.#describeExit(code, signal)));
    this.#watch = setInterval(() => this.#checkMemory(), WATCH_MS).unref();
    // Activity in the process does not keep bae alive.
    this.#child.unref();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** @throws the error of the request; PluginError when the process ends first */
  request(request: Unnumbered<Request>, listener: CallListener = {}): Promise<unknown> {
    const id = ++this.#lastId;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    if (this.#isOver) return Promise.reject(this.#makeError());
    this.#pending.set(id, { ...listener, resolve, reject });
    const abort = (): void => this.#abort(id);
    listener.signal?.addEventListener('abort', abort, { once: true });
    this.send({ ...request, id });
    return promise.finally(() => listener.signal?.removeEventListener('abort', abort));
  }

  send(message: ToProcess): void {
    if (!this.#isOver) this.#pipe.write(`${encodeMessage(message)}\n`);
  }

  /** Ends it immediately. @param reason the end of a sentence: `was ended, because it …` */
  end(reason: string): void {
    if (this.#isOver) return;
    this.#reason ??= reason;
    this.#child.kill('SIGKILL');
  }

  /** Lets it close its resources, and ends it after a second if it has not ended. */
  async close(): Promise<void> {
    if (this.#isOver) return;
    this.send({ type: 'close' });
    const timer = setTimeout(() => this.end('was closed'), GRACE_MS);
    await this.#exit.promise;
    clearTimeout(timer);
  }

  /** Aborts a call. A call that continues blocks the process, which is then ended and restarted with the next call. */
  #abort(id: number): void {
    this.send({ type: 'abort', id });
    setTimeout(() => {
      if (this.#pending.has(id)) this.end('did not stop when it was cancelled');
    }, GRACE_MS).unref();
  }

  /** Wraps a reader, so that no data from the process can end bae. */
  #guard(read: (bytes: Buffer) => void): (bytes: Buffer) => void {
    return (bytes) => {
      try {
        if (this.#reason === undefined) read(bytes);
      } catch {
        this.end('sent something over its pipe that is not a message');
      }
    };
  }

  /** @throws when the line is not a message */
  #receive(line: string): void {
    const message = decodeMessage(line) as FromProcess | LoadReport;
    if (isLoadReport(message)) {
      this.#countUnasked();
      return this.#report(message);
    }
    if (typeof message !== 'object' || message === null || typeof message.id !== 'number') throw new TypeError(line);
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return this.#countUnasked();
    if (message.type !== 'result') return pending.on?.(message);
    this.#pending.delete(message.id);
    if (message.now !== undefined) pending.onSpaces?.(checkCurrentSpaces(message.now));
    if ('error' in message) pending.reject(toError(message.error));
    else pending.resolve(message.value);
  }

  #countUnasked(): void {
    this.#unasked++;
    if (this.#unasked > MOST_UNASKED) throw new RangeError('too many messages');
  }

  #listen(stream: Readable): void {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS);
    });
    stream.on('error', () => undefined);
    // Only the pipe shows whether the process still exists.
    (stream as Readable & { unref?(): void }).unref?.();
  }

  /**
   * Checks the memory, because buffers are not on the heap. If the system does not report it, only the heap is limited.
   */
  #checkMemory(): void {
    const pages = String(readBytes(`/proc/${this.#child.pid}/statm`) ?? '').split(' ')[1];
    if (pages !== undefined && (Number(pages) * 4096) / 1024 / 1024 > PROCESS_MB) {
      this.end(`took more than ${PROCESS_MB} MB of memory`);
    }
  }

  #describeExit(code: number | null, signal: string | null): string {
    const isFull = /heap out of memory|Array buffer allocation failed/.test(this.#lastWords);
    if (isFull) return `took more memory than it may have (${HEAP_MB} MB)`;
    const line = this.#lastWords
      .trim()
      .split('\n')
      .findLast((one) => /Error: /.test(one));
    const words = line === undefined ? '' : `: ${line.trim().slice(0, 200)}`;
    return `exited unexpectedly (${signal ?? `exit ${code}`})${words}`;
  }

  #finish(reason: string): void {
    if (this.#isOver) return;
    this.#reason = reason;
    this.#isOver = true;
    clearInterval(this.#watch);
    clearTimeout(this.#noPipe);
    this.#pipe.destroy();
    for (const pending of this.#pending.values()) pending.reject(this.#makeError());
    this.#pending.clear();
    this.#exit.resolve();
  }

  #makeError(): PluginError {
    const outcome = 'The outcome of the call is unknown; the next one starts the process again.';
    return new PluginError(`the process of ${this.#name} ${this.#reason}. ${outcome}`);
  }
}

/** @throws ZodError for anything else, because a package can write to the pipe */
function checkCurrentSpaces(sent: unknown): CurrentSpaces {
  const { spaces, withStatus } = Object(sent) as Partial<CurrentSpaces>;
  return { spaces: parseSpaces(spaces), withStatus: [withStatus ?? []].flat().map(String) };
}

/** Tests the shape too, because a package can write to the pipe. */
function isLoadReport(message: unknown): message is LoadReport {
  const { type, loads, wanted } = Object(message) as Partial<Record<string, unknown>>;
  if (type === 'wanted') return typeof wanted === 'string';
  if (type !== 'loads') return false;
  const { files, packages } = Object(loads) as Partial<Record<string, unknown>>;
  return [files, packages].every(
    (list) => typeof list === 'object' && list !== null && Object.values(list).every((one) => typeof one === 'string'),
  );
}

function locateIsolateWorker(): string {
  const file = import.meta.url.endsWith('.ts') ? './isolate-worker.ts' : './isolate-worker.js';
  return fileURLToPath(new URL(file, import.meta.url));
}
