import ignore, { type Ignore } from 'ignore';

/** Rules of one file that are obeyed, and the length of a rule in characters. */
const MOST = 1000;
const LONGEST = 500;

/** The rules of one `.gitignore` file. */
export class IgnoreList {
  readonly #rules: readonly string[];
  readonly #ignore: Ignore;
  readonly #looksRelevant: RegExp;

  private constructor(rules: readonly string[]) {
    this.#rules = rules;
    this.#ignore = ignore({ ignorecase: false }).add([...rules]);
    // One look for the longest names in the rules; comparing with each rule takes ten times as long.
    this.#looksRelevant = new RegExp(rules.length === 0 ? '(?!)' : rules.map(nameIn).map(quote).join('|'));
  }

  /** @param text what the file says */
  static of(text: string): IgnoreList {
    return new IgnoreList(text.split(/\r?\n/).filter(isRule).slice(0, MOST));
  }

  /** The same rules for what is in a folder that they exclude, but that rules further down take back. */
  inside(folder: string): IgnoreList {
    return new IgnoreList([...this.#rules, `!/${folder.replaceAll(/[\\*?[\]!# ]/g, String.raw`\$&`)}/`]);
  }

  /**
   * True when the rules exclude a path, false when they say that it is not excluded; undefined when they say
   * nothing of it.
   *
   * @param path from the folder of the file on, with `/` at its end for a folder; not in a folder that is excluded
   */
  verdict(path: string): boolean | undefined {
    if (!this.#looksRelevant.test(path)) return undefined;
    const { ignored, unignored } = this.#ignore.test(path);
    return ignored || unignored ? ignored : undefined;
  }
}

/**
 * False for comments, and for rules that take long to compare with a path: with several `**` between names, or many
 * `*` in one name. Nobody writes such rules, except to keep somebody busy.
 */
function isRule(line: string): boolean {
  if (line.trim() === '' || line.startsWith('#') || line.length > LONGEST) return false;
  const names = line.split(/\/+/).filter((name) => name !== '');
  const between = names.slice(1, -1).filter((name) => name.startsWith('**'));
  return between.length <= 1 && names.every((name) => (name.match(/\*+/g) ?? []).length <= 4);
}

/** The longest stretch of a rule that stands for itself: every path that the rule fits has it. */
function nameIn(rule: string): string {
  const stretches = rule.replaceAll(/\\.|\[[^\]]*(?:\]|$)/g, '*').split(/[^\w.-]+/);
  return stretches.reduce((longest, one) => (one.length > longest.length ? one : longest), '');
}

function quote(text: string): string {
  return text.replaceAll(/[.-]/g, String.raw`\$&`);
}
