import type {
  Declaration as DeclarationNode,
  Directive,
  ExportDefaultDeclaration,
  ExportNamedDeclaration,
  Expression,
  ImportDeclaration,
  Statement,
  TSGlobalDeclaration,
  TSModuleDeclaration,
  VariableDeclaration,
} from 'oxc-parser';
import type { CommentedText } from './comments.ts';
import {
  findSignatureEnd,
  isFunction,
  listBindings,
  listNamespaceNames,
  readAssignment,
  readDeclaration,
  readExportName,
  readMembers,
  readRequire,
  SymbolScope,
} from './declaration-parts.ts';
import type { Declaration, Origin, Span, SymbolOutline } from './outline.ts';

/** Reads the symbols of a module or namespace from its statements. */
export class ModuleReader {
  readonly #source: CommentedText;
  readonly #scope: SymbolScope;
  readonly #imported = new Map<string, Origin>();
  readonly #stars: string[] = [];
  /** The imports at the top, which are one symbol. */
  #imports: Declaration | undefined;
  #importsEnded = false;

  constructor(source: CommentedText) {
    this.#source = source;
    this.#scope = new SymbolScope(source, 'module');
  }

  /** The specifiers of `export * from`. */
  get stars(): readonly string[] {
    return this.#stars;
  }

  read(statements: readonly (Statement | Directive)[]): readonly SymbolOutline[] {
    // Exports may precede what they export.
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

  /** An exported value; the origin of an identifier is what it names. */
  #exportValue(name: string, value: Expression, node: Span): void {
    this.#scope.declare({
      name,
      kind: isFunction(value) ? 'function' : 'default export',
      node,
      head: { start: value.start, end: findSignatureEnd(value, value.end) },
      exported: true,
      members: readMembers(value, this.#source),
      origin: value.type === 'Identifier' ? this.#originOf(value.name) : undefined,
    });
  }

  /** `exports.name = …`, `module.exports = …`, and members of a symbol of the module: `route.get = …`. */
  #assign(expression: Expression, node: Span): void {
    const assigned = readAssignment(expression, this.#source.text);
    if (assigned === undefined) return;
    const { owner, name, value } = assigned;
    if (owner === 'exports') {
      // `exports.name = name` exports a declaration, and `module.exports = require('x')` re-exports a module.
      if (value.type === 'Identifier' && value.name === name && this.#scope.export(name)) return;
      const reexported = name === 'default' ? readRequire(value) : undefined;
      if (reexported !== undefined) this.#stars.push(reexported);
      return this.#exportValue(name, value, node);
    }
    this.#scope.extend(owner, {
      name,
      kind: isFunction(value) ? 'method' : 'property',
      node,
      head: { start: expression.start, end: findSignatureEnd(value, expression.end) },
      exported: true,
      members: readMembers(value, this.#source),
    });
  }

  #originOf(name: string): Origin | undefined {
    return this.#imported.get(name) ?? (this.#scope.has(name) ? { specifier: '', name } : undefined);
  }
}
