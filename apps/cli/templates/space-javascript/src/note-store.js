/** The folder of the notes, in the folder that bae works in. */
const FOLDER = 'template';

/** Notes as files. Knows nothing of models and tools. */
export class NoteStore {
  #files;

  /** @param {import('@bae/workspace').WorkspaceRoot} files */
  constructor(files) {
    this.#files = files;
  }

  /** The names of all notes, sorted. */
  async names() {
    const paths = await this.#files.glob({ pattern: `${FOLDER}/*.md` });
    return paths.map((path) => path.slice(FOLDER.length + 1, -'.md'.length));
  }

  /** The text of a note that is there. */
  async read(name) {
    return (await this.#files.readText(pathOf(name))).text;
  }

  async write(name, text) {
    await this.#files.write(pathOf(name), text);
  }

  /** The lines that contain a text, in capital letters or not, as `name: line`. */
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
}

function pathOf(name) {
  return `${FOLDER}/${name}.md`;
}
