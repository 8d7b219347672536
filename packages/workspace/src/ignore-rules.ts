import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ignore } from 'ignore';

const LARGEST = 1024 * 1024;

/** What the `.gitignore` files of a workspace say, each loaded when it is first needed. */
export class IgnoreRules {
  readonly #root: string;
  readonly #loaded = new Map<string, Promise<Ignore | undefined>>();

  /** @param root absolute path of the workspace */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * True when a path is ignored, by itself or because a folder above it is.
   *
   * @param path below the root; a folder's ends with `/`
   */
  async ignores(path: string): Promise<boolean> {
    const parts = path.replace(/\/$/, '').split('/');
    for (let depth = 1; depth < parts.length; depth++) {
      if (await this.ignoresEntry(`${parts.slice(0, depth).join('/')}/`)) return true;
    }
    return this.ignoresEntry(path);
  }

  /** The same for a path whose parent folder is known not to be ignored. */
  async ignoresEntry(path: string): Promise<boolean> {
    if (path === '' || path === '/') return false;
    const parts = path.replace(/\/$/, '').split('/');
    let ignored = false;
    // The rules of a deeper folder are stronger, so the last one to say anything decides.
    for (let depth = 0; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/');
      const verdict = (await this.#rulesOf(folder))?.test(path.slice(folder === '' ? 0 : folder.length + 1));
      if (verdict?.ignored === true) ignored = true;
      if (verdict?.unignored === true) ignored = false;
    }
    return ignored;
  }

  #rulesOf(folder: string): Promise<Ignore | undefined> {
    const known = this.#loaded.get(folder) ?? load(join(this.#root, folder, '.gitignore'));
    this.#loaded.set(folder, known);
    return known;
  }
}

async function load(file: string): Promise<Ignore | undefined> {
  try {
    // A pipe or a link of that name is no list of rules.
    const stats = await lstat(file);
    if (!stats.isFile() || stats.size > LARGEST) return undefined;
    const { default: ignore } = await import('ignore');
    return ignore().add(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}
