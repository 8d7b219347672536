import { join, relative } from 'node:path';
import { readIfPossible } from '../errors.ts';
import { escapePattern, type WorkspaceRoot } from '@bae/workspace';
import type { ComponentScripts } from '../language/component-outline.ts';
import { findLastAtMost, isCompiled, isComponent } from '../language/outline.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { ModuleIndex } from '../modules/module-index.ts';
import type { Position } from './language-protocol.ts';

/**
 * File pattern of code and settings, and of the build output of packages, which a search leaves out unless it is named.
 */
/** Settings of projects and packages, and data that modules may import. */
export const JSON_FILE = /\.json$/;
const WATCHED = '{**/*,dist/*}.{ts,tsx,mts,cts,js,jsx,mjs,cjs,json}';
/** The files that package managers write after an installation. */
const INSTALLED = 'node_modules/{.modules.yaml,.package-lock.json,.yarn-integrity,.yarn-state.yml}';

/** End of the names that the scripts of components have for the compiler. */
const SCRIPTS = /(?<=\.(?:vue|svelte))\.script\.tsx?$/;

/** Numbers defined by the Language Server Protocol. */
export const FILE_CREATED = 1;
export const FILE_CHANGED = 2;
const FILE_DELETED = 3;

/** A file, by absolute path, that changed on disk since the last check. */
export interface FileChange {
  readonly file: string;
  readonly type: typeof FILE_CREATED | typeof FILE_CHANGED | typeof FILE_DELETED;
}

/** The modules of a project by absolute path, for the type service. */
export class ModuleFiles {
  readonly #root: WorkspaceRoot;
  readonly #index: ModuleIndex;
  #stamps: ReadonlyMap<string, string> | undefined;
  #installed: string | undefined;
  readonly #secrets = new Map<string, boolean>();

  constructor(root: WorkspaceRoot, index: ModuleIndex) {
    this.#root = root;
    this.#index = index;
  }

  get folder(): string {
    return this.#root.folder;
  }

  fileOf(path: string): string {
    return join(this.folder, path);
  }

  /** Returns the path of a file relative to the root, with slashes; that of the component for its scripts. */
  pathOf(file: string): string {
    return relative(this.folder, file).replaceAll('\\', '/').replace(SCRIPTS, '');
  }

