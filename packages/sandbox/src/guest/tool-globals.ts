import type { ScopeNode } from '../messages.ts';
import type { CallPort } from './call-port.ts';
import type { Intrinsics } from './intrinsics.ts';

type Names = Record<string, true>;

/** Defines global functions for tools and places, on top of the variables of code. Runs inside the engine. */
export function createToolGlobals(own: Intrinsics, port: Pick<CallPort, 'request'>) {
  const { apply, create, defineProperty, deleteProperty, freeze, getOwnPropertyDescriptor, global } = own;
  const { isExtensible, ownKeys, signatures, stringify, weakSet } = own;
  /** Values that are currently defined, and those that they hide, by name. */
  let defined = create(null) as Record<string, unknown>;
  let hidden = create(null) as Record<string, PropertyDescriptor>;
  /** Every name that tools and places have had, and the values of these globals when the block began. */
  const names = create(null) as Names;
  let before = create(null) as Record<string, unknown>;
  /** Name that code has made unchangeable. */
  let blocked: string | undefined;

  /**
   * Begins a block. Returns the name that code has made unchangeable, as JSON. @param nodes the new scope; undefined if
   * it has not changed
   */
  function begin(nodes: readonly ScopeNode[] | undefined): string | undefined {
    update(nodes, create(null) as Names);
    before = create(null) as Record<string, unknown>;
    const all = ownKeys(names) as string[];
    for (let index = 0; index < all.length; index++) {
      const current = getOwnPropertyDescriptor(global, all[index]!);
      if (current !== undefined) before[all[index]!] = current.value;
    }
    return stringify(blocked);
  }

  /** Changes the scope within a block. The variables of the block stay on top until the next block begins. */
  function move(nodes: readonly ScopeNode[]): string | undefined {
    const kept = create(null) as Names;
    for (let index = 0; index < nodes.length; index++) {
      const { name } = nodes[index]!;
      if (isOfBlock(name)) kept[name] = true;
    }
    update(nodes, kept);
    return stringify(blocked);
  }

  /** Returns true for a variable that was assigned a value since the block began, as far as can be detected. */
  function isOfBlock(name: string): boolean {
    const current = getOwnPropertyDescriptor(global, name);
    if (current === undefined) return false;
    if (name in defined) return current.value !== defined[name];
    return !(name in before && current.value === before[name]);
  }

  function update(nodes: readonly ScopeNode[] | undefined, kept: Readonly<Names>): void {
    blocked = isExtensible(global) ? undefined : 'globalThis';
    if (nodes !== undefined) replace(nodes);
    const all = ownKeys(defined) as string[];
    for (let index = 0; index < all.length; index++) if (kept[all[index]!] !== true) define(all[index]!);
  }

  function replace(nodes: readonly ScopeNode[]): void {
    const all = ownKeys(defined) as string[];
    for (let index = 0; index < all.length; index++) restore(all[index]!);
    defined = create(null) as Record<string, unknown>;
    hidden = create(null) as Record<string, PropertyDescriptor>;
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index]!;
      names[node.name] = true;
      defined[node.name] = createFunction(node);
    }
  }

  /** Restores the hidden value of a global, unless code has assigned another one. */
  function restore(name: string): void {
    if (getOwnPropertyDescriptor(global, name)?.value !== defined[name]) return;
    const old = hidden[name];
    const isRestored = old === undefined ? deleteProperty(global, name) : defineProperty(global, name, old);
    if (!isRestored) blocked ??= name;
  }

  function define(name: string): void {
    const value = defined[name];
    const current = getOwnPropertyDescriptor(global, name);
    if (current?.value === value) return;
    if (current !== undefined) hidden[name] = current;
    // Only the value of a variable that code has declared can be changed.
    const fresh = { value, writable: true, configurable: true, enumerable: false };
    const descriptor = current?.configurable === false ? { value } : fresh;
    if (!defineProperty(global, name, descriptor)) blocked ??= name;
  }

  function createFunction({ name, callee, signature, members }: ScopeNode): unknown {
    const callable = (...args: unknown[]): Promise<unknown> => port.request(callee, args);
    defineProperty(callable, 'name', { value: name, configurable: true });
    defineProperty(callable, 'toString', { value: () => signature, configurable: true });
    apply(weakSet, signatures, [callable, signature]);
    for (let index = 0; index < members.length; index++) {
      const member = members[index]!;
      names[member.name] = true;
      const value = createFunction(member);
      defineProperty(callable, member.name, { value, enumerable: true, configurable: true });
    }
    return freeze(callable);
  }

  return { begin, move };
}
