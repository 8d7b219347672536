import {
  type Declaration as DeclarationNode,
  type Directive,
  type ExportDefaultDeclaration,
  type ExportNamedDeclaration,
  type Expression,
  type ImportDeclaration,
  type ParseResult,
  parseSync,
  type Program,
  type ReturnStatement,
  type Statement,
  type TSGlobalDeclaration,
  type TSModuleDeclaration,
  type VariableDeclaration,
  Visitor,
} from 'oxc-parser';
import { CommentedText, extractSentence, findDocTypes } from './comments.ts';
import {
  findSignatureEnd,
  isFunction,
  isPrototype,
  listBindings,
  listNamespaceNames,
  outlineMembers,
  readAssignment,
  readDeclaration,
  readExportName,
  readMembers,
  readObjectAssign,
  readOwner,
  readRequire,
  SymbolScope,
} from './declaration-parts.ts';
import { nestScopes, readInnerScopes } from './inner-scopes.ts';
import {
  type Declaration,
  isJavaScript,
  type LanguageReader,
  type Origin,
  type Outline,
  type SourceText,
  type Span,
  type Surroundings,
  type SymbolOutline,
  type SyntaxProblem,
} from './outline.ts';

/** The frames that turn a piece of text into a program. The first line of a frame is a line of its own. */
const FRAMES: Readonly<Record<Surroundings, readonly [before: string, after: string]>> = {
  module: ['', ''],
  // Abstract and derived, so that every kind of member is valid; JavaScript has no abstract classes.
  class: ['abstract class A extends B {\n', '\n}'],
  interface: ['interface A {\n', '\n}'],
  enum: ['enum A {\n', '\n}'],
  object: ['const A = {\n', '\n}'],
  function: ['async function A() {\n', '\n}'],
};

/** Reads TypeScript and JavaScript, with and without JSX. Nothing here throws. */
export const typescriptOutline: LanguageReader = {
  outline(source) {
    return readOutline(parseText(source), source);
  },

  parse({ text, path }, place) {
    const [start, after] = FRAMES[place];
    const before = isJavaScript(path) ? start.replace('abstract ', '') : start;
    const framed = { text: before + text + after, path, inner: place === 'function' };
    const offset = before.length;
    const result = parseText(framed);
    const { symbols, problem: own } = readOutline(result, framed);
    const literals = findLiterals(result.program).map(({ start, end }) => ({
      start: start - offset,
      end: end - offset,
    }));
    if (place === 'module') return { symbols, offset, literals, ...(own && { problem: own }) };
    const [, second] = result.program.body;
    const problem = own ?? (second && problemAt(second.start, 'it closes the declaration around it', framed.text));
    if (problem === undefined) return { symbols: symbols[0]?.members ?? [], offset, literals };
    // A problem at the end is reported on the last line of the piece.
    const line = Math.min(Math.max(problem.line - 1, 1), text.split('\n').length);
    return { symbols: [], offset, literals, problem: { ...problem, line } };
  },
};

function findLiterals(program: Program): readonly Span[] {
  const spans: Span[] = [];
  const keep = (span: Span): void => void spans.push(span);
  new Visitor({
    TemplateElement: keep,
    JSXText: keep,
    Literal: (node) => {
      if (typeof node.value === 'string') keep(node);
    },
  }).visit(program);
  return spans;
}

function parseText({ path, text }: SourceText): ParseResult {
  const ending = /\.([cm]?[jt]s|[jt]sx)$/.exec(path)?.[1] ?? 'ts';
  const lang = ending === 'tsx' ? 'tsx' : ending.includes('t') ? 'ts' : 'jsx';
  // Scripts may contain syntax that is invalid in modules.
  const sourceType = ending === 'cjs' ? 'commonjs' : ending === 'js' || ending === 'jsx' ? 'unambiguous' : 'module';
  const declares = /\.d\.[cm]?ts$/.test(path);
  return parseSync(path, text, { lang: declares ? 'dts' : lang, sourceType, astType: 'ts', preserveParens: false });
}

