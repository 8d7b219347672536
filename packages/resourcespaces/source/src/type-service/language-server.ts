import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { compilerEnvironment } from './compiler-environment.ts';
import { compilerPath } from './compiler-path.ts';
import { uriOf } from './language-protocol.ts';
import { RpcConnection } from './rpc-connection.ts';
import { TypeServiceError } from './type-service-error.ts';

const CAPABILITIES = { workspace: { configuration: true } };

/** Asked for by the server for each of its sections; the same for all. */
const SETTINGS = {
  // Otherwise the server installs packages of types from the network.
  disableAutomaticTypeAcquisition: true,
  tsserver: { automaticTypeAcquisition: { enabled: false } },
  preferences: { useAliasesForRenames: true },
  // Otherwise what a project forbids, such as names that are not used, would be no error.
  reportStyleChecksAsWarnings: false,
};

/** A running TypeScript compiler that answers questions about the files below a folder. */
export class LanguageServer implements AsyncDisposable {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #connection: RpcConnection;
  readonly #ended: Promise<unknown>;

  /**
   * Starts a compiler.
   *
   * @throws TypeServiceError when there is none, or when it does not run
   */
  static async start(folder: string, signal: AbortSignal): Promise<LanguageServer> {
    const server = new LanguageServer(folder);
    const folders = [{ uri: uriOf(folder), name: 'workspace' }];
    const params = { processId: process.pid, rootUri: uriOf(folder), workspaceFolders: folders };
    try {
      await server.request('initialize', { ...params, capabilities: CAPABILITIES }, signal);
      server.notify('initialized', {});
      return server;
    } catch (error) {
      await server[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(folder: string) {
    const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
    this.#process = spawn(compilerPath(), ['--lsp', '--stdio'], { cwd: folder, env: compilerEnvironment(), stdio });
    const { stdin: output, stdout: input } = this.#process;
    // Then it has ended, or soon has: what ended it is told by its exit.
    const unreachable = (): unknown => this.#process.kill('SIGKILL');
    this.#connection = new RpcConnection({ input, output, answer, unreachable, busy: (isBusy) => this.#hold(isBusy) });
    this.#process.on('error', (error) => this.#connection.close(stopped(error.message)));
    this.#process.on('exit', (code, signal) => this.#connection.close(stopped(signal ?? `code ${code}`)));
    // `close` comes also when the program could not be started.
    this.#ended = once(this.#process, 'close').catch(() => undefined);
  }

  /** Number of the process; undefined when it could not be started. */
  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** True as long as questions can be asked. */
  get alive(): boolean {
    return this.#connection.closed === undefined;
  }

  /**
   * Asks one question of the protocol.
   *
   * @throws RpcError when the server has no answer; TypeServiceError when it ended; the signal's reason
   */
  request<T>(method: string, params: unknown, signal: AbortSignal): Promise<T> {
    return this.#connection.request<T>(method, params, signal);
  }

  /** Tells the server something. */
  notify(method: string, params: unknown): void {
    this.#connection.notify(method, params);
  }

  /** Ends the server at once: it has nothing to save. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.close(stopped('it was closed'));
    this.#hold(true);
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  /** An idle server does not keep our own process from ending; its input then closes, and it ends too. */
  #hold(isBusy: boolean): void {
    const { stdin, stdout } = this.#process;
    for (const handle of [this.#process, stdin as unknown as Socket, stdout as unknown as Socket]) {
      if (isBusy) handle.ref();
      else handle.unref();
    }
  }
}

function answer(method: string, params: unknown): unknown {
  if (method !== 'workspace/configuration') return null;
  return (params as { readonly items: readonly unknown[] }).items.map(() => SETTINGS);
}

function stopped(how: string): TypeServiceError {
  return new TypeServiceError('stopped', `the TypeScript compiler stopped: ${how}`);
}
