import type { ScopeNode } from '../messages.ts';
import type { CallPort } from './call-port.ts';
import type { Intrinsics } from './intrinsics.ts';

type Names = Record<string, true>;

/** Global functions for tools and places, on top of the variables of code. Runs inside the engine. */
export class ToolGlobals {
  readonly #own: Intrinsics;
  readonly #port: CallPort;
  /** What is defined now, and what it hides, by name. */
  #defined: Record<string, unknown>;
  #hidden: Record<string, PropertyDescriptor>;
  /** Every name that tools and places have had, and the values of these when the block began. */
  readonly #names: Names;
  #before: Record<string, unknown>;
  /** What code has made unchangeable. */
  #blocked: string | undefined;

  constructor(own: Intrinsics, port: CallPort) {
    this.#own = own;
    this.#port = port;
    this.#defined = own.create(null) as Record<string, unknown>;
    this.#hidden = own.create(null) as Record<string, PropertyDescriptor>;
    this.#names = own.create(null) as Names;
    this.#before = own.create(null) as Record<string, unknown>;
  }

  /** Begins a block. Returns JSON of what code has made unchangeable. @param nodes undefined for the same scope as before */
  begin(nodes: readonly ScopeNode[] | undefined): string | undefined {
    const { create, getOwnPropertyDescriptor, global, ownKeys } = this.#own;
    this.#update(nodes, create(null) as Names);
    this.#before = create(null) as Record<string, unknown>;
    const names = ownKeys(this.#names) as string[];
    for (let index = 0; index < names.length; index++) {
      const current = getOwnPropertyDescriptor(global, names[index]!);
      if (current !== undefined) this.#before[names[index]!] = current.value;
    }
    return this.#own.stringify(this.#blocked);
  }

  /** Changes the scope within a block. The variables of the block stay on top until the next block begins. */
  move(nodes: readonly ScopeNode[]): string | undefined {
    const kept = this.#own.create(null) as Names;
    for (let index = 0; index < nodes.length; index++) {
      const { name } = nodes[index]!;
      if (this.#isOfBlock(name)) kept[name] = true;
    }
    this.#update(nodes, kept);
    return this.#own.stringify(this.#blocked);
  }

  /** True for a variable that has got a value since the block began, as far as one can see. */
  #isOfBlock(name: string): boolean {
    const current = this.#own.getOwnPropertyDescriptor(this.#own.global, name);
    if (current === undefined) return false;
    if (name in this.#defined) return current.value !== this.#defined[name];
    return !(name in this.#before && current.value === this.#before[name]);
  }

  #update(nodes: readonly ScopeNode[] | undefined, kept: Readonly<Names>): void {
    this.#blocked = this.#own.isExtensible(this.#own.global) ? undefined : 'globalThis';
    if (nodes !== undefined) this.#replace(nodes);
    const names = this.#own.ownKeys(this.#defined) as string[];
    for (let index = 0; index < names.length; index++) if (kept[names[index]!] !== true) this.#define(names[index]!);
  }

  #replace(nodes: readonly ScopeNode[]): void {
    const names = this.#own.ownKeys(this.#defined) as string[];
    for (let index = 0; index < names.length; index++) this.#restore(names[index]!);
    this.#defined = this.#own.create(null) as Record<string, unknown>;
    this.#hidden = this.#own.create(null) as Record<string, PropertyDescriptor>;
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index]!;
      this.#names[node.name] = true;
      this.#defined[node.name] = this.#createFunction(node);
    }
  }

  /** Gives a global its hidden value back, unless code has given it another one. */
  #restore(name: string): void {
    const { global, getOwnPropertyDescriptor, defineProperty, deleteProperty } = this.#own;
    if (getOwnPropertyDescriptor(global, name)?.value !== this.#defined[name]) return;
    const hidden = this.#hidden[name];
    const isRestored = hidden === undefined ? deleteProperty(global, name) : defineProperty(global, name, hidden);
    if (!isRestored) this.#blocked ??= name;
  }

  #define(name: string): void {
    const { global, getOwnPropertyDescriptor, defineProperty } = this.#own;
    const value = this.#defined[name];
    const current = getOwnPropertyDescriptor(global, name);
    if (current?.value === value) return;
    if (current !== undefined) this.#hidden[name] = current;
    // Of a variable that code has declared only the value can change.
    const fresh = { value, writable: true, configurable: true, enumerable: false };
    const descriptor = current?.configurable === false ? { value } : fresh;
    if (!defineProperty(global, name, descriptor)) this.#blocked ??= name;
  }

  #createFunction({ name, callee, signature, members }: ScopeNode): unknown {
    const { defineProperty, freeze, apply, weakSet, signatures } = this.#own;
    const callable = (...args: unknown[]): Promise<unknown> => this.#port.request(callee, args);
    defineProperty(callable, 'name', { value: name, configurable: true });
    defineProperty(callable, 'toString', { value: () => signature, configurable: true });
    apply(weakSet, signatures, [callable, signature]);
    for (let index = 0; index < members.length; index++) {
      const member = members[index]!;
      this.#names[member.name] = true;
      defineProperty(callable, member.name, {
        value: this.#createFunction(member),
        enumerable: true,
        configurable: true,
      });
    }
    return freeze(callable);
  }
}
