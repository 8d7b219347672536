import { join } from 'node:path';
import { approvalPolicy, ConfigurationError, type ApprovalRequest } from '@bae/core';
import type { ApprovalRules } from '../config/bae-config.ts';
import { getPathKind, readTextFile, writeUserFile, shortenHome } from '../config/disk.ts';
import { locateUserFolder } from '../user-key.ts';
import { readErrorText } from '../command-line/errors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Rules that a person created when asked, by the folder in which they apply, stored in a file of their own. */
export class UserRules {
  /** Path of the file, with `~` for the home folder. */
  readonly shownFile: string;
  readonly #file: string;
  readonly #root: string;

  /** @param root absolute path of the working folder */
  constructor(env: Environment, root: string) {
    this.#file = join(locateUserFolder(env), 'rules.json');
    this.#root = root;
    this.shownFile = shortenHome(this.#file, env['HOME']);
  }

  /** Reads the rules for the folder. @throws ConfigurationError that names the file, for one that cannot be read */
  read(): ApprovalRules {
    const rules = this.#readAll()[this.#root] ?? [];
    try {
      // Validates every rule before any is used.
      approvalPolicy({ rules });
      return rules;
    } catch (error) {
      throw this.#explain(readErrorText(error));
    }
  }

  /** Allows similar calls from now on, in every session in the folder. Returns false if the file cannot be written. */
  allow(rule: ApprovalRules[number]): boolean {
    const all = this.#readAll();
    const known = all[this.#root] ?? [];
    return writeUserFile(this.#file, `${JSON.stringify({ ...all, [this.#root]: [...known, rule] }, undefined, 2)}\n`);
  }

  /**
   * Removes one of the rules for the folder, or all of them.
   *
   * @param index of the rule. Default: all
   * @returns the number of removed rules
   * @throws ConfigurationError when there is no such rule, or the file cannot be written
   */
  forget(index?: number): number {
    const all = this.#readAll();
    const known = all[this.#root] ?? [];
    const left = index === undefined ? [] : known.toSpliced(index, 1);
    if (index !== undefined && known[index] === undefined)
      throw new ConfigurationError(`there is no rule r${index + 1} in this folder.`, ['bae approvals']);
    if (known.length === 0) return 0;
    const { [this.#root]: _, ...others } = all;
    const kept = left.length === 0 ? others : { ...others, [this.#root]: left };
    if (!writeUserFile(this.#file, `${JSON.stringify(kept, undefined, 2)}\n`))
      throw new ConfigurationError(`${this.shownFile} could not be written, so nothing was forgotten.`);
    return known.length - left.length;
  }

  #readAll(): Readonly<Record<string, ApprovalRules>> {
    if (getPathKind(this.#file) === 'nothing') return {};
    try {
      const value = JSON.parse(readTextFile(this.#file)) as unknown;
      if (typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray))
        return value as Readonly<Record<string, ApprovalRules>>;
    } catch {
      // Reported below, like any other invalid content.
    }
    throw this.#explain('expected folders with their rules: {"/path": [{"tool": "write", "decision": "allow"}]}.');
  }

  #explain(problem: string): ConfigurationError {
    return new ConfigurationError(`${this.shownFile}: ${problem}`, [`mend or delete ${this.shownFile}`]);
  }
}

/** Characters that a rule interprets as a pattern. */
const PATTERN = /[*?[\]{}!]/;

/**
 * Creates the rule that allows calls like this one. Returns undefined if a rule would allow more than the person was
 * asked about: for a secret, for the changes of a run block, and for a command that looks like a pattern.
 */
export function makeRule(request: ApprovalRequest): ApprovalRules[number] | undefined {
  const { space, tool, target, reason, files } = request;
  if (reason !== undefined || files !== undefined || PATTERN.test(target)) return undefined;
  return isCommand(target) ? { space, target, decision: 'allow' } : { space, tool, decision: 'allow' };
}

/** Tests whether the target of a call is a command, which runs on this machine. */
export function isCommand(target: string): boolean {
  return target.startsWith('command:');
}
