import type { Declaration, Origin, SymbolKind, SymbolOutline, Surroundings } from './outline.ts';

/** What is known of a declaration besides its name. */
export interface Declared {
  readonly kind: SymbolKind;
  readonly place: Surroundings;
  readonly declaration: Declaration;
  readonly exported?: boolean;
  readonly members?: readonly SymbolOutline[];
  readonly origin?: Origin | undefined;
  readonly localName?: string | undefined;
}

type Mutable = { -readonly [K in keyof SymbolOutline]: SymbolOutline[K] };

/** The names of one place; declarations of the same name are one symbol. */
export class SymbolScope {
  readonly #symbols = new Map<string, Mutable>();

  /** Takes note of a declaration. */
  declare(name: string, declared: Declared): void {
    const { declaration, exported = false, members = [], kind, place, origin, localName } = declared;
    const known = this.#symbols.get(name);
    if (known === undefined) {
      const also = { ...(origin !== undefined && { origin }), ...(localName !== undefined && { localName }) };
      this.#symbols.set(name, { name, kind, place, exported, declarations: [declaration], members, ...also });
      return;
    }
    known.declarations = [...known.declarations, declaration];
    known.exported ||= exported;
    known.members = merged(known.members, members);
  }

  /** Adds something that is written elsewhere to a symbol: `route.get = …`. False when there is no such symbol. */
  extend(name: string, member: SymbolOutline): boolean {
    const known = this.#symbols.get(name);
    if (known === undefined) return false;
    known.members = merged(known.members, [member]);
    return true;
  }

  /** Takes note that a name is exported apart from its declaration. False when there is no such symbol. */
  export(name: string): boolean {
    const known = this.#symbols.get(name);
    if (known === undefined) return false;
    known.exported = true;
    return true;
  }

  has(name: string): boolean {
    return this.#symbols.has(name);
  }

  /** In the order of their first declarations. */
  get symbols(): readonly SymbolOutline[] {
    return [...this.#symbols.values()];
  }
}

function merged(old: readonly SymbolOutline[], added: readonly SymbolOutline[]): readonly SymbolOutline[] {
  const all = new Map(old.map((symbol) => [symbol.name, symbol]));
  for (const symbol of added) {
    const known = all.get(symbol.name);
    all.set(
      symbol.name,
      known === undefined
        ? symbol
        : {
            ...known,
            declarations: [...known.declarations, ...symbol.declarations],
            members: merged(known.members, symbol.members),
          },
    );
  }
  return [...all.values()];
}