function readOutline({ comments, program, errors }: ParseResult, { text, path, inner = false }: SourceText): Outline {
  const source = new CommentedText(text, comments, inner);
  const reader = new ModuleReader(source);
  const visible = reader.read(program.body);
  const declared = inner
    ? nestScopes(visible, readInnerScopes({ program, read: (all) => readFunction(source, all) }))
    : visible;
  const symbols = isJavaScript(path) ? addTypes(declared, findDocTypes(comments, text)) : declared;
  const about = findModuleDoc(source, symbols);
  const doc = about === undefined ? '' : extractSentence(text.slice(about.start, about.end));
  const [error] = errors;
  const problem = error && problemAt(error.labels[0]?.start ?? 0, error.message, text);
  return { doc, symbols, stars: reader.stars, ...(problem !== undefined && { problem }) };
}

/** Inserts types in source order; a declaration, or else the first type, replaces others of its name. */
function addTypes(declared: readonly SymbolOutline[], types: readonly SymbolOutline[]): readonly SymbolOutline[] {
  if (types.length === 0) return declared;
  const byName = new Map([...types.toReversed(), ...declared].map((symbol) => [symbol.name, symbol]));
  return [...byName.values()].toSorted((a, b) => getNameStart(a) - getNameStart(b));
}

function getNameStart({ declarations }: SymbolOutline): number {
  return declarations[0]?.head.start ?? 0;
}

/** Finds a comment on the module as a whole, or else the doc comment of its first export, or else the first one. */
function findModuleDoc({ topComment: top, firstDoc }: CommentedText, symbols: readonly SymbolOutline[]) {
  if (top !== undefined && !symbols.some(({ declarations }) => declarations[0]?.doc?.start === top.start)) return top;
  const exported = symbols.find(({ exported, declarations }) => exported && declarations[0]?.doc !== undefined);
  return exported?.declarations[0]?.doc ?? firstDoc;
}

function problemAt(index: number, message: string, text: string): SyntaxProblem {
  const before = text.slice(0, index);
  return { message, line: before.split('\n').length, column: index - before.lastIndexOf('\n') };
}

/** Reads what the statements of a function declare, and the fields of `this` that they assign. */
function readFunction(source: CommentedText, statements: readonly Statement[]) {
  const reader = new ModuleReader(source, 'function');
  const symbols = reader.read(statements);
  return { symbols, fields: reader.fields };
}

/** Reads the symbols of a module, namespace or function from its statements. */
class ModuleReader {
  readonly #source: CommentedText;
  readonly #scope: SymbolScope;
  readonly #fields: SymbolScope;
  readonly #imported = new Map<string, Origin>();
  /** Owners of the objects that are the prototype of another: `Foo` for `const proto = Foo.prototype`. */
  readonly #prototypes = new Map<string, string>();
  readonly #stars: string[] = [];
  /** The imports at the top, which form one symbol. */
  #imports: Declaration | undefined;
  #importsEnded = false;

  constructor(source: CommentedText, place: 'module' | 'function' = 'module') {
    this.#source = source;
    this.#scope = new SymbolScope(source, place);
    this.#fields = new SymbolScope(source, place);
  }

  /** The fields of `this` that are assigned. */
  get fields(): readonly SymbolOutline[] {
    return this.#fields.symbols;
  }

  get stars(): readonly string[] {
    return this.#stars;
  }

