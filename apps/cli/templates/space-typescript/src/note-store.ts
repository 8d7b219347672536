import type { WorkspaceRoot } from '@bae/workspace';

/** The folder of the notes, in the folder that bae works in. */
const FOLDER = 'template';

/** Notes as files. Knows nothing of models and tools. */
export class NoteStore {
  readonly #files: WorkspaceRoot;

  constructor(files: WorkspaceRoot) {
    this.#files = files;
  }

  /** The names of all notes, sorted. */
  async names(): Promise<readonly string[]> {
    const paths = await this.#files.glob({ pattern: `${FOLDER}/*.md` });
    return paths.map((path) => path.slice(FOLDER.length + 1, -'.md'.length));
  }

  /** The text of a note that is there. */
  async read(name: string): Promise<string> {
    return (await this.#files.readText(pathOf(name))).text;
  }

  async write(name: string, text: string): Promise<void> {
    await this.#files.write(pathOf(name), text);
  }

  /** The lines that contain a text, in capital letters or not, as `name: line`. */
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
}

function pathOf(name: string): string {
  return `${FOLDER}/${name}.md`;
}
