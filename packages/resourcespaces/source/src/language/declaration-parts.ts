import type {
  BindingIdentifier,
  BindingPattern,
  ClassElement,
  Declaration,
  Expression,
  MemberExpression,
  ModuleExportName,
  ObjectPropertyKind,
  PropertyKey,
  TSEnumMember,
  TSGlobalDeclaration,
  TSModuleDeclaration,
  TSSignature,
  TSType,
  VariableDeclaration,
} from 'oxc-parser';
import type { CommentedText } from './comments.ts';
import { copyText, type Origin, type Span, type Surroundings, type SymbolKind, type SymbolOutline } from './outline.ts';

interface Declared {
  readonly name: string;
  readonly kind: SymbolKind;
  /** The declaration without the comments and decorators before it. */
  readonly node: Span;
  /** Span from the name to the body. Default: the node. */
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
  readonly source: CommentedText;
  readonly #place: Surroundings;
  readonly #symbols = new Map<string, SymbolOutline>();

  constructor(source: CommentedText, place: Surroundings) {
    this.source = source;
    this.#place = place;
  }

  /** The symbols in the order of their first declarations. */
  get symbols(): readonly SymbolOutline[] {
    return [...this.#symbols.values()];
  }

  has(name: string): boolean {
    return this.#symbols.has(name);
  }

  declare(declared: Declared): void {
    addSymbol(this.#symbols, this.#outline(declared));
  }

  /** Adds a member that is defined outside of a symbol's declaration, `route.get = …`, if the symbol exists. */
  extend(name: string, member: Declared): void {
    const known = this.#symbols.get(name);
    // A variable of a function is often assigned again: its members are those that it is declared with.
    if (known === undefined || (this.#place === 'function' && known.members.some((one) => one.name === member.name)))
      return;
    addSymbol(this.#symbols, { ...known, declarations: [], members: [this.#outline(member)] });
  }

  /** Adds what other code has outlined, also as a member of a symbol; without a name that is known already. */
  add(added: readonly SymbolOutline[], owner?: string): void {
    const known = owner === undefined ? undefined : this.#symbols.get(owner);
    if (known !== undefined) addSymbol(this.#symbols, { ...known, declarations: [], members: added });
    else if (owner === undefined) for (const symbol of added) addSymbol(this.#symbols, symbol);
  }

  /** Marks a symbol as exported. Returns false when the symbol does not exist. */
  export(name: string): boolean {
    const known = this.#symbols.get(name);
    if (known !== undefined) this.#symbols.set(name, { ...known, exported: true });
    return known !== undefined;
  }

  #outline({ name, kind, exported, members = [], origin, localName, ...parts }: Declared): SymbolOutline {
    const { node, head = node, keyword = '', decorators = [] } = parts;
    const place = this.#place;
    const start = Math.min(node.start, ...decorators.map((decorator) => decorator.start));
    const doc = this.source.docBefore(start);
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

/** Maximum nesting depth down to which objects are read. */
const DEEPEST = 4;

type PlainDeclaration = Exclude<Declaration, VariableDeclaration | TSModuleDeclaration | TSGlobalDeclaration>;

/** Reads the parts of a declaration of one name; `''` for an anonymous default export. */
export function readDeclaration(node: PlainDeclaration, source: CommentedText): Declared {
  switch (node.type) {
    case 'ClassDeclaration':
    case 'ClassExpression': {
      const { id, body, superClass, decorators } = node;
      const keyword = node.abstract === true ? 'abstract class' : 'class';
      const head = { start: id?.start ?? superClass?.start ?? body.start, end: body.start };
      const members = outlineMembers(new SymbolScope(source, 'class'), body.body);
      return { name: id?.name ?? '', kind: 'class', node, keyword, head, decorators, members };
    }
    case 'TSInterfaceDeclaration': {
      const head = { start: node.id.start, end: node.body.start };
      const members = outlineMembers(new SymbolScope(source, 'interface'), node.body.body);
      return { name: node.id.name, kind: 'interface', node, keyword: 'interface', head, members };
    }
    case 'TSTypeAliasDeclaration': {
      const head = { start: node.id.start, end: node.end };
      return {
        name: node.id.name,
        kind: 'type',
        node,
        keyword: 'type',
        head,
        members: readTypeMembers(node.typeAnnotation, source),
      };
    }
    case 'TSEnumDeclaration': {
      const head = { start: node.id.start, end: node.body.start };
      const members = outlineMembers(new SymbolScope(source, 'enum'), node.body.members);
      return { name: node.id.name, kind: 'enum', node, keyword: node.const ? 'const enum' : 'enum', head, members };
    }
    case 'TSImportEqualsDeclaration': {
      const head = { start: node.id.start, end: node.end };
      return { name: node.id.name, kind: 'constant', node, keyword: 'import', head };
    }
    default: {
      // The head of an anonymous function begins at its parameters.
      const start = node.id?.start ?? source.text.indexOf('(', node.start);
      const head = { start, end: node.body?.start ?? node.end };
      const keyword = node.async ? 'async function' : 'function';
      return { name: node.id?.name ?? '', kind: 'function', node, keyword, head };
    }
  }
}

/** Reads the members of a class or object value, also if `as const` or `satisfies` follows it. */
export function readMembers(value: Expression | null, source: CommentedText, depth = 1): readonly SymbolOutline[] {
  const bare = source.inner ? unwrapCall(value) : unwrapValue(value);
  if (bare?.type === 'ClassExpression') return outlineMembers(new SymbolScope(source, 'class'), bare.body.body);
  if (bare?.type !== 'ObjectExpression' || depth > DEEPEST) return [];
  return outlineMembers(new SymbolScope(source, 'object'), bare.properties, depth);
}

function readTypeMembers(type: TSType | undefined, source: CommentedText): readonly SymbolOutline[] {
  return type?.type === 'TSTypeLiteral' ? outlineMembers(new SymbolScope(source, 'interface'), type.members) : [];
}

type MemberNode = ObjectPropertyKind | ClassElement | TSSignature | TSEnumMember;

export function outlineMembers(scope: SymbolScope, nodes: readonly MemberNode[], depth = 0): readonly SymbolOutline[] {
  for (const node of nodes) {
    const member = readMember(node, scope.source, depth);
    if (member !== undefined) scope.declare(member);
  }
  return scope.symbols;
}

/** Returns undefined for nodes without a name, such as a static block or an index signature. */
function readMember(node: MemberNode, source: CommentedText, depth: number): Declared | undefined {
  if (node.type === 'TSEnumMember') {
    const { id } = node;
    const literal = id.type === 'Literal' ? quoteSymbolName(id.value) : source.text.slice(id.start, id.end);
    return { name: id.type === 'Identifier' ? id.name : literal, kind: 'member', node };
  }
  if (!('key' in node)) return undefined;
  const value = 'value' in node ? node.value : null;
  const accessor = 'kind' in node && (node.kind === 'get' || node.kind === 'set') ? node.kind : undefined;
  const isMethod = node.type === 'Property' ? isFunction(value) : node.type.includes('Method');
  const keywords = ['static' in node && node.static ? 'static' : '', accessor ?? ''];
  return {
    name: readKeyName(node, source.text),
    kind: accessor !== undefined ? 'accessor' : isMethod ? 'method' : 'property',
    node,
    keyword: keywords.filter((word) => word !== '').join(' '),
    decorators: 'decorators' in node ? node.decorators : undefined,
    head: { start: node.key.start, end: findSignatureEnd(value, node.end) },
    members:
      node.type === 'TSPropertySignature'
        ? readTypeMembers(node.typeAnnotation?.typeAnnotation, source)
        : readMembers(value, source, depth + 1),
  };
}

export function isFunction(value: Expression | null): boolean {
  const type = unwrapValue(value)?.type;
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
}

/** Returns the end of the signature of a value: the start of the body of a function, class or object, or else `end`. */
export function findSignatureEnd(value: Expression | null, end: number): number {
  const bare = unwrapValue(value);
  if (bare?.type === 'ArrowFunctionExpression' || bare?.type === 'FunctionExpression') return bare.body?.start ?? end;
  if (bare?.type === 'ClassExpression') return bare.body.start;
  return bare?.type === 'ObjectExpression' ? bare.start : end;
}

function unwrapValue(value: Expression | null): Expression | null {
  let bare = value;
  while (bare?.type === 'TSAsExpression' || bare?.type === 'TSSatisfiesExpression') bare = bare.expression;
  return bare;
}

/** Returns the object or class that a value is made of: `{ … }` of `define({ … })` and of `() => make({ … }).strict()`. */
function unwrapCall(value: Expression | null): Expression | null {
  let bare = unwrapValue(value);
  while (
    bare?.type === 'CallExpression' ||
    bare?.type === 'NewExpression' ||
    bare?.type === 'ArrowFunctionExpression'
  ) {
    if (bare.type === 'ArrowFunctionExpression') {
      if (bare.body.type === 'BlockStatement') return bare;
      bare = unwrapValue(bare.body);
      continue;
    }
    const given = bare.arguments.find(({ type }) => type === 'ObjectExpression' || type === 'ClassExpression');
    if (given !== undefined) return given as Expression;
    if (bare.callee.type !== 'MemberExpression') return bare;
    bare = unwrapValue(bare.callee.object);
  }
  return bare;
}

/** Identifiers, and names with hyphens, which need no brackets in an address. */
const PLAIN = /^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u;

/** Returns the address form of a quoted name, without quotes if it needs none. */
function quoteSymbolName(value: string): string {
  return PLAIN.test(value) ? value : `['${value.replaceAll(/['\\]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ')}']`;
}

/** Returns the address form of a member's key: `send`, `#state`, `[Symbol.iterator]`, `['two words']`. */
function readKeyName(
  { key, computed }: { readonly key: PropertyKey; readonly computed: boolean },
  text: string,
): string {
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  if (key.type === 'Identifier' && !computed) return key.name;
  if (key.type === 'Literal' && typeof key.value === 'string') return quoteSymbolName(key.value);
  const written = copyText(text.slice(key.start, key.end).replaceAll(/\s+/g, ' '));
  return computed ? `[${written}]` : written;
}

/** Returns the name between the braces of an import or export. */
export function readExportName(name: ModuleExportName): string {
  return name.type === 'Literal' ? quoteSymbolName(name.value) : name.name;
}

/** Lists the names that a pattern binds, in order: `a`, `b` and `c` of `{ a, x: [b], ...c }`. */
export function listBindings(pattern: BindingPattern): readonly BindingIdentifier[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'AssignmentPattern':
      return listBindings(pattern.left);
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) =>
        element === null ? [] : listBindings(element.type === 'RestElement' ? element.argument : element),
      );
    default:
      return pattern.properties.flatMap((property) =>
        listBindings(property.type === 'RestElement' ? property.argument : property.value),
      );
  }
}

/** Lists the names of a namespace, outermost first; several for `namespace A.B`. */
export function listNamespaceNames({ id }: TSModuleDeclaration | TSGlobalDeclaration): readonly string[] {
  if (id.type === 'Literal') return [quoteSymbolName(id.value)];
  const names: string[] = [];
  let left: typeof id | { readonly type: 'ThisExpression' } = id;
  while (left.type === 'TSQualifiedName') {
    names.unshift(left.right.name);
    left = left.left as typeof id;
  }
  return left.type === 'Identifier' ? [left.name, ...names] : names;
}

/**
 * Reads `exports.name = …`, `module.exports.name = …`, `module.exports = …`, `owner.name = …` and
 * `owner.prototype.name = …`. The owner is `exports` for the module itself, and the name is `default` for
 * `module.exports`.
 */
export function readAssignment(
  expression: Expression,
  text: string,
): { readonly owner: string; readonly name: string; readonly value: Expression } | undefined {
  if (expression.type !== 'AssignmentExpression' || expression.operator !== '=') return undefined;
  const { left, right: value } = expression;
  // `exports = module.exports = x`
  if (left.type === 'Identifier' && left.name === 'exports') return readAssignment(value, text);
  if (left.type !== 'MemberExpression') return undefined;
  const { object, property, computed } = left;
  if (isModuleExports(left)) return { owner: 'exports', name: 'default', value };
  if (property.type === 'PrivateIdentifier') return undefined;
  const name = readKeyName({ key: property, computed }, text);
  const owner = readOwner(object);
  return owner === undefined ? undefined : { owner, name, value };
}

/** Returns the owner of the members of an object: `Foo` for `Foo` and `Foo.prototype`, `this`, and `exports`. */
export function readOwner(object: Expression): string | undefined {
  if (object.type === 'ThisExpression') return 'this';
  if (object.type === 'MemberExpression' && isModuleExports(object)) return 'exports';
  const whole = isPrototype(object) ? object.object : object;
  return whole.type === 'Identifier' ? whole.name : undefined;
}

/** Reads `Object.assign(owner, { … })`: the owner and the properties. */
export function readObjectAssign(expression: Expression) {
  if (expression.type !== 'CallExpression' || expression.callee.type !== 'MemberExpression') return undefined;
  const { object, property } = expression.callee;
  const isAssign = object.type === 'Identifier' && object.name === 'Object' && property.type === 'Identifier';
  const [target, ...values] = expression.arguments;
  if (!isAssign || property.name !== 'assign' || target === undefined || target.type === 'SpreadElement')
    return undefined;
  const owner = readOwner(target);
  const properties = values.flatMap((value) => (value.type === 'ObjectExpression' ? value.properties : []));
  return owner === undefined || properties.length === 0 ? undefined : { owner, properties };
}

/** Returns true for `Owner.prototype`, whose members are those of the owner. */
export function isPrototype(node: Expression): node is MemberExpression {
  if (node.type !== 'MemberExpression' || node.computed) return false;
  return node.property.type === 'Identifier' && node.property.name === 'prototype';
}

/** Returns the module of `require('x')`; undefined for every other value. */
export function readRequire(value: Expression): string | undefined {
  if (value.type !== 'CallExpression') return undefined;
  const { callee } = value;
  const [argument] = value.arguments;
  if (callee.type !== 'Identifier' || callee.name !== 'require') return undefined;
  return argument?.type === 'Literal' && typeof argument.value === 'string' ? argument.value : undefined;
}

function isModuleExports({ object, property, computed }: MemberExpression): boolean {
  return (
    !computed &&
    object.type === 'Identifier' &&
    object.name === 'module' &&
    property.type === 'Identifier' &&
    property.name === 'exports'
  );
}
