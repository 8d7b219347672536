import { extname } from 'node:path';
import { FILE_CHANGED, type FileChange, type ModuleFiles } from './module-files.ts';
import { LanguageServer } from './language-server.ts';
import {
  isRefused,
  type Location,
  type Position,
  type PulledDiagnostics,
  toUri,
  type WorkspaceEdit,
} from './language-protocol.ts';
import { readProjectFacts, type ProjectFacts } from './project-facts.ts';

/** The surroundings of a query about types. */
export interface TypeQuery {
  readonly session: CompilerSession;
  readonly files: ModuleFiles;
  readonly signal: AbortSignal;
}

export interface FilePosition {
  readonly file: string;
  readonly position: Position;
}

/** A place in a file, an absolute path, by characters in UTF-16. */
export interface SymbolPlace {
  readonly file: string;
  readonly offset: number;
}

/** A symbol, and where it is declared. */
export interface FoundSymbol {
  readonly name: string;
  /** The place of its declaration. */
  readonly at: FilePosition;
  /** Place keys; more than one for overloads and merged declarations. */
  readonly declarations: ReadonlySet<string>;
}

/** A type error or a syntax error in a file, an absolute path. Lines and columns count from 1. */
export interface SourceDiagnostic {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** Number of the message: 2322 is written TS2322. */
  readonly code: number;
  /** May have several lines. */
  readonly message: string;
}

/** Texts of files, by path, that the compiler uses instead of what is on disk. */
export type Texts = ReadonlyMap<string, string>;

const ERROR = 1;

const LANGUAGES: Readonly<Record<string, string>> = {
  '.tsx': 'typescriptreact',
  '.jsx': 'javascriptreact',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
};

/** A running compiler with the documents that are open in it, and a cache of its responses. */
export class CompilerSession {
  readonly server: LanguageServer;
  /** The errors of files as they are on disk: a cache. */
  readonly errorsOnDisk = new Map<string, readonly SourceDiagnostic[]>();
  readonly #open = new Map<string, string>();
  readonly #configs = new Map<string, string>();
  readonly #facts = new Map<string, ProjectFacts>();
  #version = 0;

  /** @throws TypeServiceError when the compiler does not run */
  static async start(folder: string, signal: AbortSignal): Promise<CompilerSession> {
    return new CompilerSession(await LanguageServer.start(folder, signal));
  }

  constructor(server: LanguageServer) {
    this.server = server;
  }

  /** Gives files these texts from now on; all others are as on disk. */
  show(texts: Texts): void {
    for (const file of this.#open.keys()) {
      if (texts.has(file)) continue;
      this.#open.delete(file);
      this.server.notify('textDocument/didClose', { textDocument: { uri: toUri(file) } });
    }
    for (const [file, text] of texts) this.#openDocument(file, text.replace(/^\uFEFF/, ''));
  }

  /** Makes the compiler read files again. */
  refresh(changes: readonly FileChange[]): void {
    if (changes.length === 0) return;
    this.errorsOnDisk.clear();
    const all = changes.map(({ file, type }) => ({ uri: toUri(file), type }));
    this.server.notify('workspace/didChangeWatchedFiles', { changes: all });
    // Which files belong to a project depends on the files that exist and on settings.
    if (changes.every(({ file, type }) => type === FILE_CHANGED && !file.endsWith('.json'))) return;
    this.#configs.clear();
    this.#facts.clear();
  }

  /** The tsconfig.json that applies to a file; undefined when none does. */
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

  /** The errors of a file; undefined when the compiler cannot check it. */
  async errorsOf(file: string, signal: AbortSignal): Promise<readonly SourceDiagnostic[] | undefined> {
    const params = { textDocument: { uri: toUri(file) } };
    const pulled = await this.#tryRequest<PulledDiagnostics>('textDocument/diagnostic', params, signal);
    if (pulled === undefined) return undefined;
    const errors = pulled.items?.filter(({ severity }) => severity === ERROR) ?? [];
    return errors.map(({ range: { start }, code, message }) => ({
      file,
      line: start.line + 1,
      column: start.character + 1,
      code: Number(code),
      message,
    }));
  }

  /** Where the symbol at a position is declared. */
  async definitions(at: FilePosition, signal: AbortSignal): Promise<readonly Location[]> {
    type Response = readonly Location[] | Location | null;
    return [(await this.server.request<Response>('textDocument/definition', paramsOf(at), signal)) ?? []].flat();
  }

  /** Everywhere that the symbol at a position is named, its declaration included. */
  async references(at: FilePosition, signal: AbortSignal): Promise<Location[]> {
    const params = { ...paramsOf(at), context: { includeDeclaration: true } };
    return (await this.server.request<Location[] | null>('textDocument/references', params, signal)) ?? [];
  }

  /** The edits that rename the symbol at a position. */
  async rename(at: FilePosition, newName: string, signal: AbortSignal): Promise<WorkspaceEdit> {
    const params = { ...paramsOf(at), newName };
    return (await this.server.request<WorkspaceEdit | null>('textDocument/rename', params, signal)) ?? {};
  }

  /** Undefined when the response is an error. */
  async #tryRequest<T>(method: string, params: unknown, signal: AbortSignal): Promise<T | undefined> {
    try {
      return await this.server.request<T>(method, params, signal);
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
      this.server.notify('textDocument/didOpen', { textDocument: { ...document, languageId, text } });
    } else {
      this.server.notify('textDocument/didChange', { textDocument: document, contentChanges: [{ text }] });
    }
  }
}

function paramsOf({ file, position }: FilePosition): object {
  return { textDocument: { uri: toUri(file) }, position };
}
