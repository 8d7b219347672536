import type { CommentedText } from './commented-text.ts';
import type { Origin, Span, Surroundings, SymbolKind, SymbolOutline } from './outline.ts';

/** A declaration of one name. */
export interface Declared {
  readonly name: string;
  readonly kind: SymbolKind;
  /** The declaration without the comments and decorators before it. */
  readonly node: Span;
  /** From the name to the body. Default: the node. */
  readonly head?: Span;
  readonly keyword?: string;
  readonly decorators?: readonly Span[] | undefined;
  /** Default: false in a module, true for a member. */
  readonly exported?: boolean;
  readonly members?: readonly SymbolOutline[];
  readonly origin?: Origin | undefined;
  readonly localName?: string | undefined;
}

/** The symbols of one scope; declarations of the same name are one symbol. */
export class SymbolScope {
  readonly #source: CommentedText;
  readonly #place: Surroundings;
  readonly #symbols = new Map<string, SymbolOutline>();

  constructor(source: CommentedText, place: Surroundings) {
    this.#source = source;
    this.#place = place;
  }

  /** In the order of their first declarations. */
  get symbols(): readonly SymbolOutline[] {
    return [...this.#symbols.values()];
  }

  has(name: string): boolean {
    return this.#symbols.has(name);
  }

  declare(declared: Declared): void {
    addSymbol(this.#symbols, this.#outline(declared));
  }

  /** Adds a member that is defined outside of a symbol's declaration, `route.get = …`, if there is such a symbol. */
  extend(name: string, member: Declared): void {
    const known = this.#symbols.get(name);
    if (known !== undefined) addSymbol(this.#symbols, { ...known, declarations: [], members: [this.#outline(member)] });
  }

  /** Marks a symbol as exported. False when there is no such symbol. */
  export(name: string): boolean {
    const known = this.#symbols.get(name);
    if (known !== undefined) this.#symbols.set(name, { ...known, exported: true });
    return known !== undefined;
  }

  #outline({ name, kind, exported, members = [], origin, localName, ...parts }: Declared): SymbolOutline {
    const { node, head = node, keyword = '', decorators = [] } = parts;
    const place = this.#place;
    const start = Math.min(node.start, ...decorators.map((decorator) => decorator.start));
    const doc = this.#source.docBefore(start);
    const declaration = {
      start: doc?.start ?? start,
      end: node.end,
      keyword,
      head: { start: head.start, end: head.end },
      ...(doc !== undefined && { doc: { start: doc.start, end: doc.end } }),
    };
    return {
      name,
      kind,
      place,
      exported: exported ?? place !== 'module',
      declarations: [declaration],
      members,
      ...(origin !== undefined && { origin }),
      ...(localName !== undefined && { localName }),
    };
  }
}

function addSymbol(symbols: Map<string, SymbolOutline>, added: SymbolOutline): void {
  const known = symbols.get(added.name) ?? { ...added, declarations: [], members: [] };
  const members = new Map(known.members.map((member) => [member.name, member]));
  for (const member of added.members) addSymbol(members, member);
  symbols.set(added.name, {
    ...known,
    exported: known.exported || added.exported,
    declarations: [...known.declarations, ...added.declarations],
    members: [...members.values()],
  });
}
