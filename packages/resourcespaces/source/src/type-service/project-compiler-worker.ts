import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type { SourceDiagnostic } from './compiler-session.ts';
import { FILE_CHANGED, FILE_CREATED, type FileChange } from './module-files.ts';
import type { CompilerReply, CompilerRequest } from './project-compiler.ts';
import { isSourcePath, type ProjectFacts, type ProjectProblem } from './project-facts.ts';

// A separate process that runs one published version of TypeScript, the one that a project has installed. Its arguments
// are the path of that library, the hash that its text must have, and the folder of the project.

const [, , libraryFile = '', hash = '', root = ''] = process.argv;

// The parts of the TypeScript API that are used here; they are the same from version 5.3 to 6.0.

interface Diagnostic {
  readonly category: number;
  readonly code: number;
  readonly start?: number;
  readonly file?: {
    readonly fileName: string;
    getLineAndCharacterOfPosition: (position: number) => { line: number; character: number };
  };
  readonly messageText: unknown;
}

interface LanguageService {
  getSyntacticDiagnostics: (file: string) => readonly Diagnostic[];
  getSemanticDiagnostics: (file: string) => readonly Diagnostic[];
  getProgram: () => { readonly getOptionsDiagnostics: () => readonly Diagnostic[] };
}

interface Project {
  readonly projectKind: number;
  getProjectName: () => string;
  getAllProjectErrors: () => readonly Diagnostic[];
  getLanguageService: () => LanguageService;
  getFileNames: (withoutLibraries: boolean, withoutSettings: boolean) => readonly string[];
}

interface ProjectService {
  openClientFile: (file: string, text?: string, kind?: undefined, root?: string) => void;
  closeClientFile: (file: string) => void;
  getDefaultProjectForFile: (file: string, ensure: boolean) => Project | undefined;
  findProject: (name: string) => Project | undefined;
}

interface Watcher {
  readonly path: string;
  readonly run: (file: string, event: number) => void;
}

interface TypeScript {
  readonly version: string;
  readonly sys: Readonly<Record<string, unknown>> & {
    readonly useCaseSensitiveFileNames: boolean;
    readonly fileExists: (file: string) => boolean;
    readonly readFile: (file: string, encoding?: string) => string | undefined;
    readonly getCurrentDirectory: () => string;
    readonly realpath: (path: string) => string;
  };
  readonly matchFiles: (...args: readonly unknown[]) => readonly string[];
  readonly flattenDiagnosticMessageText: (message: unknown, newLine: string) => string;
  readonly server: {
    readonly ProjectKind: { readonly Configured: number };
    readonly ProjectService: new (options: object) => ProjectService;
    readonly nullTypingsInstaller: object;
  };
}

const ERROR = 1;

/** Loads TypeScript from a verified text, which can load only modules of Node, none of the project. */
function loadTypeScript(): TypeScript {
  const text = readFileSync(libraryFile);
  if (createHash('sha256').update(text).digest('hex') !== hash) throw new Error('this TypeScript was changed');
  const require = createRequire(import.meta.url);
  const requireBuiltin = (name: string): unknown => {
    if (!isBuiltin(name)) throw new Error(`no module ${name}`);
    return require(name);
  };
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  const module = { exports: {} };
  const run = compileFunction(text.toString(), parameters, { filename: libraryFile }) as (...args: unknown[]) => void;
  run(module.exports, requireBuiltin, module, libraryFile, dirname(libraryFile));
  return module.exports as TypeScript;
}

/** The projects as the compiler sees them: the files on disk, with other texts for some of them. */
class Projects {
  readonly #ts: TypeScript;
  readonly #service: ProjectService;
  readonly #texts = new Map<string, string>();
  readonly #open = new Set<string>();
  readonly #files = new Set<Watcher>();
  readonly #folders = new Set<Watcher>();
  #later: (() => void)[] = [];

