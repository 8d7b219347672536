import type { CallPort } from './call-port.ts';
import type { Intrinsics } from './intrinsics.ts';
import type { ScopeNode } from './scope-node.ts';

/**
 * Global names of tools and places, laid over the names that code has made itself. Runs inside the sandbox, from its
 * own text.
 */
export class GlobalLayer {
  readonly #own: Intrinsics;
  readonly #port: CallPort;
  /** What lies on top, and what it hides, by name. */
  #laid: Record<string, unknown>;
  #hidden: Record<string, PropertyDescriptor>;
  /** Names of tools and places anywhere, and what they stood for when the block began. */
  readonly #names: Record<string, true>;
  #before: Record<string, unknown>;
  /** What code has made unchangeable, so that nothing can be laid there. */
  #blocked: string | undefined;

  constructor(own: Intrinsics, port: CallPort) {
    this.#own = own;
    this.#port = port;
    this.#laid = own.create(null) as Record<string, unknown>;
    this.#hidden = own.create(null) as Record<string, PropertyDescriptor>;
    this.#names = own.create(null) as Record<string, true>;
    this.#before = own.create(null) as Record<string, unknown>;
  }

  /**
   * Begins a block. @param nodes what lies on top from here on; undefined for the same as before
   *
   * Returns JSON of what code has made unchangeable, undefined for nothing.
   */
  begin(nodes: readonly ScopeNode[] | undefined): string | undefined {
    const { create, getOwnPropertyDescriptor, global, ownKeys } = this.#own;
    this.#look();
    if (nodes === undefined) this.#cover(create(null) as Record<string, true>);
    else this.#change(nodes, create(null) as Record<string, true>);
    this.#before = create(null) as Record<string, unknown>;
    const names = ownKeys(this.#names) as string[];
    for (let index = 0; index < names.length; index++) {
      const there = getOwnPropertyDescriptor(global, names[index]!);
      if (there !== undefined) this.#before[names[index]!] = there.value;
    }
    return this.#own.stringify(this.#blocked);
  }

  /** Lays something else in the middle of a block, whose own variables stay on top until the next one begins. */
  move(nodes: readonly ScopeNode[]): string | undefined {
    this.#look();
    const kept = this.#own.create(null) as Record<string, true>;
    for (let index = 0; index < nodes.length; index++) {
      const { name } = nodes[index]!;
      if (this.#isOfBlock(name)) kept[name] = true;
    }
    this.#change(nodes, kept);
    return this.#own.stringify(this.#blocked);
  }

  #look(): void {
    this.#blocked = this.#own.isExtensible(this.#own.global) ? undefined : 'globalThis';
  }

  /** True for a variable that has got a value since the block began, as far as one can tell. */
  #isOfBlock(name: string): boolean {
    const there = this.#own.getOwnPropertyDescriptor(this.#own.global, name);
    if (there === undefined) return false;
    if (name in this.#laid) return there.value !== this.#laid[name];
    return !(name in this.#before && there.value === this.#before[name]);
  }

  /** Takes away what was laid before and lays something else. */
  #change(nodes: readonly ScopeNode[], kept: Readonly<Record<string, true>>): void {
    const names = this.#own.ownKeys(this.#laid) as string[];
    for (let index = 0; index < names.length; index++) this.#lift(names[index]!);
    this.#laid = this.#own.create(null) as Record<string, unknown>;
    this.#hidden = this.#own.create(null) as Record<string, PropertyDescriptor>;
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index]!;
      this.#names[node.name] = true;
      this.#laid[node.name] = this.#callable(node);
    }
    this.#cover(kept);
  }

  /** Puts on top again what code has covered with names of its own. */
  #cover(kept: Readonly<Record<string, true>>): void {
    const names = this.#own.ownKeys(this.#laid) as string[];
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!;
      const value = this.#laid[name];
      const there = this.#own.getOwnPropertyDescriptor(this.#own.global, name);
      if (there?.value === value || kept[name] === true) continue;
      if (there !== undefined) this.#hidden[name] = there;
      this.#put(name, value, there);
    }
  }

  #lift(name: string): void {
    const { global, getOwnPropertyDescriptor, defineProperty, deleteProperty } = this.#own;
    if (getOwnPropertyDescriptor(global, name)?.value !== this.#laid[name]) return;
    const hidden = this.#hidden[name];
    const isLifted = hidden === undefined ? deleteProperty(global, name) : defineProperty(global, name, hidden);
    if (!isLifted) this.#blocked ??= name;
  }

  #put(name: string, value: unknown, there: PropertyDescriptor | undefined): void {
    // A variable that code declared can be given another value, and nothing else.
    const fresh = { value, writable: true, configurable: true, enumerable: false };
    const descriptor = there?.configurable === false ? { value } : fresh;
    if (!this.#own.defineProperty(this.#own.global, name, descriptor)) this.#blocked ??= name;
  }

  #callable({ name, call, shown, members }: ScopeNode): unknown {
    const { defineProperty, freeze, apply, weakSet, texts } = this.#own;
    const callable = (...args: unknown[]): Promise<unknown> => this.#port.request(call, args);
    defineProperty(callable, 'name', { value: name, configurable: true });
    defineProperty(callable, 'toString', { value: () => shown, configurable: true });
    apply(weakSet, texts, [callable, shown]);
    for (let index = 0; index < members.length; index++) {
      const member = members[index]!;
      this.#names[member.name] = true;
      defineProperty(callable, member.name, { value: this.#callable(member), enumerable: true, configurable: true });
    }
    return freeze(callable);
  }
}
