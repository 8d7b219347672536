import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitUnlessAborted } from '@bae/core';
import type { SourceDiagnostic, Texts, TypeChecker } from './compiler-session.ts';
import { TypeServiceError } from './language-protocol.ts';
import { isAboutHidden } from './hidden-texts.ts';
import type { FileChange } from './module-files.ts';
import { makeEnvironment, type ProjectFacts } from './project-facts.ts';

/**
 * SHA-256 of `lib/typescript.js` in each published version. Only these texts run, because otherwise the compiler in a
 * project's folder would be code of the project. Versions before 5.3 lack a required part; version 7 is the compiler
 * that is installed with this package.
 */
const PUBLISHED: Readonly<Record<string, string>> = {
  '5.3.2': 'ef52bf644680ee9efd6e0aa311be5b5f5b94fa24a6f0753b75ce882f0ab5d8dc',
  '5.3.3': 'a465a98e2fcb650a7b0d7ec63f3e15bc0eeb7e447e043bfa72c4109015d5e7c5',
  '5.4.2': '7a174debaefc976b08f28451348b4dd7147c7a84930f3bd2788c9878b0374a7e',
  '5.4.3': 'd11c5c5a6f68774af19d1fc9d2c9aa3bb179d0bb2a78458a1ccf16638614443e',
  '5.4.4': '1b31cabc32e6466d1131de6c8d4375101abd4c483bb92526f4897eae7f69c86e',
  '5.4.5': 'd4eeb6e18a598a21aa0a5c09a52270856e4b23bd31d9c7c60ab80a22b275b07b',
  '5.5.2': '99443f51ec16c0744880ee28b500544b88479a95b14d996f7e874a2ac54ca201',
  '5.5.3': 'ca9c31cc67103c00cf5a605454ee5bfcec71a01b82fb47d53b4391553ac36f2a',
  '5.5.4': 'f7ff3e27aafe5dcc82d0307575e9a7dc5b053b141da123bec81c858537765b56',
  '5.6.2': '91a020fd612f83f8b6107ad5252f35a5c724f95bc274915048aa091e90d4bde5',
  '5.6.3': 'f316520790d4db220a10d890c5f85310e26a1bd3c104b8d3b5eb62ba0491651b',
  '5.7.2': '9e2becd9f76b5b1048ff907b824c61cc164efcfbe1e3b34681c20b9adc912d3a',
  '5.7.3': '0fba5508ecbe50cd00a45f132a76582fb22a4ec55769fd3d794fd0e026f9fb67',
  '5.8.2': '795e49e46d497cc16e4b02916b50cbca257b4256d62cddc4cc504103f7961027',
  '5.8.3': 'dd17428736a07e1db1a138d8a14295ddb2699ba780ee15038acdd2c6da5373a0',
  '5.9.2': 'e5f1f6b3e82228a89873cc7b941b2465185e839c0692860f83e3e63e53f94c2b',
  '5.9.3': '3ae902c92cc44dace175c0e69e13a4b0899f6983c6121d76b9ab8dd5795e7675',
  '6.0.2': '630f808ac32d968a49a392c42cc06fd72abd939aaa7edfe3302810c067934653',
  '6.0.3': '569177652966bd528c319171c7dd22860dbf72bde116cbc4f644f1d02bb12e39',
};

/** A TypeScript library that a project has installed, identified by its published hash. */
export interface CompilerLibrary {
  readonly version: string;
  readonly file: string;
  readonly hash: string;
}

/** Finds the version of TypeScript that the folder has installed, and the library if that version can be used. */
export async function findProjectLibrary(folder: string) {
  const place = join(folder, 'node_modules/typescript');
  try {
    const { version } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as {
      readonly version?: unknown;
    };
    if (typeof version !== 'string' || !/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) return undefined;
    const hash = Object.hasOwn(PUBLISHED, version) ? PUBLISHED[version] : undefined;
    return {
      version,
      ...(hash !== undefined && { library: { version, file: join(place, 'lib/typescript.js'), hash } }),
    };
  } catch {
    return undefined;
  }
}

/** A request to the process of a compiler; requests with an id get a reply. */
export type CompilerRequest =
  | { readonly type: 'show'; readonly texts: readonly (readonly [string, string])[] }
  | { readonly type: 'refresh'; readonly changes: readonly FileChange[] }
  | { readonly type: 'configOf' | 'factsOf' | 'errorsOf'; readonly id: number; readonly file: string };