  constructor(ts: TypeScript) {
    this.#ts = ts;
    this.#service = new ts.server.ProjectService({
      host: this.#createHost(),
      logger: SILENT,
      cancellationToken: { isCancellationRequested: () => false },
      useSingleInferredProject: false,
      useInferredProjectPerProjectRoot: true,
      // Otherwise packages with types are installed from the network.
      typingsInstaller: ts.server.nullTypingsInstaller,
      suppressDiagnosticEvents: true,
    });
  }

  show(texts: readonly (readonly [string, string])[]): void {
    const next = new Map(texts);
    const before = [...this.#texts.keys()].filter((file) => !next.has(file));
    for (const file of before) {
      this.#texts.delete(file);
      this.#close(file);
      if (!this.#ts.sys.fileExists(file)) this.#announce(file, 'deleted');
    }
    const created = [...next.keys()].filter((file) => !this.#texts.has(file) && !this.#ts.sys.fileExists(file));
    // A project is loaded with the first file that is opened, and has to see all texts then.
    for (const [file, text] of next) this.#texts.set(file, text);
    for (const file of created) this.#announce(file, 'created');
    for (const [file, text] of next) {
      this.#open.add(file);
      this.#service.openClientFile(file, text, undefined, root);
    }
    this.#runLater();
  }

  refresh(changes: readonly FileChange[]): void {
    for (const { file, type } of changes) {
      if (!this.#texts.has(file)) this.#close(file);
      this.#announce(file, type === FILE_CREATED ? 'created' : type === FILE_CHANGED ? 'changed' : 'deleted');
    }
    this.#runLater();
  }

  configOf(file: string): string | undefined {
    return this.#projectOf(file)?.getProjectName();
  }

  errorsOf(file: string): readonly SourceDiagnostic[] | undefined {
    const project = this.#projectOf(file, true);
    if (project === undefined) return undefined;
    const service = project.getLanguageService();
    const found = [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)];
    return found.flatMap((one) => (one.category === ERROR ? [{ ...this.#place(one), file }] : []));
  }

  factsOf(config: string): ProjectFacts {
    const project = this.#service.findProject(config);
    if (project === undefined) return { files: [], problems: [] };
    const program = project.getLanguageService().getProgram();
    const found = [...project.getAllProjectErrors(), ...program.getOptionsDiagnostics()];
    const problems = found.flatMap((one): ProjectProblem[] => {
      if (one.category !== ERROR) return [];
      const { line, column: _column, ...rest } = this.#place(one);
      return [{ ...rest, file: one.file?.fileName ?? config, ...(one.file !== undefined && { line }) }];
    });
    return { files: project.getFileNames(true, true).filter(isSourcePath), problems };
  }

  /** Returns the project of a file; undefined when it has no settings and `anyKind` is not set. */
  #projectOf(file: string, anyKind = false): Project | undefined {
    if (!this.#open.has(file)) {
      if (!this.#ts.sys.fileExists(file)) return undefined;
      this.#open.add(file);
      this.#service.openClientFile(file, undefined, undefined, root);
      this.#runLater();
    }
    const project = this.#service.getDefaultProjectForFile(file, true);
    return anyKind || project?.projectKind === this.#ts.server.ProjectKind.Configured ? project : undefined;
  }

  #close(file: string): void {
    if (this.#open.delete(file)) this.#service.closeClientFile(file);
  }

  #place({ file, start, code, messageText }: Diagnostic) {
    const { line, character } = file?.getLineAndCharacterOfPosition(start ?? 0) ?? { line: 0, character: 0 };
    const message = this.#ts.flattenDiagnosticMessageText(messageText, '\n');
    return { line: line + 1, column: character + 1, code, message };
  }

  /** Runs the watchers that a change affects, with TypeScript's event numbers. */
  #announce(file: string, event: keyof typeof EVENTS): void {
    for (const { path, run } of this.#files) if (path === file) run(file, EVENTS[event]);
    if (event === 'changed') return;
    for (const { path, run } of this.#folders) if (file.startsWith(`${path}/`)) run(file, EVENTS[event]);
  }

  #runLater(): void {
    for (const work of this.#takeLater()) work();
  }

  *#takeLater(): Generator<() => void> {
    for (let work = this.#later.shift(); work !== undefined; work = this.#later.shift()) yield work;
  }

  #createHost(): object {
    const { sys } = this.#ts;
    const defer = (work: (...args: unknown[]) => void, ...given: unknown[]) => {
      const run = () => work(...given);
      this.#later.push(run);
      return run;
    };
    const cancel = (run: () => void): void => void (this.#later = this.#later.filter((other) => other !== run));
    return {
      ...sys,
      watchFile: watchWith(this.#files),
      watchDirectory: watchWith(this.#folders),
      setTimeout: (work: () => void, _ms: number, ...given: unknown[]) => defer(work, ...given),
      clearTimeout: cancel,
      setImmediate: defer,
      clearImmediate: cancel,
      // A check writes nothing, and plugins of a project would be code of the project.
      writeFile: () => undefined,
      require: () => ({ module: undefined, error: { message: 'plugins are not loaded' } }),
      fileExists: (file: string) => this.#texts.has(file) || sys.fileExists(file),
      readFile: (file: string, encoding?: string) => this.#texts.get(file) ?? sys.readFile(file, encoding),
      readDirectory: (folder: string, ...patterns: readonly unknown[]) => this.#listFiles(folder, patterns),
    };
  }

  #listFiles(folder: string, [extensions, exclude, include, depth]: readonly unknown[]): readonly string[] {
    const { sys, matchFiles } = this.#ts;
    const where = [sys.useCaseSensitiveFileNames, sys.getCurrentDirectory(), depth];
    const list = (path: string) => this.#listFolder(path);
    return matchFiles(folder, extensions, exclude, include, ...where, list, sys.realpath);
  }

  #listFolder(folder: string) {
    const added = [...this.#texts.keys()].filter((file) => dirname(file) === folder).map((file) => basename(file));
    const files = new Set(added);
    const directories: string[] = [];
    try {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (entry.isDirectory()) directories.push(entry.name);
        else if (entry.isFile() || this.#ts.sys.fileExists(join(folder, entry.name))) files.add(entry.name);
      }
    } catch {
      // A folder that cannot be read has no files.
    }
    return { files: [...files].toSorted(), directories: directories.toSorted() };
  }
}

/** Returns a function for the host that adds watchers to a set; they run when a change is announced. */
function watchWith(watchers: Set<Watcher>) {
  return (path: string, run: Watcher['run']) => {
    const watcher = { path, run };
    watchers.add(watcher);
    return { close: () => watchers.delete(watcher) };
  };
}

const EVENTS = { created: 0, changed: 1, deleted: 2 } as const;

const nothing = (): undefined => undefined;
const no = (): boolean => false;
const SILENT = {
  close: nothing,
  hasLevel: no,
  loggingEnabled: no,
  perftrc: nothing,
  info: nothing,
  startGroup: nothing,
  endGroup: nothing,
  msg: nothing,
  getLogFileName: nothing,
};

const projects = new Projects(loadTypeScript());
process.on('disconnect', () => process.exit());
process.on('message', (request: CompilerRequest) => {
  if (request.type === 'show') projects.show(request.texts);
  else if (request.type === 'refresh') projects.refresh(request.changes);
  else process.send?.(reply(request));
});
process.send?.({ id: 0 } satisfies CompilerReply);

function reply({ id, type, file }: Exclude<CompilerRequest, { type: 'show' | 'refresh' }>): CompilerReply {
  try {
    return { id, value: projects[type](file) };
  } catch (error) {
    return { id, error: String(error) };
  }
}
