import type { AnyNode, BlockStatement, Program, Token, VariableDeclaration } from 'acorn';
import { nodesOf } from './nodes-of.ts';

/** Statements that leave a `finally`; an error on its way through it is caught then. */
const LEAVING = /^(?:Return|Break|Continue|Throw)Statement$/;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** What stands where in some code, looked up without reading its parts again. */
export class CodeOutline {
  /** Every node, outer ones before those in them. */
  readonly nodes: readonly AnyNode[];
  /** Names that the code does not use: for an error, and for all arguments. */
  readonly error: string;
  readonly args: string;
  /** Where arrows end, where statements leave something, and where names become a `var`; in order. */
  readonly #arrows: readonly number[];
  readonly #leaving: readonly number[];
  readonly #variables = new Map<string, number[]>();

  /** @param tokens those of the code, in order */
  constructor(program: Program, code: string, tokens: readonly Token[]) {
    this.nodes = [...nodesOf(program)];
    this.error = unusedName('__error', code);
    this.args = unusedName('__args', code);
    this.#arrows = tokens.flatMap(({ type, end }) => (type.label === '=>' ? [end] : []));
    this.#leaving = this.nodes.flatMap(({ type, start }) => (LEAVING.test(type) ? [start] : [])).toSorted(ascending);
    for (const node of this.nodes) if (node.type === 'VariableDeclaration') this.#note(node);
    for (const places of this.#variables.values()) places.sort(ascending);
  }

  /** Where the last arrow before a place ends. */
  arrowBefore(at: number): number {
    return this.#arrows[countBefore(at + 1, this.#arrows) - 1] ?? at;
  }

  /** True for code with a statement that leaves it, or something in it. */
  leaves(span: Span): boolean {
    return isIn(span, this.#leaving);
  }

  /**
   * True for the body of a function that declares the name of one of its functions again, as a function or a `var`: it
   * may, but a block within it may not. A `var` of a function in it counts, too.
   */
  declaresTwice(body: BlockStatement): boolean {
    const names = body.body.flatMap((node) => (node.type === 'FunctionDeclaration' ? [node.id.name] : []));
    if (new Set(names).size < names.length) return true;
    return names.some((name) => isIn(body, this.#variables.get(name) ?? []));
  }

  #note({ kind, declarations }: VariableDeclaration): void {
    if (kind !== 'var') return;
    for (const { id } of declarations) {
      for (const one of nodesOf(id)) {
        if (one.type !== 'Identifier') continue;
        const places = this.#variables.get(one.name);
        if (places === undefined) this.#variables.set(one.name, [one.start]);
        else places.push(one.start);
      }
    }
  }
}

/** The name with as many signs behind it as it never has in the code. */
function unusedName(name: string, code: string): string {
  let longest = -1;
  for (const [, { length } = ''] of code.matchAll(new RegExp(`${name}(_*)`, 'g'))) longest = Math.max(longest, length);
  return name + '_'.repeat(longest + 1);
}

function isIn({ start, end }: Span, places: readonly number[]): boolean {
  return (places[countBefore(start, places)] ?? end) < end;
}

/** How many numbers there are below another. */
function countBefore(limit: number, sorted: readonly number[]): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function ascending(left: number, right: number): number {
  return left - right;
}
