import type { Ignore } from 'ignore';
import { readFoundFile } from '../file/file-content.ts';
import { stripByteOrderMark } from '../file/text-file.ts';
import { type RootFolder, appendPath, parentOf } from '../path/root-folder.ts';

const LARGEST = 1024 * 1024;
/** Maximum number of rules of one file that are applied, and maximum length of a rule in characters. */
const MOST_RULES = 1000;
const LONGEST_RULE = 500;

interface FolderRules {
  /** Path of the folder relative to the root, with a trailing `/`; `''` for the root. */
  readonly prefix: string;
  readonly list: IgnoreList;
}

/** The rules of the `.gitignore` files of a workspace, each loaded when it is first needed. */
export class IgnoreRules {
  readonly #root: RootFolder;
  readonly #loaded = new Map<string, Promise<readonly FolderRules[]>>();

  constructor(root: RootFolder) {
    this.#root = root;
  }

  /** Returns true when a path below the root, or a folder above it, is ignored. A folder's path ends with `/`. */
  async ignores(path: string): Promise<boolean> {
    const parts = path.split('/').filter((part) => part !== '');
    for (const [index, part] of parts.entries()) {
      const ignored = await this.inside(parts.slice(0, index).join('/'));
      const isFolder = index < parts.length - 1 || path.endsWith('/');
      if (ignored?.(isFolder ? `${part}/` : part) === true) return true;
    }
    return false;
  }

  /** Records that a folder has no rules of its own, so that they are not searched for. */
  hasNone(folder: string): void {
    if (!this.#loaded.has(folder)) this.#loaded.set(folder, this.#inherit(folder));
  }

  /** Returns true for a folder with rules of its own; `''` is the root. */
  async has(folder: string): Promise<boolean> {
    const prefix = prefixOf(folder);
    return (await this.#rulesIn(folder)).some((rules) => rules.prefix === prefix);
  }

  /**
   * Returns a function that decides which names are ignored in a folder that is not ignored itself (names of folders
   * end with `/`); undefined when no rules apply to it.
   */
  async inside(folder: string): Promise<((name: string) => boolean) | undefined> {
    const rules = await this.#rulesIn(folder);
    if (rules.length === 0) return undefined;
    const within = prefixOf(folder);
    // The rules of a deeper folder take precedence, so the deepest folder with a matching rule decides.
    const lists = rules.toReversed().map(({ prefix, list }) => ({ list, start: within.slice(prefix.length) }));
    return (name) => {
      for (const { list, start } of lists) {
        const verdict = list.test(start + name);
        if (verdict !== undefined) return verdict;
      }
      return false;
    };
  }

  /** Returns the rules that apply in a folder, those of the root first. */
  #rulesIn(folder: string): Promise<readonly FolderRules[]> {
    const known = this.#loaded.get(folder) ?? this.#load(folder);
    this.#loaded.set(folder, known);
    return known;
  }

  async #inherit(folder: string): Promise<readonly FolderRules[]> {
    if (folder === '') return [];
    const above = await this.#rulesIn(parentOf(folder));
    return above.map((rules) => {
      const path = folder.slice(rules.prefix.length);
      return rules.list.test(`${path}/`) === true ? { ...rules, list: rules.list.inside(path) } : rules;
    });
  }

  async #load(folder: string): Promise<readonly FolderRules[]> {
    const above = await this.#inherit(folder);
    const prefix = prefixOf(folder);
    const bytes = await readFoundFile(`${prefix}.gitignore`, this.#root, { largest: LARGEST });
    if (bytes === undefined) return above;
    return [...above, { prefix, list: await IgnoreList.parse(Buffer.from(stripByteOrderMark(bytes)).toString()) }];
  }
}

function prefixOf(folder: string): string {
  return appendPath(folder, '');
}

/**
 * Returns false for comments, and for rules that are slow to match against a path: those with several `**` between
 * names, or many `*` in one name. Only rules written to cause slowness look like that.
 */
function isRule(line: string): boolean {
  if (line.trim() === '' || line.startsWith('#') || line.length > LONGEST_RULE) return false;
  const names = line.split(/\/+/).filter((name) => name !== '');
  const between = names.slice(1, -1).filter((name) => name.startsWith('**'));
  return between.length <= 1 && names.every((name) => (name.match(/\*+/g) ?? []).length <= 4);
}

/** The rules of one `.gitignore` file. */
export class IgnoreList {
  readonly #rules: readonly string[];
  readonly #create: () => Ignore;
  readonly #ignore: Ignore;
  readonly #looksRelevant: RegExp;

  private constructor(rules: readonly string[], create: () => Ignore) {
    this.#rules = rules;
    this.#create = create;
    this.#ignore = create().add([...rules]);
    // One test for the longest names in the rules; testing each rule takes ten times as long.
    const names = rules.map((rule) => longestName(rule).replaceAll(/[.-]/g, String.raw`\$&`));
    this.#looksRelevant = new RegExp(rules.length === 0 ? '(?!)' : names.join('|'));
  }

  static async parse(text: string): Promise<IgnoreList> {
    // Loaded on first use: most folders have no rules.
    const { default: ignore } = await import('ignore');
    const rules = text.split(/\r?\n/).filter(isRule).slice(0, MOST_RULES);
    return new IgnoreList(rules, () => ignore({ ignorecase: false }));
  }

  /** Returns the same rules for a folder that they exclude but that rules further down include again. */
  inside(folder: string): IgnoreList {
    const exception = `!/${folder.replaceAll(/[\\*?[\]!# ]/g, String.raw`\$&`)}/`;
    return new IgnoreList([...this.#rules, exception], this.#create);
  }

  /**
   * Returns true when the rules exclude a path below their folder, false when they include it again; undefined when no
   * rule matches it. A folder's path ends with `/`.
   */
  test(path: string): boolean | undefined {
    if (!this.#looksRelevant.test(path)) return undefined;
    const { ignored, unignored } = this.#ignore.test(path);
    return ignored || unignored ? ignored : undefined;
  }
}

/** Returns the longest literal part of a rule: every path that matches the rule contains it. */
function longestName(rule: string): string {
  const stretches = rule.replaceAll(/\\.|\[[^\]]*(?:\]|$)/g, '*').split(/[^\w.-]+/);
  return stretches.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
}
