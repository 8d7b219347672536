import { type CallExpression, type FunctionBody, type Program, type Statement, Visitor } from 'oxc-parser';
import type { Span, SymbolOutline } from './outline.ts';

/** What a function, or a block of a module, declares. */
export interface InnerScope extends Span {
  readonly symbols: readonly SymbolOutline[];
  /** The fields of `this` that it assigns. */
  readonly fields: readonly SymbolOutline[];
}

/** Reads the statements of a function. */
type ReadScope = (statements: readonly Statement[]) => Omit<InnerScope, 'start' | 'end'>;

/** Reads all functions of a program, the outer ones first. */
export function readInnerScopes({ program, read }: { readonly program: Program; readonly read: ReadScope }) {
  const scopes: InnerScope[] = [];
  const visit = ({ body }: { readonly body: FunctionBody | object | null }): void => {
    if (body === null || !isBody(body)) return;
    scopes.push({ ...read(listStatements(body.body)), start: body.start, end: body.end });
  };
  for (const statement of program.body) {
    const inside = listBlocks(statement).flatMap(listStatements);
    if (inside.length > 0) scopes.push({ ...read(inside), fields: [], start: statement.start, end: statement.end });
  }
  new Visitor({
    CallExpression(call) {
      const passed = listPassedFunctions(call);
      if (passed.length > 0) scopes.push({ ...read(passed), fields: [], start: call.start, end: call.end });
    },
    FunctionDeclaration: visit,
    FunctionExpression: visit,
    ArrowFunctionExpression: visit,
  }).visit(program);
  return scopes.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/** Lists the functions with names that are passed to a call, as if a function returned them. */
function listPassedFunctions({ arguments: all }: CallExpression): readonly Statement[] {
  return all.flatMap((argument) => {
    if (argument.type !== 'FunctionExpression' || argument.id === null) return [];
    const { start, end } = argument;
    return [{ type: 'ReturnStatement' as const, argument, start, end }];
  });
}

function isBody(body: object): body is { readonly body: readonly Statement[] } & Span {
  return 'body' in body && Array.isArray(body.body);
}

/** Lists statements together with those in their blocks: all that belong to one function. */
function listStatements(statements: readonly Statement[]): readonly Statement[] {
  return statements.flatMap((statement) => [statement, ...listBlocks(statement).flatMap(listStatements)]);
}

/** Lists the statements in each block of a statement. */
export function listBlocks(node: Statement): readonly (readonly Statement[])[] {
  switch (node.type) {
    case 'BlockStatement':
      return [node.body];
    case 'IfStatement':
      return [[node.consequent], ...(node.alternate === null ? [] : [[node.alternate]])];
    case 'ForStatement':
    case 'ForInStatement':
    case 'ForOfStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
    case 'LabeledStatement':
      return [[node.body]];
    case 'TryStatement':
      return [node.block, node.handler?.body, node.finalizer].flatMap((block) => (block ? [block.body] : []));
    case 'SwitchStatement':
      return node.cases.map(({ consequent }) => consequent);
    default:
      return [];
  }
}

/** Adds what functions declare to the symbols that contain them, or else to the module. */
export function nestScopes(symbols: readonly SymbolOutline[], scopes: readonly InnerScope[]): readonly SymbolOutline[] {
  const all = new Map(symbols.map((symbol) => [symbol.name, symbol]));
  for (const scope of scopes) if (!findAround([...all.values()], scope)) addMissing(all, scope.symbols);
  return Array.from(all.values(), (symbol) => {
    const inside = scopes.filter((scope) => isAround(symbol, scope));
    if (inside.length === 0) return symbol;
    const members = new Map(nestScopes(symbol.members, inside).map((member) => [member.name, member]));
    const nested = [...members.values()];
    for (const { fields } of inside.filter((scope) => isThis(symbol, nested, scope))) addMissing(members, fields);
    return { ...symbol, members: [...members.values()] };
  });
}

/** Tests whether `this` in a function is an instance of a symbol: a class, an object, or the function itself. */
function isThis({ kind }: SymbolOutline, members: readonly SymbolOutline[], scope: InnerScope): boolean {
  const member = findAround(members, scope);
  if (member === undefined) return !isMethod(kind);
  return isMethod(member.kind) && findAround(member.members, scope) === undefined;
}

function isMethod(kind: SymbolOutline['kind']): boolean {
  return kind === 'method' || kind === 'accessor';
}

function addMissing(all: Map<string, SymbolOutline>, added: readonly SymbolOutline[]): void {
  for (const symbol of added) if (!all.has(symbol.name)) all.set(symbol.name, symbol);
}

function findAround(symbols: readonly SymbolOutline[], inner: Span): SymbolOutline | undefined {
  return symbols.find((symbol) => isAround(symbol, inner));
}

/** Tests whether a range is in a declaration of a symbol, or of a member that is assigned elsewhere. */
function isAround({ declarations, members }: SymbolOutline, inner: Span): boolean {
  return (
    declarations.some(({ start, end }) => start <= inner.start && inner.end <= end) ||
    findAround(members, inner) !== undefined
  );
}
