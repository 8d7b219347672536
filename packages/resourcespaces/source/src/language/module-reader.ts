import type {
  Declaration as DeclarationNode,
  Directive,
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  Expression,
  ImportDeclaration,
  ReturnStatement,
  Statement,
  TSGlobalDeclaration,
  TSModuleDeclaration,
  VariableDeclaration,
} from 'oxc-parser';
import type { CommentedText } from './comments.ts';
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
import { listSpreadModules, readExportCalls } from './export-calls.ts';
import { type ModuleWrapper, readCalledBody, readModuleWrapper } from './module-wrappers.ts';
import type { Declaration, Origin, Span, SymbolOutline } from './outline.ts';

/** Reads the symbols of a module, namespace or function from its statements. */
export class ModuleReader {
  readonly #source: CommentedText;
  readonly #place: 'module' | 'function';
  readonly #scope: SymbolScope;
  readonly #fields: SymbolScope;
  readonly #imported = new Map<string, Origin>();
  /** Owners of the objects that are the prototype of another: `Foo` for `const proto = Foo.prototype`. */
  readonly #prototypes = new Map<string, string>();
  /** Modules by the names of the constants that they are required as. */
  readonly #required = new Map<string, string>();
  readonly #stars: string[] = [];
  #wrapper: ModuleWrapper | undefined;
  /** The imports at the top, which form one symbol. */
  #imports: Declaration | undefined;
  #importsEnded = false;

  constructor(source: CommentedText, place: 'module' | 'function' = 'module') {
    this.#source = source;
    this.#place = place;
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

  /** The range of the declarations of a script in a function; undefined for any other. */
  get body(): Span | undefined {
    const last = this.#scope.symbols.flatMap(({ origin, declarations, name }) =>
      origin === undefined && name !== 'default' ? declarations : [],
    );
    return this.#wrapper && { start: this.#wrapper.body.start, end: last.at(-1)?.end ?? this.#wrapper.body.start };
  }

  read(statements: readonly (Statement | Directive)[]): readonly SymbolOutline[] {
    // Exports may precede the declarations that they export.
    const deferred: (() => void)[] = [];
    for (const statement of this.#unwrap(statements)) {
      this.#readStatement(statement, deferred);
      this.#importsEnded ||= this.#imports !== undefined && statement.type !== 'ImportDeclaration';
    }
    for (const work of deferred) work();
    const { symbols } = this.#scope;
    if (this.#imports === undefined) return symbols;
    const imports = { name: 'import', kind: 'imports', place: 'module', exported: false } as const;
    return [{ ...imports, declarations: [this.#imports], members: [] }, ...symbols];
  }

  /** Reads the statements in a function that wraps a script as those of the module. */
  #unwrap(statements: readonly (Statement | Directive)[]): readonly (Statement | Directive)[] {
    if (this.#place === 'function') return statements;
    return statements.flatMap((statement) => {
      const wrapper = readModuleWrapper(statement);
      this.#wrapper ??= wrapper;
      return wrapper?.statements ?? [statement];
    });
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
        if (this.#wrapper === undefined || node.argument === null) return this.#declareReturned(node);
        if (!this.#wrapper.returns) return undefined;
        return void deferred.push(() => this.#exportValue('default', node.argument!, node));
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
          head: isPlain ? { start, end: findHeadEnd(init, end) } : name,
          exported,
          members: isPlain ? this.#readMembers(init) : [],
        });
      }
      const specifier = isPlain && init !== null ? readRequire(init) : undefined;
      if (isPlain && specifier !== undefined) this.#required.set(id.name, specifier);
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

  /** Reads the members of a value; for a function that is called at once, those of what it returns. */
  #readMembers(value: Expression | null): readonly SymbolOutline[] {
    const body = readCalledBody(value);
    if (body === undefined) return readMembers(value, this.#source);
    const returned = body.body.findLast((one) => one.type === 'ReturnStatement')?.argument ?? null;
    const inner = new Map(
      new ModuleReader(this.#source, 'function').read(body.body).map((symbol) => [symbol.name, symbol]),
    );
    if (returned?.type === 'Identifier') return inner.get(returned.name)?.members ?? [];
    const own = new Set(listOwnNames(returned));
    return readMembers(returned, this.#source).map((member) => {
      const named = own.has(member.name) ? inner.get(member.name) : undefined;
      return named?.kind === 'function' ? { ...named, exported: true, key: member.declarations[0]!.head } : member;
    });
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
      head: { start: value.start, end: findHeadEnd(value, value.end) },
      exported: true,
      members: this.#readMembers(value),
      origin: value.type === 'Identifier' ? this.#originOf(value.name) : undefined,
      localName: name === 'default' && 'id' in value && value.id?.type === 'Identifier' ? value.id.name : undefined,
    });
  }

  /** Reads `exports.name = …`, `module.exports = …`, and members of a symbol of the module: `route.get = …`. */
  #assign(expression: Expression, node: Span): void {
    const assigned = readAssignment(expression, this.#source.text);
    if (assigned === undefined) {
      for (const call of readExportCalls(expression)) {
        if (call.type === 'star') this.#stars.push(call.specifier);
        else this.#exportDefined(call.name, call.value, node);
      }
      return this.#assignObject(expression);
    }
    const { owner, name, value } = assigned;
    if (owner === 'exports' || this.#wrapper?.globals.has(owner) === true) {
      // `exports.name = name` exports a declaration, and `module.exports = require('x')` re-exports a module.
      if (value.type === 'Identifier' && value.name === name && this.#scope.export(name)) return;
      const reexported = name === 'default' ? readRequire(value) : undefined;
      if (reexported !== undefined) this.#stars.push(reexported);
      if (name === 'default') this.#stars.push(...listSpreadModules(value));
      return this.#exportValue(name, value, node);
    }
    const member = {
      name,
      kind: isFunction(value) ? 'method' : 'property',
      node,
      head: { start: expression.start, end: findHeadEnd(value, expression.end) },
      exported: true,
      members: this.#readMembers(value),
    } as const;
    if (owner === 'this') this.#fields.declare(member);
    else this.#scope.extend(this.#prototypes.get(owner) ?? owner, member);
  }

  /** Declares a name that is exported by a call: a declaration, a name of another module, or a value. */
  #exportDefined(name: string, value: Expression, node: Span): void {
    if (value.type === 'Identifier' && value.name === name && this.#scope.export(name)) return;
    if (value.type !== 'MemberExpression' || value.object.type !== 'Identifier')
      return this.#exportValue(name, value, node);
    const specifier = this.#required.get(value.object.name);
    const member = value.property.type === 'Identifier' && !value.computed ? value.property.name : undefined;
    if (specifier === undefined || member === undefined) return this.#exportValue(name, value, node);
    return this.#reexport(name, node, { specifier, name: member });
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

/** Returns the end of the signature of a value; for a function that is called at once, the start of its body. */
function findHeadEnd(value: Expression | null, end: number): number {
  return readCalledBody(value)?.start ?? findSignatureEnd(value, end);
}

/** Lists the keys of an object whose value is a variable of the same name: `add` of `{ add: add }` and `{ add }`. */
function listOwnNames(value: Expression | null): readonly string[] {
  if (value?.type !== 'ObjectExpression') return [];
  return value.properties.flatMap((one) => {
    if (one.type !== 'Property' || one.computed || one.key.type !== 'Identifier') return [];
    return one.value.type === 'Identifier' && one.value.name === one.key.name ? [one.key.name] : [];
  });
}
