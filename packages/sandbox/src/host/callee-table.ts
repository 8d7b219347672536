import type { RunOptions } from '@bae/core';
import { toCodeName } from '@bae/core/pipeline';
import type { ScopeNode } from '../messages.ts';

export type RunScope = ReturnType<NonNullable<RunOptions['scope']>>;

export type ToolSpec = RunScope['tools'][number];

/** Tool, place or move that code can call. */
export type Callee =
  | {
      readonly kind: 'tool';
      /** Expression for it in code: `source.read`. */
      readonly path: string;
      /** Place that code named with it. */
      readonly space: string | undefined;
      /** Location of the session when the tool came into scope, if code does not name a place. */
      readonly from: string | undefined;
      readonly spec: ToolSpec;
    }
  | { readonly kind: 'move'; readonly path: string; readonly target: string };

/** Moves that are separate functions. */
export const MOVES: readonly string[] = ['home', 'back', 'up', 'nav', 'where'];
/** Operators that look like a call if a tool has the same name: `delete("x")`. */
const OPERATORS = new Set(['delete', 'typeof', 'void', 'new', 'throw', 'yield', 'await', 'return']);

/** Assigns numbers to callees, because the thread knows them only by number. A number never changes its meaning. */
export class CalleeTable {
  readonly #callees: Callee[] = [];
  #previous = '';

  /** Returns the callee with a number; undefined for a number that was never assigned. */
  at(callee: number): Callee | undefined {
    return this.#callees[callee];
  }

  /**
   * Numbers everything in scope. Returns the nodes as JSON, empty if the scope has not changed; tools whose names are
   * operators of the language; and all names as code writes them, tools first.
   */
  encode(scope: RunScope) {
    const tools = scope.tools.map(({ name }) => name);
    const spaces = scope.spaces.map(({ name }) => name).filter((name) => !name.includes('.'));
    const names = [...new Set([...tools, ...spaces, ...MOVES])].map(toCodeName);
    const operators = tools.filter((name) => OPERATORS.has(name));
    const text = JSON.stringify(scope);
    const hasChanged = text !== this.#previous;
    this.#previous = text;
    return { scope: hasChanged ? JSON.stringify(this.#createNodes(scope)) : '', operators, names };
  }

  /** Tools of the current place hide places of the same name. */
  #createNodes({ place, tools, spaces }: RunScope): readonly ScopeNode[] {
    const byName = new Map<string, ScopeNode>();
    for (const name of MOVES) byName.set(name, this.#createMove(name, [], `${name}()`));
    for (const node of this.#createSpaces(spaces, '')) byName.set(node.name, node);
    for (const spec of tools) byName.set(spec.name, this.#createTool(spec, { from: place }));
    const nodes = [...byName.values()].filter(({ name }) => toCodeName(name) === name || !byName.has(toCodeName(name)));
    return nodes.map((node) => ({ ...node, name: toCodeName(node.name) }));
  }

  /** Creates nodes for the places directly below another one, each with everything below it. */
  #createSpaces(spaces: RunScope['spaces'], parent: string): readonly ScopeNode[] {
    const children = spaces.filter(({ name }) => name.startsWith(parent) && !name.slice(parent.length).includes('.'));
    return children.map(({ name, tools }) => {
      const members = new Map<string, ScopeNode>();
      for (const spec of tools) members.set(spec.name, this.#createTool(spec, { space: name }));
      for (const node of this.#createSpaces(spaces, `${name}.`)) members.set(node.name, node);
      return this.#createMove(
        name,
        addAliases([...members.values()]),
        `${toPlaceExpression(name)}() -- navigate to ${name}`,
      );
    });
  }

  #createMove(target: string, members: readonly ScopeNode[], signature: string): ScopeNode {
    const name = target.slice(target.lastIndexOf('.') + 1);
    const callee = this.#callees.push({ kind: 'move', path: toPlaceExpression(target), target }) - 1;
    return { name, callee, signature, members };
  }

  #createTool(spec: ToolSpec, { space, from }: { readonly space?: string; readonly from?: string | undefined }) {
    const { name } = spec;
    const path = space === undefined ? toCodeName(name) : toPlaceExpression(space) + formatMember(name);
    const params = spec.params.map((param) => param.name).join(', ');
    const callee = this.#callees.push({ kind: 'tool', path, space, from, spec }) - 1;
    return { name, callee, signature: `${path}(${params})`, members: [] };
  }
}

/** Adds to members the names that they would have on their own: `delete` and `delete_`. */
function addAliases(nodes: readonly ScopeNode[]): readonly ScopeNode[] {
  const taken = new Set(nodes.map(({ name }) => name));
  const aliases = nodes.map((node) => ({ ...node, name: toCodeName(node.name) }));
  return [...nodes, ...aliases.filter(({ name }) => !taken.has(name) && taken.add(name))];
}

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Converts a place to an expression in code: `my_notes.old_ones` for `my-notes.old-ones`. */
export function toPlaceExpression(place: string): string {
  const [root = '', ...members] = place.split('.');
  return toCodeName(root) + members.map(formatMember).join('');
}

/** Formats a member of a place for code: `.slow_one` for `slow-one`, and `.delete`. */
export function formatMember(name: string): string {
  const identifier = [name, toCodeName(name)].find((one) => IDENTIFIER.test(one));
  return identifier === undefined ? `[${JSON.stringify(name)}]` : `.${identifier}`;
}
