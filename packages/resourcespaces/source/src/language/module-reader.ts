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
import { assignedName, requiredModule } from './assigned-name.ts';
import { bindingNames } from './binding-names.ts';
import { declaredName, namespaceNames } from './declared-name.ts';
import { exportedName } from './exported-name.ts';
import type { Declaration, Origin, SymbolOutline } from './outline.ts';
import type { Placed, SourceView } from './source-view.ts';
import { SymbolScope } from './symbol-scope.ts';
import { valueMembers } from './value-members.ts';
import { isFunction, signatureEnd } from './value-shape.ts';

/** Goes through the statements of a module, or of a namespace, and takes note of the names. */
export class ModuleReader {
  readonly #view: SourceView;
  readonly #scope = new SymbolScope();
  readonly #imported = new Map<string, Origin>();
  readonly #stars: string[] = [];
  /** The block of imports at the top, which is read and changed as one. */
  #imports: Declaration | undefined;
  #importsEnded = false;

  constructor(view: SourceView) {
    this.#view = view;
  }

  /** Modules of which everything is passed on. */
  get stars(): readonly string[] {
    return this.#stars;
  }

  read(statements: readonly (Statement | Directive)[]): readonly SymbolOutline[] {
    // Exports may come before what they export.
    const later: (() => void)[] = [];
    for (const statement of statements) {
      this.#readOne(statement, later);
      this.#importsEnded ||= this.#imports !== undefined && statement.type !== 'ImportDeclaration';
    }
    for (const work of later) work();
    const { symbols } = this.#scope;
    if (this.#imports === undefined) return symbols;
    const imports = { name: 'import', kind: 'imports', place: 'module', exported: false } as const;
    return [{ ...imports, declarations: [this.#imports], members: [] }, ...symbols];
  }

  #readOne(node: Statement | Directive, later: (() => void)[]): void {
    switch (node.type) {
      case 'ImportDeclaration':
        return this.#import(node);
      case 'ExportNamedDeclaration':
        if (node.declaration !== null) return this.#declare(node.declaration, node, true);
        return void later.push(() => this.#exportNames(node));
      case 'ExportAllDeclaration':
        if (node.exported === null) return void this.#stars.push(node.source.value);
        return this.#reexport(exportedName(node.exported), node, { specifier: node.source.value, name: '*' });
      case 'ExportDefaultDeclaration':
        return void later.push(() => this.#exportDefault(node));
      case 'TSExportAssignment':
        return void later.push(() => this.#exportValue('default', node.expression, node));
      case 'ExpressionStatement':
        return void later.push(() => this.#assign(node.expression, node));
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

  #declare(node: DeclarationNode, statement: Placed, exported: boolean): void {
    if (node.type === 'VariableDeclaration') return this.#declareVariables(node, statement, exported);
    if (node.type === 'TSModuleDeclaration') return this.#declareNamespace(node, statement, exported);
    const { name, keyword, head, ...parts } = declaredName(node, this.#view);
    const decorators = 'decorators' in node ? node.decorators : [];
    const declaration = this.#view.declaration({ node: statement, keyword, decorators, head });
    this.#scope.declare(name, { ...parts, place: 'module', exported, declaration });
  }

  #declareVariables(node: VariableDeclaration, statement: Placed, exported: boolean): void {
    for (const { id, init, start, end } of node.declarations) {
      const isPlain = id.type === 'Identifier';
      for (const name of bindingNames(id)) {
        const head = { start: isPlain ? start : name.start, end: isPlain ? signatureEnd(init, end) : name.end };
        this.#scope.declare(name.name, {
          kind: isPlain && isFunction(init) ? 'function' : node.kind === 'const' ? 'constant' : 'variable',
          place: 'module',
          exported,
          declaration: this.#view.declaration({ node: statement, keyword: node.kind, head }),
          members: isPlain ? valueMembers(init, this.#view) : [],
        });
      }
    }
  }

  #declareNamespace(node: TSModuleDeclaration | TSGlobalDeclaration, statement: Placed, exported: boolean): void {
    const keyword = node.kind === 'global' ? 'declare' : node.kind;
    const head = { start: node.id.start, end: node.body?.start ?? node.end };
    const declaration = this.#view.declaration({ node: statement, keyword, head });
    const [first = '', ...inner] = namespaceNames(node);
    const shape = { kind: 'namespace', place: 'module', declarations: [declaration] } as const;
    const members = inner.reduceRight<readonly SymbolOutline[]>(
      (members, name) => [{ ...shape, name, exported: true, members }],
      new ModuleReader(this.#view).read(node.body?.body ?? []),
    );
    this.#scope.declare(first, { kind: 'namespace', place: 'module', exported, declaration, members });
  }

  #import(node: ImportDeclaration): void {
    const start = this.#imports?.start ?? node.start;
    const span = { start, end: node.end };
    if (!this.#importsEnded) this.#imports = { ...span, keyword: 'import', head: span };
    for (const specifier of node.specifiers) {
      const name =
        specifier.type === 'ImportDefaultSpecifier'
          ? 'default'
          : specifier.type === 'ImportNamespaceSpecifier'
            ? '*'
            : exportedName(specifier.imported);
      this.#imported.set(specifier.local.name, { specifier: node.source.value, name });
    }
  }

  #exportNames(node: ExportNamedDeclaration): void {
    for (const { local, exported } of node.specifiers) {
      const [own, name] = [exportedName(local), exportedName(exported)];
      if (node.source !== null) this.#reexport(name, node, { specifier: node.source.value, name: own });
      else if (own !== name || !this.#scope.export(own)) this.#reexport(name, node, this.#originOf(own));
    }
  }

  #reexport(name: string, node: Placed, origin: Origin | undefined): void {
    const declaration = this.#view.declaration({ node, head: node });
    this.#scope.declare(name, { kind: 're-export', place: 'module', exported: true, declaration, origin });
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
        const { name, keyword, head, ...parts } = declaredName(value, this.#view);
        const decorators = 'decorators' in value ? value.decorators : [];
        const declaration = this.#view.declaration({ node, keyword, decorators, head });
        const localName = name === '' ? undefined : name;
        return this.#scope.declare('default', { ...parts, place: 'module', exported: true, declaration, localName });
      }
      default:
        return this.#exportValue('default', value, node);
    }
  }

  /** A value that is exported as a whole; a name leads on to what it names. */
  #exportValue(name: string, value: Expression, node: Placed): void {
    const head = { start: value.start, end: signatureEnd(value, value.end) };
    this.#scope.declare(name, {
      kind: isFunction(value) ? 'function' : 'default export',
      place: 'module',
      exported: true,
      declaration: this.#view.declaration({ node, head }),
      members: valueMembers(value, this.#view),
      origin: value.type === 'Identifier' ? this.#originOf(value.name) : undefined,
    });
  }

  /** `exports.name = …`, `module.exports = …`, and what is put on something of the module: `route.get = …`. */
  #assign(expression: Expression, node: Placed): void {
    const assigned = assignedName(expression, this.#view.text);
    if (assigned === undefined) return;
    const { owner, name, value } = assigned;
    if (owner === 'exports') return this.#exportAssigned(name, value, node);
    const head = { start: expression.start, end: signatureEnd(value, expression.end) };
    this.#scope.extend(owner, {
      name,
      kind: isFunction(value) ? 'method' : 'property',
      place: 'module',
      exported: true,
      declarations: [this.#view.declaration({ node, head })],
      members: valueMembers(value, this.#view),
    });
  }

  /** `exports.name = name` exports what is declared, and `module.exports = require('x')` passes on all of a module. */
  #exportAssigned(name: string, value: Expression, node: Placed): void {
    if (value.type === 'Identifier' && value.name === name && this.#scope.export(name)) return;
    const passedOn = name === 'default' ? requiredModule(value) : undefined;
    if (passedOn !== undefined) this.#stars.push(passedOn);
    this.#exportValue(name, value, node);
  }

  #originOf(name: string): Origin | undefined {
    return this.#imported.get(name) ?? (this.#scope.has(name) ? { specifier: '', name } : undefined);
  }
}
