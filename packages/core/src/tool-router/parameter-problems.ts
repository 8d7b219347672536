import { nearestName } from '../nearest-name/nearest-name.ts';
import type { ToolSpec } from '../protocol/tool-spec.ts';
import { shownName } from './shown-value.ts';

interface Problem {
  /** Place in the list: declared parameters by position, then others, then misuse. */
  readonly rank: number;
  readonly name: string;
  readonly text: string;
}

/** Collects everything that is wrong with the arguments of one call, to be reported at once. */
export class ParameterProblems {
  readonly #problems: Problem[] = [];
  readonly #names: readonly string[];

  constructor(spec: ToolSpec) {
    this.#names = spec.params.map(({ name }) => name);
  }

  get count(): number {
    return this.#problems.length;
  }

  /** True when something is wrong with a parameter already. */
  has(name: string): boolean {
    return this.#problems.some((problem) => problem.name === name);
  }

  /** A parameter (or a path below one, `filter.limit`) with a value that will not do. */
  add(name: string, text: string, path: string = name): void {
    const position = this.#names.indexOf(name);
    const rank = position < 0 ? this.#names.length : position;
    const line = path === name ? shownName(name) : path;
    this.#problems.push({ rank, name, text: `${line}: ${text}` });
  }

  /** A name that the tool does not know. */
  unknown(name: string): void {
    const near = nearestName(name, this.#names);
    const suggestion = near === undefined ? '' : ` (did you mean ${near}?)`;
    this.add(name, `unknown parameter${suggestion}`);
  }

  /** Something that belongs to no single parameter: the arguments together, the argument, the body. */
  misuse(part: 'arguments' | 'arg' | 'body', text: string): void {
    const rank = this.#names.length + 1 + ['arguments', 'arg', 'body'].indexOf(part);
    this.#problems.push({ rank, name: '', text: `${part}: ${text}` });
  }

  /** One line a problem, in the order of the parameters; unknown names after them, misuse last. */
  lines(): readonly string[] {
    const sorted = this.#problems.toSorted((a, b) => a.rank - b.rank || this.#compareNames(a, b));
    return sorted.map(({ text }) => `- ${text}`);
  }

  #compareNames(a: Problem, b: Problem): number {
    if (a.rank !== this.#names.length || a.name === b.name) return 0;
    return a.name < b.name ? -1 : 1;
  }
}
