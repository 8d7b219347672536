import { readWhole } from '../file/open-file.ts';
import { withoutMark } from '../file/text-file.ts';
import type { IgnoreList } from './ignore-list.ts';
import type { RootFolder } from '../path/root-folder.ts';

const LARGEST = 1024 * 1024;

/** The rules of one folder that has some. */
interface FolderRules {
  /** Path of the folder below the root, with `/` at its end; `''` for the root. */
  readonly prefix: string;
  readonly list: IgnoreList;
}

/** What the `.gitignore` files of a workspace say, each loaded when it is first needed. */
export class IgnoreRules {
  readonly #root: RootFolder;
  readonly #loaded = new Map<string, Promise<readonly FolderRules[]>>();

  constructor(root: RootFolder) {
    this.#root = root;
  }

  /**
   * True when a path is ignored, by itself or because a folder above it is.
   *
   * @param path below the root; a folder's ends with `/`
   */
  async ignores(path: string): Promise<boolean> {
    const parts = path.split('/').filter((part) => part !== '');
    for (const [index, part] of parts.entries()) {
      const ignored = await this.inside(parts.slice(0, index).join('/'));
      const isFolder = index < parts.length - 1 || path.endsWith('/');
      if (ignored?.(isFolder ? `${part}/` : part) === true) return true;
    }
    return false;
  }

  /** Takes note that a folder has no rules of its own, so that they need not be looked for. */
  hasNone(folder: string): void {
    if (!this.#loaded.has(folder)) this.#loaded.set(folder, this.#rulesFromAbove(folder));
  }

  /** True for a folder with rules of its own, `''` for the root. */
  async has(folder: string): Promise<boolean> {
    const prefix = prefixOf(folder);
    return (await this.#rulesIn(folder)).some((rules) => rules.prefix === prefix);
  }

  /**
   * Tells which names in a folder that is not ignored itself are; undefined when there are no rules for it.
   *
   * @returns takes a name, with `/` at its end for a folder
   */
  async inside(folder: string): Promise<((name: string) => boolean) | undefined> {
    const rules = await this.#rulesIn(folder);
    if (rules.length === 0) return undefined;
    const within = prefixOf(folder);
    // The rules of a deeper folder are stronger, so the deepest that says anything decides.
    const lists = rules.toReversed().map(({ prefix, list }) => ({ list, start: within.slice(prefix.length) }));
    return (name) => {
      for (const { list, start } of lists) {
        const verdict = list.verdict(start + name);
        if (verdict !== undefined) return verdict;
      }
      return false;
    };
  }

  /** The rules that hold in a folder, those of the root first. */
  #rulesIn(folder: string): Promise<readonly FolderRules[]> {
    const known = this.#loaded.get(folder) ?? this.#load(folder);
    this.#loaded.set(folder, known);
    return known;
  }

  async #rulesFromAbove(folder: string): Promise<readonly FolderRules[]> {
    if (folder === '') return [];
    const above = await this.#rulesIn(parentOf(folder));
    return above.map((rules) => {
      const path = folder.slice(rules.prefix.length);
      return rules.list.verdict(`${path}/`) === true ? { ...rules, list: rules.list.inside(path) } : rules;
    });
  }

  async #load(folder: string): Promise<readonly FolderRules[]> {
    const above = await this.#rulesFromAbove(folder);
    const prefix = prefixOf(folder);
    const text = await readWhole(`${prefix}.gitignore`, this.#root, LARGEST);
    if (text === undefined) return above;
    // Loaded when first needed: most folders have no rules.
    const { IgnoreList } = await import('./ignore-list.ts');
    return [...above, { prefix, list: IgnoreList.of(Buffer.from(withoutMark(text)).toString()) }];
  }
}

function parentOf(folder: string): string {
  return folder.slice(0, Math.max(folder.lastIndexOf('/'), 0));
}

function prefixOf(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}
