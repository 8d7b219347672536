import type { WorkspaceRoot } from '@bae/workspace';

/** Notes as files, without anything about models and tools. */
export class NoteStore {
  readonly #files: WorkspaceRoot;
  readonly #folder: string;

  /** @param folder of the notes, a path in the workspace */
  constructor(files: WorkspaceRoot, folder: string) {
    this.#files = files;
    this.#folder = folder;
  }

  /** The names of all notes, sorted. */
  async names(): Promise<readonly string[]> {
    const { kind } = await this.#files.info(this.#folder);
    const names = kind === 'missing' ? [] : await this.#files.list(this.#folder);
    return names.filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -'.md'.length));
  }

  /** The text of a note that is there. */
  async read(name: string): Promise<string> {
    return (await this.#files.readText(this.#pathOf(name))).text;
  }

  /** A change that is shown to the user, applied, and taken back by one undo. */
  planWrite(name: string, text: string) {
    return this.#files.open(this.#pathOf(name)).planWrite(text);
  }

  /** The lines that contain a text, ignoring case, as `name: line`. */
  async find(text: string, signal: AbortSignal): Promise<readonly string[]> {
    const wanted = text.toLowerCase();
    const found: string[] = [];
    for (const name of await this.names()) {
      signal.throwIfAborted();
      const lines = (await this.read(name)).split('\n').filter((line) => line.toLowerCase().includes(wanted));
      found.push(...lines.map((line) => `${name}: ${line}`));
    }
    return found;
  }

  #pathOf(name: string): string {
    return `${this.#folder}/${name}.md`;
  }
}