  read(statements: readonly (Statement | Directive)[]): readonly SymbolOutline[] {
    // Exports may precede the declarations that they export.
    const deferred: (() => void)[] = [];
    for (const statement of statements) {
      this.#readStatement(statement, deferred);
      this.#importsEnded ||= this.#imports !== undefined && statement.type !== 'ImportDeclaration';
    }
    for (const work of deferred) work();
    const { symbols } = this.#scope;
    if (this.#imports === undefined) return symbols;
    const imports = { name: 'import', kind: 'imports', place: 'module', exported: false } as const;
    return [{ ...imports, declarations: [this.#imports], members: [] }, ...symbols];
  }

  #readStatement(node: Statement | Directive, deferred: (() => void)[]): void {
    switch (node.type) {
      case 'ImportDeclaration':
        return this.#import(node);
      case 'ExportNamedDeclaration':
        if (node.declaration !== null) return this.#declare(node.declaration, node, true);
        return void deferred.push(() => this.#exportNames(node));
      case 'ExportAllDeclaration':
        if (node.exported === null) return void this.#stars.push(node.source.value);
        return this.#reexport(readExportName(node.exported), node, { specifier: node.source.value, name: '*' });
      case 'ExportDefaultDeclaration':
        return void deferred.push(() => this.#exportDefault(node));
      case 'TSExportAssignment':
        return void deferred.push(() => this.#exportValue('default', node.expression, node));
      case 'ReturnStatement':
        return this.#declareReturned(node);
      case 'ExpressionStatement':
        return void deferred.push(() => this.#assign(node.expression, node));
      case 'VariableDeclaration':
      case 'FunctionDeclaration':
      case 'TSDeclareFunction':
      case 'ClassDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSEnumDeclaration':
      case 'TSModuleDeclaration':
      case 'TSImportEqualsDeclaration':
        return this.#declare(node, node, false);
    }
  }

  #declare(node: DeclarationNode, statement: Span, exported: boolean): void {
    if (node.type === 'VariableDeclaration') return this.#declareVariables(node, statement, exported);
    if (node.type === 'TSModuleDeclaration') return this.#declareNamespace(node, statement, exported);
    this.#scope.declare({ ...readDeclaration(node, this.#source), node: statement, exported });
  }

  /** Declares the function or class with a name that a function returns at once. */
  #declareReturned(node: ReturnStatement): void {
    const { argument: value } = node;
    if (value?.type !== 'FunctionExpression' && value?.type !== 'ClassExpression') return;
    if (value.id) this.#scope.declare({ ...readDeclaration(value, this.#source), node, exported: false });
  }

  #declareVariables(node: VariableDeclaration, statement: Span, exported: boolean): void {
    for (const { id, init, start, end } of node.declarations) {
      const isPlain = id.type === 'Identifier';
      for (const name of listBindings(id)) {
        this.#scope.declare({
          name: name.name,
          kind: isPlain && isFunction(init) ? 'function' : node.kind === 'const' ? 'constant' : 'variable',
          node: statement,
          keyword: node.kind,
          head: isPlain ? { start, end: findSignatureEnd(init, end) } : name,
          exported,
          members: isPlain ? readMembers(init, this.#source) : [],
        });
      }
      if (isPlain && init !== null && isPrototype(init)) this.#prototypes.set(id.name, readOwner(init)!);
      // `var app = exports = module.exports = {}`
      const whole = init && isPlain ? readAssignment(init, this.#source.text) : undefined;
      if (whole?.owner !== 'exports' || whole.name !== 'default' || !isPlain) continue;
      this.#scope.declare({
        name: 'default',
        kind: 'default export',
        node: statement,
        head: { start, end },
        exported: true,
        origin: { specifier: '', name: id.name },
      });
    }
  }

  #declareNamespace(node: TSModuleDeclaration | TSGlobalDeclaration, statement: Span, exported: boolean): void {
    const keyword = node.kind === 'global' ? 'declare' : node.kind;
    const head = { start: node.id.start, end: node.body?.start ?? node.end };
    const parts = { kind: 'namespace', node: statement, keyword, head } as const;
    const [first = '', ...inner] = listNamespaceNames(node);
    let members = new ModuleReader(this.#source).read(node.body?.body ?? []);
    for (const name of inner.toReversed()) {
      const scope = new SymbolScope(this.#source, 'module');
      scope.declare({ ...parts, name, exported: true, members });
      members = scope.symbols;
    }
    this.#scope.declare({ ...parts, name: first, exported, members });
  }

  #import(node: ImportDeclaration): void {
    const span = { start: this.#imports?.start ?? node.start, end: node.end };
    if (!this.#importsEnded) this.#imports = { ...span, keyword: 'import', head: span };
    for (const specifier of node.specifiers) {
      const name = specifier.type === 'ImportSpecifier' ? readExportName(specifier.imported) : undefined;
      const implied = specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*';
      this.#imported.set(specifier.local.name, { specifier: node.source.value, name: name ?? implied });
    }
  }

  #exportNames(node: ExportNamedDeclaration): void {
    for (const { local, exported } of node.specifiers) {
      const [own, name] = [readExportName(local), readExportName(exported)];
      if (node.source !== null) this.#reexport(name, node, { specifier: node.source.value, name: own });
      else if (own !== name || !this.#scope.export(own)) this.#reexport(name, node, this.#originOf(own));
    }
  }

  #reexport(name: string, node: Span, origin: Origin | undefined): void {
    this.#scope.declare({ name, kind: 're-export', node, exported: true, origin });
  }

  #exportDefault(node: ExportDefaultDeclaration): void {
    const { declaration: value } = node;
    switch (value.type) {
      case 'ClassDeclaration':
      case 'ClassExpression':
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'TSDeclareFunction':
      case 'TSEmptyBodyFunctionExpression':
      case 'TSInterfaceDeclaration': {
        const { name, ...parts } = readDeclaration(value, this.#source);
        const localName = name === '' ? undefined : name;
        return this.#scope.declare({ ...parts, name: 'default', node, exported: true, localName });
      }
      default:
        return this.#exportValue('default', value, node);
    }
  }

  /** Declares an exported value; an exported identifier originates from the symbol that it names. */
  #exportValue(name: string, value: Expression, node: Span): void {
    this.#scope.declare({
      name,
      kind: isFunction(value) ? 'function' : 'default export',
      node,
      head: { start: value.start, end: findSignatureEnd(value, value.end) },
      exported: true,
      members: readMembers(value, this.#source),
      origin: value.type === 'Identifier' ? this.#originOf(value.name) : undefined,
      localName: name === 'default' && 'id' in value && value.id?.type === 'Identifier' ? value.id.name : undefined,
    });
  }

  /** Reads `exports.name = …`, `module.exports = …`, and members of a symbol of the module: `route.get = …`. */
  #assign(expression: Expression, node: Span): void {
    const assigned = readAssignment(expression, this.#source.text);
    if (assigned === undefined) return this.#assignObject(expression);
    const { owner, name, value } = assigned;
    if (owner === 'exports') {
      // `exports.name = name` exports a declaration, and `module.exports = require('x')` re-exports a module.
      if (value.type === 'Identifier' && value.name === name && this.#scope.export(name)) return;
      const reexported = name === 'default' ? readRequire(value) : undefined;
      if (reexported !== undefined) this.#stars.push(reexported);
      return this.#exportValue(name, value, node);
    }
    const member = {
      name,
      kind: isFunction(value) ? 'method' : 'property',
      node,
      head: { start: expression.start, end: findSignatureEnd(value, expression.end) },
      exported: true,
      members: readMembers(value, this.#source),
    } as const;
    if (owner === 'this') this.#fields.declare(member);
    else this.#scope.extend(this.#prototypes.get(owner) ?? owner, member);
  }

  /** Reads `Object.assign(exports, { … })`, and the same for a symbol of the module. */
  #assignObject(expression: Expression): void {
    const assigned = readObjectAssign(expression);
    if (assigned === undefined) return;
    const { owner, properties } = assigned;
    const members = outlineMembers(new SymbolScope(this.#source, 'object'), properties, 1);
    if (owner !== 'exports') return this.#scope.add(members, this.#prototypes.get(owner) ?? owner);
    this.#scope.add(members.filter(({ name, kind }) => kind === 'method' || !this.#scope.export(name)));
  }

  #originOf(name: string): Origin | undefined {
    return this.#imported.get(name) ?? (this.#scope.has(name) ? { specifier: '', name } : undefined);
  }
}