  /** Lists the files that a session has changed and that may change the types of others, or were changed back. */
  async changedBy(session: string): Promise<readonly string[]> {
    const own = (await this.#root.operations()).filter((one) => one.session === session).map(({ path }) => path);
    return [...new Set(own)]
      .filter((path) => isCompiled(path) || JSON_FILE.test(path))
      .map((path) => this.fileOf(path));
  }

  /** Returns the text of a file on disk; undefined when it is missing or cannot be read as text. */
  async read(file: string): Promise<string | undefined> {
    const path = this.pathOf(file);
    const text = (await readIfPossible(this.#root.readText(path)))?.text;
    return text === undefined || !SCRIPTS.test(file) ? text : (await loadReader())(text).text;
  }

  catalog(): Promise<CodeCatalog> {
    return this.#index.catalog();
  }

  /** Lists every module that the compiler reads, without built or installed files. */
  async sources(): Promise<readonly string[]> {
    const paths = (await this.catalog()).modules.map(({ path }) => path);
    return paths.filter((path) => isCompiled(path) && !this.#root.isSecret(path)).map((path) => this.fileOf(path));
  }

  /** Finds the modules whose text contains a word. */
  async mentioning(word: string, signal: AbortSignal): Promise<readonly string[]> {
    return (await this.#findPaths(isCompiled, word, signal)).map((path) => this.fileOf(path));
  }

  /**
   * Finds the components whose text contains a word. Their scripts are files for the compiler, which do not exist on
   * disk.
   */
  async components(word: string, signal: AbortSignal): Promise<ReadonlyMap<string, ComponentScripts>> {
    const found = new Map<string, ComponentScripts>();
    for (const path of await this.#findPaths(isComponent, word, signal)) {
      const text = (await readIfPossible(this.#root.readText(path)))?.text;
      if (text === undefined) continue;
      const scripts = (await loadReader())(text);
      found.set(nameScripts(this.fileOf(path), scripts), scripts);
    }
    return found;
  }

  async #findPaths(isWanted: (path: string) => boolean, word: string, signal: AbortSignal) {
    const paths = new Set((await this.catalog()).modules.map(({ path }) => path).filter(isWanted));
    if (paths.size === 0) return [];
    const only = (path: string) => paths.has(path);
    // A rename must not miss any of them.
    const limit = Number.MAX_SAFE_INTEGER;
    const { rows } = await this.#root.grep({
      pattern: escapePattern(word),
      only,
      limit,
      all: true,
      isOwn: true,
      signal,
    });
    return [...new Set(rows.map(({ path }) => path))];
  }

  /**
   * Returns the changes since the last call, none on the first call; `isInstalled` when packages were installed or
   * removed; and the files whose content is shown only with consent.
   */
  async findChanges(signal: AbortSignal) {
    const links: string[] = [];
    const now = await this.#root.stamps({ pattern: WATCHED, all: true, signal, onLink: (link) => links.push(link) });
    const old = this.#stamps ?? now;
    const installed = await this.#readInstallation(signal);
    const isInstalled = this.#installed !== undefined && this.#installed !== installed;
    this.#stamps = now;
    this.#installed = installed;
    const changes = [...new Set([...now.keys(), ...old.keys()])].flatMap((path): readonly FileChange[] => {
      if (old.get(path) === now.get(path)) return [];
      const type = !old.has(path) ? FILE_CREATED : now.has(path) ? FILE_CHANGED : FILE_DELETED;
      return [{ file: this.fileOf(path), type }];
    });
    return { changes, isInstalled, secret: await this.#listSecret([...now.keys()], links, signal) };
  }

  /** Lists the files whose content is shown only with consent, by every path, since the compiler follows links. */
  async #listSecret(paths: readonly string[], links: readonly string[], signal: AbortSignal) {
    const secret = paths.filter((path) => this.#isSecret(path));
    const linked = links.filter((link) => this.#root.followLink(link)?.isSecret === true);
    const folders: string[] = [];
    if (secret.length > 0)
      await this.#root.stamps({
        pattern: '**/*',
        all: true,
        stamped: () => false,
        onLink: (link) => folders.push(link),
        signal,
      });
    const behind = folders.flatMap((link) => {
      const { path: folder } = this.#root.followLink(link) ?? {};
      return folder === undefined
        ? []
        : secret.filter((path) => path.startsWith(`${folder}/`)).map((path) => `${link}${path.slice(folder.length)}`);
    });
    return [...secret, ...linked, ...behind].map((path) => this.fileOf(path));
  }

  /** Tests whether the content of a file, by its absolute path, is shown only with consent. */
  isSecret(file: string): boolean {
    return this.#isSecret(this.pathOf(file));
  }

  #isSecret(path: string): boolean {
    const known = this.#secrets.get(path) ?? this.#root.isSecret(path);
    this.#secrets.set(path, known);
    return known;
  }

  async #readInstallation(signal: AbortSignal): Promise<string> {
    // If a link leads out of the project, installations are not watched.
    const stamps = await readIfPossible(this.#root.stamps({ pattern: INSTALLED, all: true, signal }));
    return [...(stamps ?? [])].flat().join('\n');
  }
}

/** Returns the file that the scripts of a component are for the compiler. */
export function nameScripts(component: string, { hasMarkup }: ComponentScripts): string {
  return `${component}.script.${hasMarkup ? 'tsx' : 'ts'}`;
}

/** Loads the parser of components when the first of them is read. */
async function loadReader() {
  return (await import('../language/component-outline.ts')).readScripts;
}

/** Converts between offsets in a text and lines with columns, all in UTF-16 and from 0. */
export class LineIndex {
  readonly #text: string;
  readonly #starts: number[];

  constructor(text: string) {
    this.#text = text;
    // The compiler does not count a byte order mark.
    this.#starts = [text.startsWith('\uFEFF') ? 1 : 0];
    for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) this.#starts.push(index + end.length);
  }

  /** Returns the offset of a position; that of the nearest one when the position does not exist. */
  offsetAt({ line, character }: Position): number {
    const start = this.#starts[line];
    if (start === undefined) return this.#text.length;
    return Math.min(start + character, this.#starts[line + 1] ?? this.#text.length);
  }

  positionAt(offset: number): Position {
    const line = Math.max(0, findLastAtMost(this.#starts, offset));
    return { line, character: Math.max(0, offset - (this.#starts[line] as number)) };
  }

  /** Returns a line without its line break; empty when the line does not exist. */
  lineText(line: number): string {
    const start = this.#starts[line];
    if (start === undefined) return '';
    return this.#text.slice(start, this.#starts[line + 1] ?? this.#text.length).replace(/[\r\n]+$/, '');
  }
}

/** Texts of files, each read once during one query. */
export class TextCache {
  readonly #files: ModuleFiles;
  readonly #texts = new Map<string, { readonly text: string; readonly lines: LineIndex }>();

  constructor(files: ModuleFiles) {
    this.#files = files;
  }

  /** Returns the text of a file on disk; empty when it cannot be read. */
  async get(file: string) {
    const known = this.#texts.get(file);
    if (known !== undefined) return known;
    const text = (await this.#files.read(file)) ?? '';
    const indexed = { text, lines: new LineIndex(text) };
    this.#texts.set(file, indexed);
    return indexed;
  }
}
