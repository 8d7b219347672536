import type { Declaration, Origin, SymbolKind, SymbolOutline, Surroundings } from './outline.ts';

/** A declaration, without its name. */
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

/** The symbols of one scope; declarations of the same name are one symbol. */
export class SymbolScope {
  readonly #symbols = new Map<string, Mutable>();

  declare(name: string, declared: Declared): void {
    const { declaration, exported = false, members = [], kind, place, origin, localName } = declared;
    const known = this.#symbols.get(name);
    if (known === undefined) {
      const optional = { ...(origin !== undefined && { origin }), ...(localName !== undefined && { localName }) };
      this.#symbols.set(name, { name, kind, place, exported, declarations: [declaration], members, ...optional });
      return;
    }
    known.declarations = [...known.declarations, declaration];
    known.exported ||= exported;
    known.members = mergeSymbols(known.members, members);
  }

  /** Adds a member that is defined outside of a symbol's declaration, `route.get = …`, if there is such a symbol. */
  extend(name: string, member: SymbolOutline): void {
    const known = this.#symbols.get(name);
    if (known !== undefined) known.members = mergeSymbols(known.members, [member]);
  }

  /** Marks a symbol as exported. False when there is no such symbol. */
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

function mergeSymbols(old: readonly SymbolOutline[], added: readonly SymbolOutline[]): readonly SymbolOutline[] {
  const all = new Map(old.map((symbol) => [symbol.name, symbol]));
  for (const symbol of added) {
    const known = all.get(symbol.name);
    const declarations = [...(known?.declarations ?? []), ...symbol.declarations];
    const members = mergeSymbols(known?.members ?? [], symbol.members);
    all.set(symbol.name, { ...(known ?? symbol), declarations, members });
  }
  return [...all.values()];
}
