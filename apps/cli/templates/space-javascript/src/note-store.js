/** Notes as files, without anything about models and tools. */
export class NoteStore {
  #files;
  #folder;

  /**
   * @param {import('@bae/workspace').WorkspaceRoot} files
   * @param {string} folder of the notes, a path in the workspace
   */
  constructor(files, folder) {
    this.#files = files;
    this.#folder = folder;
  }

  /** The names of all notes, sorted. */
  async names() {
    const { kind } = await this.#files.info(this.#folder);
    const names = kind === 'missing' ? [] : await this.#files.list(this.#folder);
    return names.filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -'.md'.length));
  }

  /** The text of a note that is there. */
  async read(name) {
    return (await this.#files.readText(this.#pathOf(name))).text;
  }

  /** A change that is shown to the user, applied, and taken back by one undo. */
  planWrite(name, text) {
    return this.#files.open(this.#pathOf(name)).planWrite(text);
  }

  /** The lines that contain a text, ignoring case, as `name: line`. */
  async find(text, signal) {
    const wanted = text.toLowerCase();
    const found = [];
    for (const name of await this.names()) {
      signal.throwIfAborted();
      const lines = (await this.read(name)).split('\n').filter((line) => line.toLowerCase().includes(wanted));
      found.push(...lines.map((line) => `${name}: ${line}`));
    }
    return found;
  }

  #pathOf(name) {
    return `${this.#folder}/${name}.md`;
  }
}
