import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import {
  CancellationTokenSource,
  createMessageConnection,
  ErrorCodes,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
  type MessageConnection,
} from 'vscode-jsonrpc/node';
import { makeEnvironment, findCompiler } from './project-facts.ts';
import { toUri, TypeServiceError, waitUnlessAborted } from './language-protocol.ts';

const CAPABILITIES = { workspace: { configuration: true } };

/** The server requests these once for each section of its settings. */
const SETTINGS = {
  // Otherwise the server installs packages of types from the network.
  disableAutomaticTypeAcquisition: true,
  tsserver: { automaticTypeAcquisition: { enabled: false } },
  preferences: { useAliasesForRenames: true },
  // Otherwise what the settings of a project forbid, such as unused names, is only a warning.
  reportStyleChecksAsWarnings: false,
};

/** Codes of errors that do not come from the server. */
const LOCAL_ERRORS: ReadonlySet<number> = new Set([ErrorCodes.MessageWriteError, ErrorCodes.PendingResponseRejected]);

type ServerProcess = ChildProcessByStdio<Writable, Readable, null>;

/** A running TypeScript compiler that responds to requests about the files below a folder. */
export class LanguageServer implements AsyncDisposable {
  readonly #process: ServerProcess;
  readonly #connection: MessageConnection;
  readonly #stopped = new AbortController();
  readonly #ended: Promise<unknown>;
  #pending = 0;

  /** @throws TypeServiceError when there is no compiler, or when it does not run */
  static async start(folder: string, signal: AbortSignal): Promise<LanguageServer> {
    const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
    const options = { cwd: folder, env: makeEnvironment(), stdio };
    const server = new LanguageServer(spawn(findCompiler(), ['--lsp', '--stdio'], options));
    const folders = [{ uri: toUri(folder), name: 'workspace' }];
    const params = { processId: process.pid, rootUri: toUri(folder), workspaceFolders: folders };
    try {
      await server.request('initialize', { ...params, capabilities: CAPABILITIES }, signal);
      server.notify('initialized', {});
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  constructor(process: ServerProcess) {
    this.#process = process;
    const reader = new StreamMessageReader(process.stdout);
    // Its timer would keep our own process from ending.
    reader.partialMessageTimeout = 0;
    this.#connection = createMessageConnection(reader, new StreamMessageWriter(process.stdin));
    this.#connection.onRequest((method, params) =>
      method === 'workspace/configuration' ? (params as { items: readonly unknown[] }).items.map(() => SETTINGS) : null,
    );
    this.#connection.onError(() => this.#kill());
    this.#connection.onClose(() => this.#kill());
    this.#connection.listen();
    process.on('error', (error) => this.#stop(error.message));
    process.on('exit', (code, signal) => this.#stop(signal ?? `code ${code}`));
    // `close` comes also when the program could not be started.
    this.#ended = once(process, 'close').catch(() => undefined);
  }

  /** Undefined when the process could not be started. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  get isRunning(): boolean {
    return !this.#stopped.signal.aborted;
  }

  /**
   * Sends a request and waits for the response. When the signal aborts, the request is cancelled and not awaited.
   *
   * @throws TypeServiceError when the response is an error, or the server ended; the signal's reason
   */
  async request<T>(method: string, params: unknown, signal: AbortSignal): Promise<T> {
    const stop = AbortSignal.any([signal, this.#stopped.signal]);
    stop.throwIfAborted();
    const cancellation = new CancellationTokenSource();
    this.#countRequest(1);
    try {
      return await waitUnlessAborted(this.#send<T>(method, params, cancellation), stop);
    } finally {
      // After the response, or when the connection is closed, this does nothing.
      cancellation.cancel();
      this.#countRequest(-1);
    }
  }

  /** Sends a notification, unless the server ended. */
  notify(method: string, params: unknown): void {
    const send = async (): Promise<void> => this.#connection.sendNotification(method, params);
    send().catch(() => undefined);
  }

  /** Kills the server: it has nothing to save. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#countRequest(1);
    this.#stop('it was closed');
    this.#kill();
    await this.#ended;
  }

  async #send<T>(method: string, params: unknown, { token }: CancellationTokenSource): Promise<T> {
    try {
      return await this.#connection.sendRequest<T>(method, params, token);
    } catch (error) {
      if (error instanceof ResponseError && !LOCAL_ERRORS.has(error.code)) {
        throw new TypeServiceError('refused', error.message, { cause: error });
      }
      // The connection is broken. The process is killed then, and its exit gives the reason.
      return new Promise<never>(() => undefined);
    }
  }

  #kill(): void {
    this.#connection.dispose();
    this.#process.kill('SIGKILL');
  }

  #stop(how: string): void {
    this.#stopped.abort(new TypeServiceError('stopped', `the TypeScript compiler stopped: ${how}`));
    this.#connection.dispose();
  }

  /** An idle server does not keep our own process alive: when that exits, the server loses its input and ends, too. */
  #countRequest(change: 1 | -1): void {
    const wasIdle = this.#pending === 0;
    this.#pending += change;
    const isIdle = this.#pending === 0;
    if (isIdle === wasIdle) return;
    const { stdin, stdout } = this.#process;
    for (const handle of [this.#process, stdin as unknown as Socket, stdout as unknown as Socket]) {
      if (isIdle) handle.unref();
      else handle.ref();
    }
  }
}
