import { codeName } from '@bae/core/pipeline';
import type { Callable, RunScope, ToolSpec } from './callable.ts';
import { codeMember, codePath } from './code-path.ts';
import { isOperator } from './is-operator.ts';
import type { ScopeNode } from './vm/scope-node.ts';

/** What moves a session, under names that no place and no tool has. */
export const MOVES: readonly string[] = ['home', 'back', 'up', 'nav'];

/** What is in scope, in the form that the sandbox takes. */
export interface WrittenScope {
  /** JSON of the nodes; empty when they are as they were. */
  readonly scope: string;
  /** Tools in scope that are called like operators of the language. */
  readonly operators: readonly string[];
  /** Everything in scope as code writes it, tools first. */
  readonly names: readonly string[];
}

/** Knows what the numbers that come out of the sandbox stand for. A number keeps its meaning for good. */
export class CallTable {
  readonly #callables: Callable[] = [];
  #written = '';

  /** What a number stands for; undefined for one that was never given out. */
  at(call: number): Callable | undefined {
    return this.#callables[call];
  }

  /** Gives everything in scope a number. */
  write(scope: RunScope): WrittenScope {
    const tools = scope.tools.map(({ name }) => name);
    const spaces = scope.spaces.map(({ name }) => name).filter((name) => !name.includes('.'));
    const names = [...new Set([...tools, ...spaces, ...MOVES])].map(codeName);
    const known = { operators: tools.filter(isOperator), names };
    const text = JSON.stringify(scope);
    if (text === this.#written) return { scope: '', ...known };
    this.#written = text;
    return { scope: JSON.stringify(this.#nodes(scope)), ...known };
  }

  /** Tools of the place lie over places of the same name. */
  #nodes({ place, tools, spaces }: RunScope): readonly ScopeNode[] {
    const byName = new Map<string, ScopeNode>();
    for (const name of MOVES) byName.set(name, this.#move(name, [], `${name}()`));
    for (const node of this.#spaces(spaces, '')) byName.set(node.name, node);
    for (const spec of tools) byName.set(spec.name, this.#tool(spec, { from: place }));
    const nodes = [...byName.values()].filter(({ name }) => codeName(name) === name || !byName.has(codeName(name)));
    return nodes.map((node) => ({ ...node, name: codeName(node.name) }));
  }

  /** The places right below one, each with everything below it. */
  #spaces(spaces: RunScope['spaces'], above: string): readonly ScopeNode[] {
    const below = spaces.filter(({ name }) => name.startsWith(above) && !name.slice(above.length).includes('.'));
    return below.map(({ name, tools }) => {
      const members = new Map<string, ScopeNode>();
      for (const spec of tools) members.set(spec.name, this.#tool(spec, { space: name }));
      for (const node of this.#spaces(spaces, `${name}.`)) members.set(node.name, node);
      return this.#move(name, withAliases([...members.values()]), `${codePath(name)}() -- navigate to ${name}`);
    });
  }

  #move(target: string, members: readonly ScopeNode[], shown: string): ScopeNode {
    const name = target.slice(target.lastIndexOf('.') + 1);
    return { name, call: this.#callables.push({ kind: 'move', shown: codePath(target), target }) - 1, shown, members };
  }

  #tool(spec: ToolSpec, { space, from }: { readonly space?: string; readonly from?: string | undefined }): ScopeNode {
    const { name } = spec;
    const shown = space === undefined ? codeName(name) : codePath(space) + codeMember(name);
    const params = spec.params.map((param) => param.name).join(', ');
    const call = this.#callables.push({ kind: 'tool', shown, space, from, spec }) - 1;
    return { name, call, shown: `${shown}(${params})`, members: [] };
  }
}

/** What is in a place is found by its name, and by what its name is where it stands alone: `delete` and `delete_`. */
function withAliases(nodes: readonly ScopeNode[]): readonly ScopeNode[] {
  const taken = new Set(nodes.map(({ name }) => name));
  const aliases = nodes.map((node) => ({ ...node, name: codeName(node.name) }));
  return [...nodes, ...aliases.filter(({ name }) => !taken.has(name) && taken.add(name))];
}