/** A reply; id 0 means that the compiler is loaded. */
export interface CompilerReply {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** Maximum heap size of the compiler, in megabytes: large projects need more than Node's default. */
const HEAP = 4096;

/** Checks types with a version of TypeScript that the project has installed, in a separate process. */
export class ProjectCompiler implements TypeChecker, AsyncDisposable {
  readonly version: string;
  readonly errorsOnDisk = new Map<string, readonly SourceDiagnostic[]>();
  readonly #process: ChildProcess;
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #ended: Promise<unknown>;
  #requests = 0;
  #hidden: Texts = new Map();
  #isRunning = true;

  /** @throws TypeServiceError when the library does not have its published text, or does not run */
  static async start(library: CompilerLibrary, folder: string, signal: AbortSignal): Promise<ProjectCompiler> {
    const compiler = new ProjectCompiler(library, folder);
    try {
      await compiler.#wait(0, signal);
      return compiler;
    } catch (error) {
      await compiler[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor({ version, file, hash }: CompilerLibrary, folder: string) {
    this.version = version;
    this.#process = fork(locateCompilerWorker(), [file, hash, folder], {
      cwd: dirname(file),
      env: makeEnvironment(),
      execArgv: [`--max-old-space-size=${HEAP}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#process.on('message', (reply: CompilerReply) => this.#settle(reply));
    this.#process.on('error', (error) => this.#stop(error.message));
    this.#process.on('exit', (code, signal) => this.#stop(signal ?? `code ${code}`));
    this.#ended = once(this.#process, 'exit').catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  hide(texts: Texts): void {
    this.#hidden = texts;
    this.show(new Map());
  }

  show(shown: Texts): void {
    const texts = new Map([...shown, ...this.#hidden]);
    this.#send({ type: 'show', texts: [...texts].map(([file, text]) => [file, text.replace(/^\uFEFF/, '')]) });
  }

  refresh(changes: readonly FileChange[]): void {
    if (changes.length === 0) return;
    this.errorsOnDisk.clear();
    this.#send({ type: 'refresh', changes });
  }

  configOf(file: string, signal: AbortSignal): Promise<string | undefined> {
    return this.#request<string | undefined>('configOf', file, signal);
  }

  factsOf(config: string, signal: AbortSignal): Promise<ProjectFacts> {
    return this.#request<ProjectFacts>('factsOf', config, signal);
  }

  async errorsOf(file: string, signal: AbortSignal): Promise<readonly SourceDiagnostic[] | undefined> {
    const all = await this.#request<readonly SourceDiagnostic[] | undefined>('errorsOf', file, signal);
    return this.#hidden.size === 0 ? all : all?.filter((error) => !isAboutHidden(error));
  }

  /** Kills the compiler: it has nothing to save. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.ref();
    if (this.#isRunning) this.#process.kill('SIGKILL');
    this.#stop('it was closed');
    await this.#ended;
  }

  #request<T>(type: 'configOf' | 'factsOf' | 'errorsOf', file: string, signal: AbortSignal): Promise<T> {
    const id = ++this.#requests;
    const result = this.#wait(id, signal) as Promise<T>;
    this.#send({ type, id, file });
    return result;
  }

  async #wait(id: number, signal: AbortSignal): Promise<unknown> {
    const waiting = Promise.withResolvers<unknown>();
    this.#pending.set(id, waiting);
    if (!this.#isRunning) this.#stop('it was closed');
    this.#hold();
    return waitUnlessAborted(waiting.promise, signal);
  }

  #send(request: CompilerRequest): void {
    if (this.#isRunning && this.#process.connected) this.#process.send(request, () => undefined);
  }

  #settle({ id, value, error }: CompilerReply): void {
    const waiting = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) waiting?.resolve(value);
    else waiting?.reject(new TypeServiceError('refused', error));
    this.#hold();
  }

  #stop(how: string): void {
    this.#isRunning = false;
    const all = [...this.#pending.values()];
    this.#pending.clear();
    const text = `the project's TypeScript ${this.version} stopped: ${how}`;
    for (const { promise, reject } of all) {
      // The promise may have no handler.
      promise.catch(() => undefined);
      reject(new TypeServiceError('stopped', text));
    }
  }

  /** Keeps this process alive only while requests are pending: when it exits, an idle compiler ends, too. */
  #hold(): void {
    for (const handle of [this.#process, this.#process.channel]) {
      if (this.#pending.size === 0) handle?.unref();
      else handle?.ref();
    }
  }
}

function locateCompilerWorker(): string {
  const name = import.meta.url.endsWith('.ts') ? './project-compiler-worker.ts' : './project-compiler-worker.js';
  return fileURLToPath(new URL(name, import.meta.url));
}
