import { fileOf, uriOf, type Location, type Position, type WorkspaceEdit } from './language-protocol.ts';
import { LanguageServer } from './language-server.ts';
import { OpenDocuments, type Texts } from './open-documents.ts';
import { readProjectFacts, type ProjectFacts } from './project-facts.ts';
import { RpcError } from './rpc-connection.ts';
import type { SourceDiagnostic } from './source-diagnostic.ts';

/** A position in a file. */
export interface FilePosition {
  readonly file: string;
  readonly position: Position;
}

/** Files that are not as they were when the compiler last looked. Absolute paths. */
export interface StaleFiles {
  readonly created?: readonly string[];
  readonly changed?: readonly string[];
  readonly deleted?: readonly string[];
}

/** One running compiler, with what it was told and what is remembered of its answers. */
export class CompilerSession implements AsyncDisposable {
  readonly #server: LanguageServer;
  readonly #documents: OpenDocuments;
  readonly #configs = new Map<string, string>();
  readonly #facts = new Map<string, ProjectFacts>();
  /** The errors of files as they are on disk, as far as they are known. */
  readonly errorsOnDisk = new Map<string, readonly SourceDiagnostic[]>();

  /** @throws TypeServiceError when the compiler does not run */
  static async start(folder: string, signal: AbortSignal): Promise<CompilerSession> {
    return new CompilerSession(await LanguageServer.start(folder, signal));
  }

  private constructor(server: LanguageServer) {
    this.#server = server;
    this.#documents = new OpenDocuments(server);
  }

  get alive(): boolean {
    return this.#server.alive;
  }

  get pid(): number | undefined {
    return this.#server.pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server[Symbol.asyncDispose]();
  }

  /** Asks one question of the protocol. */
  request<T>(method: string, params: unknown, signal: AbortSignal): Promise<T> {
    return this.#server.request<T>(method, params, signal);
  }

  /** From now on these files have these texts, and all others are as on disk. */
  show(texts: Texts): void {
    this.#documents.show(texts);
  }

  /** Lets the compiler look at files again. */
  refresh({ created = [], changed = [], deleted = [] }: StaleFiles): void {
    const all = [created, changed, deleted].flatMap((files, index) =>
      files.map((file) => ({ uri: uriOf(file), type: index + 1 })),
    );
    if (all.length === 0) return;
    this.errorsOnDisk.clear();
    this.#server.notify('workspace/didChangeWatchedFiles', { changes: all });
    // What belongs to a project is decided by its files and by settings.
    if (created.length + deleted.length === 0 && !changed.some((file) => file.endsWith('.json'))) return;
    this.#configs.clear();
    this.#facts.clear();
  }

  /** The tsconfig.json that is in charge of a file; undefined when none is. */
  async configOf(file: string, signal: AbortSignal): Promise<string | undefined> {
    const config = this.#configs.get(file) ?? (await this.#askConfig(file, signal));
    if (config !== undefined) this.#configs.set(file, config);
    return config;
  }

  /** What belongs to a project. */
  async factsOf(config: string, signal: AbortSignal): Promise<ProjectFacts> {
    const facts = this.#facts.get(config) ?? (await readProjectFacts(config, signal));
    this.#facts.set(config, facts);
    return facts;
  }

  /** Where what stands at a position is declared. */
  async definitions(at: FilePosition, signal: AbortSignal): Promise<readonly Location[]> {
    const found = await this.request<readonly Location[] | Location | null>('textDocument/definition', ask(at), signal);
    return found === null ? [] : [found].flat();
  }

  /** Everywhere that what stands at a position is named, its declaration included. */
  async references(at: FilePosition, signal: AbortSignal): Promise<readonly Location[]> {
    const params = { ...ask(at), context: { includeDeclaration: true } };
    return (await this.request<readonly Location[] | null>('textDocument/references', params, signal)) ?? [];
  }

  /** What would have to be changed to call something else what stands at a position. */
  async rename(at: FilePosition, newName: string, signal: AbortSignal): Promise<WorkspaceEdit> {
    return (await this.request<WorkspaceEdit | null>('textDocument/rename', { ...ask(at), newName }, signal)) ?? {};
  }

  async #askConfig(file: string, signal: AbortSignal): Promise<string | undefined> {
    const params = { textDocument: { uri: uriOf(file) } };
    try {
      const info = await this.request<{ readonly configFilePath?: string }>('custom/projectInfo', params, signal);
      return info.configFilePath === '' ? undefined : info.configFilePath;
    } catch (error) {
      if (error instanceof RpcError) return undefined;
      throw error;
    }
  }
}

/** True when two places are one. */
export function samePlace(one: Location, other: Location): boolean {
  const [a, b] = [one.range.start, other.range.start];
  return a.line === b.line && a.character === b.character && fileOf(one.uri) === fileOf(other.uri);
}

function ask({ file, position }: FilePosition): object {
  return { textDocument: { uri: uriOf(file) }, position };
}
