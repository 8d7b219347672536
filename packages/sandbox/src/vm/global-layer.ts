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

  constructor(own: Intrinsics, port: CallPort) {
    this.#own = own;
    this.#port = port;
    this.#laid = own.create(null) as Record<string, unknown>;
    this.#hidden = own.create(null) as Record<string, PropertyDescriptor>;
  }

  /** Takes away what was laid before and lays something else. */
  change(nodes: readonly ScopeNode[]): void {
    const names = this.#own.ownKeys(this.#laid) as string[];
    for (let index = 0; index < names.length; index++) this.#lift(names[index]!);
    this.#laid = this.#own.create(null) as Record<string, unknown>;
    this.#hidden = this.#own.create(null) as Record<string, PropertyDescriptor>;
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index]!;
      this.#laid[node.name] = this.#callable(node);
    }
    this.cover();
  }

  /** Puts on top again what code has covered with names of its own. */
  cover(): void {
    const names = this.#own.ownKeys(this.#laid) as string[];
    for (let index = 0; index < names.length; index++) {
      const name = names[index]!;
      const value = this.#laid[name];
      const there = this.#own.getOwnPropertyDescriptor(this.#own.global, name);
      if (there?.value === value) continue;
      if (there !== undefined) this.#hidden[name] = there;
      this.#put(name, value, there);
    }
  }

  #lift(name: string): void {
    const { global, getOwnPropertyDescriptor, defineProperty } = this.#own;
    if (getOwnPropertyDescriptor(global, name)?.value !== this.#laid[name]) return;
    const hidden = this.#hidden[name];
    if (hidden !== undefined) defineProperty(global, name, hidden);
    else delete global[name];
  }

  #put(name: string, value: unknown, there: PropertyDescriptor | undefined): void {
    // A variable that code declared can be given another value, and nothing else.
    const fresh = { value, writable: true, configurable: true, enumerable: false };
    this.#own.defineProperty(this.#own.global, name, there?.configurable === false ? { value } : fresh);
  }

  #callable({ name, call, shown, members }: ScopeNode): unknown {
    const { defineProperty, freeze, apply, setText, texts } = this.#own;
    const callable = (...args: unknown[]): Promise<unknown> => this.#port.request(call, args);
    defineProperty(callable, 'name', { value: name, configurable: true });
    defineProperty(callable, 'toString', { value: () => shown, configurable: true });
    apply(setText, texts, [callable, shown]);
    for (let index = 0; index < members.length; index++) {
      const member = members[index]!;
      defineProperty(callable, member.name, { value: this.#callable(member), enumerable: true, configurable: true });
    }
    return freeze(callable);
  }
}
