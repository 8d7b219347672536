import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { extname } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { waitUnlessAborted } from '@bae/core';
import {
  CancellationTokenSource,
  createMessageConnection,
  ErrorCodes,
  type MessageConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import {
  type FilePosition,
  isRefused,
  type Location,
  type PulledDiagnostics,
  toPlace,
  toUri,
  TypeServiceError,
  type WorkspaceEdit,
} from './language-protocol.ts';
import { isAboutHidden } from './hidden-texts.ts';
import { FILE_CHANGED, type FileChange, type ModuleFiles, type TextCache } from './module-files.ts';
import {
  findCompiler,
  getCompilerVersion,
  makeEnvironment,
  type ProjectFacts,
  readProjectFacts,
} from './project-facts.ts';

/** A compiler that can check types: the one of this package, or one that the project has installed. */
export interface TypeChecker {
  /** Version of TypeScript. */
  readonly version: string;
  /** Cache of the errors of files on disk. */
  readonly errorsOnDisk: Map<string, readonly SourceDiagnostic[]>;
  /** Replaces the texts of files; all others have their content on disk, or are hidden. */
  show: (texts: Texts) => void;
  /** Sets the texts of files whose content is never shown. */
  hide: (texts: Texts) => void;
  /** The settings that apply to a file; undefined when there are none. */
  configOf: (file: string, signal: AbortSignal) => Promise<string | undefined>;
  factsOf: (config: string, signal: AbortSignal) => Promise<ProjectFacts>;
  /** The errors of a file; undefined when the compiler cannot check it. */
  errorsOf: (file: string, signal: AbortSignal) => Promise<readonly SourceDiagnostic[] | undefined>;
}

/** The context of a query about types. */
export interface TypeQuery<Compiler extends TypeChecker = CompilerSession> {
  readonly session: Compiler;
  /** The version of TypeScript that the project has installed. */
  readonly installed: string | undefined;
  readonly files: ModuleFiles;
  /** The texts of the files that the query has read. */
  readonly texts: TextCache;
  readonly signal: AbortSignal;
}

/** A position in a file (an absolute path), with an offset in UTF-16 code units. */
export interface SymbolPlace {
  readonly file: string;
  readonly offset: number;
}

/** A symbol, and the place of its declaration. */
export interface FoundSymbol {
  readonly name: string;
  readonly at: FilePosition;
  /** Place keys; more than one for overloads and merged declarations. */
  readonly declarations: ReadonlySet<string>;
}

/** A type error or a syntax error in a file (an absolute path). Lines and columns count from 1. */
export interface SourceDiagnostic {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Number of the message; 2322 is written as TS2322. */
  readonly code: number;
  /** Message, possibly with several lines. */
  readonly message: string;
  /** The line without the blanks around it, once the text is known. */
  readonly lineText?: string;
}

/** Texts of files, by path, that the compiler uses instead of their content on disk. */
export type Texts = ReadonlyMap<string, string>;

const CAPABILITIES = { workspace: { configuration: true } };

/** The server requests these once for each section of its settings. */
const SETTINGS = {
  // Otherwise the server installs packages of types from the network.
  disableAutomaticTypeAcquisition: true,
  tsserver: { automaticTypeAcquisition: { enabled: false } },
  preferences: { useAliasesForRenames: true },
  // Otherwise errors that the settings of a project request, such as unused names, are only warnings.
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
  static async start<T extends LanguageServer>(
    this: new (process: ServerProcess) => T,
    folder: string,
    signal: AbortSignal,
  ): Promise<T> {
    const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
    const options = { cwd: folder, env: makeEnvironment(), stdio };
    const server = new this(spawn(findCompiler(), ['--lsp', '--stdio'], options));
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
    // `close` is also emitted when the program could not be started.
    this.#ended = once(process, 'close').catch(() => undefined);
  }

  /** Process id; undefined when the process could not be started. */
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

  /**
   * Keeps this process alive only while requests are pending: when it exits, an idle server loses its input and ends,
   * too.
   */
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

const ERROR = 1;

const LANGUAGES: Readonly<Record<string, string>> = {
  '.tsx': 'typescriptreact',
  '.jsx': 'javascriptreact',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
};

/** A running compiler with the documents that are open in it, and a cache of its responses. */
export class CompilerSession extends LanguageServer implements TypeChecker {
  readonly version = getCompilerVersion();
  readonly errorsOnDisk = new Map<string, readonly SourceDiagnostic[]>();
  readonly #open = new Map<string, string>();
  readonly #configs = new Map<string, string>();
  readonly #facts = new Map<string, ProjectFacts>();
  #version = 0;
  #hidden: Texts = new Map();

  hide(texts: Texts): void {
    this.#hidden = texts;
    this.show(new Map());
  }

  show(shown: Texts): void {
    const texts = new Map([...shown, ...this.#hidden]);
    for (const file of this.#open.keys()) {
      if (texts.has(file)) continue;
      this.#open.delete(file);
      this.notify('textDocument/didClose', { textDocument: { uri: toUri(file) } });
    }
    for (const [file, text] of texts) this.#openDocument(file, text.replace(/^\uFEFF/, ''));
  }

  /** Tells the compiler to read changed files again. */
  refresh(changes: readonly FileChange[]): void {
    if (changes.length === 0) return;
    this.errorsOnDisk.clear();
    const all = changes.map(({ file, type }) => ({ uri: toUri(file), type }));
    this.notify('workspace/didChangeWatchedFiles', { changes: all });
    // The files that belong to a project depend on the existing files and on settings.
    if (changes.every(({ file, type }) => type === FILE_CHANGED && !file.endsWith('.json'))) return;
    this.#configs.clear();
    this.#facts.clear();
  }

  async configOf(file: string, signal: AbortSignal): Promise<string | undefined> {
    const known = this.#configs.get(file);
    if (known !== undefined) return known;
    const params = { textDocument: { uri: toUri(file) } };
    const info = await this.#tryRequest<{ readonly configFilePath?: string }>('custom/projectInfo', params, signal);
    const config = info?.configFilePath === '' ? undefined : info?.configFilePath;
    if (config !== undefined) this.#configs.set(file, config);
    return config;
  }

  async factsOf(config: string, signal: AbortSignal): Promise<ProjectFacts> {
    const facts = this.#facts.get(config) ?? (await readProjectFacts(config, signal));
    this.#facts.set(config, facts);
    return facts;
  }

  async errorsOf(file: string, signal: AbortSignal): Promise<readonly SourceDiagnostic[] | undefined> {
    const params = { textDocument: { uri: toUri(file) } };
    const pulled = await this.#tryRequest<PulledDiagnostics>('textDocument/diagnostic', params, signal);
    if (pulled === undefined) return undefined;
    const errors = pulled.items?.filter(({ severity }) => severity === ERROR) ?? [];
    const all = errors.map(({ range: { start }, code, message }) => ({
      file,
      line: start.line + 1,
      column: start.character + 1,
      code: Number(code),
      message,
    }));
    return this.#hidden.size === 0 ? all : all.filter((error) => !isAboutHidden(error));
  }

  async definitions(at: FilePosition, signal: AbortSignal): Promise<readonly FilePosition[]> {
    type Response = readonly Location[] | Location | null;
    const found = await this.request<Response>('textDocument/definition', paramsOf(at), signal);
    return [found ?? []].flat().map(toPlace);
  }

  /** Finds all places that name the symbol at a position, including its declaration. */
  async references(at: FilePosition, signal: AbortSignal): Promise<readonly FilePosition[]> {
    const params = { ...paramsOf(at), context: { includeDeclaration: true } };
    const found = await this.request<Location[] | null>('textDocument/references', params, signal);
    return (found ?? []).map(toPlace);
  }

  /** Finds the places that a rename of the symbol at a position changes, and their new texts. */
  async rename(at: FilePosition, newName: string, signal: AbortSignal) {
    const params = { ...paramsOf(at), newName };
    const edit = await this.request<WorkspaceEdit | null>('textDocument/rename', params, signal);
    return Object.entries(edit?.changes ?? {}).flatMap(([uri, edits]) =>
      edits.map(({ range, newText }) => ({ ...toPlace({ uri, range }), newText })),
    );
  }

  /** Sends a request; returns undefined when the response is an error. */
  async #tryRequest<T>(method: string, params: unknown, signal: AbortSignal): Promise<T | undefined> {
    try {
      return await this.request<T>(method, params, signal);
    } catch (error) {
      if (isRefused(error)) return undefined;
      throw error;
    }
  }

  #openDocument(file: string, text: string): void {
    const before = this.#open.get(file);
    if (before === text) return;
    this.#open.set(file, text);
    const document = { uri: toUri(file), version: ++this.#version };
    const languageId = LANGUAGES[extname(file)] ?? 'typescript';
    if (before === undefined) {
      this.notify('textDocument/didOpen', { textDocument: { ...document, languageId, text } });
    } else {
      this.notify('textDocument/didChange', { textDocument: document, contentChanges: [{ text }] });
    }
  }
}

function paramsOf({ file, position }: FilePosition): object {
  return { textDocument: { uri: toUri(file) }, position };
}
