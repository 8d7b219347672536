import type { Declaration, Span, SymbolKind, SymbolOutline } from '@bae/source';
import type { Node } from 'web-tree-sitter';

type Place = 'module' | 'class' | 'function';

/** One declaration of a name, before declarations of the same name are joined. */
interface Declared {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly declaration: Declaration;
  readonly members?: readonly SymbolOutline[];
}

/** Statements whose blocks belong to the enclosing scope. */
const TRANSPARENT = new Set([
  'block',
  'if_statement',
  'elif_clause',
  'else_clause',
  'try_statement',
  'except_clause',
  'finally_clause',
  'with_statement',
]);
/** Statements of functions whose blocks do. */
const LOOPS = new Set(['for_statement', 'while_statement', 'match_statement', 'case_clause']);
const IMPORTS = new Set(['import_statement', 'import_from_statement', 'future_import_statement']);
const ACCESSOR = /^@(?:[\w.]*property|[\w.]+\.(?:setter|getter|deleter))\b/;

/** Where symbols are, and whether what is inside of functions is read too. */
export interface Scope {
  readonly place: Place;
  readonly inner: boolean;
}

/** Lists the symbols of a module or class body in the order of the text; declarations of one name are one symbol. */
export function readSymbols(scope: Node, how: Scope): readonly SymbolOutline[] {
  const { place, inner } = how;
  const declared = readStatements(scope, how);
  const exports = readExports(scope);
  const isExported = (name: string) => exports?.has(name) ?? isPublicName(name);
  const byName = Map.groupBy(declared, ({ name }) => name);
  const symbols = [...byName].map(([name, all]): SymbolOutline => {
    const [first] = all as [Declared, ...Declared[]];
    return {
      name,
      kind: first.kind,
      place,
      exported: isExported(name),
      declarations: all.map(({ declaration }) => declaration),
      members: all.flatMap(({ members = [] }) => members),
    };
  });
  if (inner && place === 'class') symbols.push(...readAssignedFields(scope).filter(({ name }) => !byName.has(name)));
  const imports = place === 'module' ? findImports(scope) : undefined;
  if (imports === undefined) return symbols;
  const declarations = [{ ...imports, keyword: 'import', head: imports }];
  return [{ name: 'import', kind: 'imports', place, exported: false, declarations, members: [] }, ...symbols];
}

/** Finds the docstring of a module, class or function, without its quotes. */
export function readDocstring(body: Node | null): Span | undefined {
  const first = body?.namedChildren.find((child) => child?.type !== 'comment');
  const text = first?.type === 'expression_statement' ? first.namedChild(0) : undefined;
  const content = text?.type === 'string' ? text.namedChildren.find((part) => part?.type === 'string_content') : null;
  return content ? { start: content.startIndex, end: content.endIndex } : undefined;
}

/**
 * Tests whether a name is public: it does not begin with an underscore, or it begins and ends with two, as names of the
 * language do.
 */
function isPublicName(name: string): boolean {
  return !name.startsWith('_') || /^__.+__$/.test(name);
}

function readStatements(scope: Node, how: Scope): readonly Declared[] {
  return scope.namedChildren.flatMap((node) => (node === null ? [] : readStatement(node, node, how)));
}

/**
 * @param whole the statement including its decorators
 */
function readStatement(node: Node, whole: Node, how: Scope): readonly Declared[] {
  const { place } = how;
  switch (node.type) {
    case 'decorated_definition': {
      const definition = node.childForFieldName('definition');
      return definition === null ? [] : readStatement(definition, node, how);
    }
    case 'class_definition':
      return [readDefinition(node, { whole, kind: 'class' }, how)];
    case 'function_definition':
      return [readDefinition(node, { whole, kind: place === 'class' ? readMethodKind(whole) : 'function' }, how)];
    case 'type_alias_statement':
      return readTargets(node.childForFieldName('left') ?? node.namedChild(0)).map((name) =>
        declareValue(name, node, 'type'),
      );
    case 'expression_statement': {
      const value = node.namedChild(0);
      return value?.type === 'assignment' ? readAssigned(value, node, place) : [];
    }
    default:
      return TRANSPARENT.has(node.type) || (place === 'function' && LOOPS.has(node.type))
        ? readStatements(node, how)
        : [];
  }
}

function readMethodKind(whole: Node): SymbolKind {
  const isAccessor = whole.namedChildren.some((child) => child?.type === 'decorator' && ACCESSOR.test(child.text));
  return isAccessor ? 'accessor' : 'method';
}

interface Definition {
  /** The statement including its decorators. */
  readonly whole: Node;
  readonly kind: SymbolKind;
}

function readDefinition(node: Node, { whole, kind }: Definition, { inner }: Scope): Declared {
  const name = node.childForFieldName('name') as Node;
  const body = node.childForFieldName('body');
  const last = node.children.findLast(
    (child) => child !== null && child.type === ':' && child.endIndex <= (body?.startIndex ?? node.endIndex),
  );
  const doc = readDocstring(body);
  return {
    name: name.text,
    kind,
    declaration: {
      start: whole.startIndex,
      end: whole.endIndex,
      keyword: kind === 'class' ? 'class' : node.child(0)?.type === 'async' ? 'async def' : 'def',
      head: { start: name.startIndex, end: last?.startIndex ?? name.endIndex },
      ...(doc !== undefined && { doc }),
    },
    ...(body !== null &&
      (inner || kind === 'class') && {
        members: readSymbols(body, { place: kind === 'class' ? 'class' : 'function', inner }),
      }),
  };
}

/** Reads the fields that the functions of a class assign, `self.a = 1`, each where it is assigned first. */
export function readAssignedFields(scope: Node): readonly SymbolOutline[] {
  const found = new Map<string, SymbolOutline>();
  for (const assignment of scope.descendantsOfType('assignment')) {
    const statement = assignment?.parent;
    const left = assignment?.childForFieldName('left');
    for (const target of left?.type === 'pattern_list' ? left.namedChildren : [left]) {
      const name = target?.type === 'attribute' ? target.childForFieldName('attribute') : undefined;
      if (!name || !statement || target?.childForFieldName('object')?.text !== 'self' || found.has(name.text)) continue;
      const { kind, declaration } = declareValue(name, statement, 'property');
      found.set(name.text, {
        name: name.text,
        kind,
        place: 'function',
        exported: isPublicName(name.text),
        declarations: [declaration],
        members: [],
      });
    }
  }
  return [...found.values()];
}

function readAssigned(assignment: Node, statement: Node, place: Place): readonly Declared[] {
  return readTargets(assignment.childForFieldName('left')).map((name) => {
    const kind = place === 'class' ? 'property' : /^[A-Z\d_]+$/.test(name.text) ? 'constant' : 'variable';
    return declareValue(name, statement, kind);
  });
}

function declareValue(name: Node, { startIndex: start, endIndex: end }: Node, kind: SymbolKind): Declared {
  return { name: name.text, kind, declaration: { start, end, keyword: '', head: { start: name.startIndex, end } } };
}

const TARGETS = new Set(['pattern_list', 'tuple_pattern', 'list_pattern', 'type']);

function readTargets(target: Node | null): readonly Node[] {
  if (target === null) return [];
  if (target.type === 'identifier') return [target];
  return target.descendantsOfType('identifier').filter(({ parent }) => TARGETS.has(parent?.type ?? ''));
}

/** Reads the names in `__all__`, if a module defines it. */
function readExports(scope: Node): ReadonlySet<string> | undefined {
  for (const statement of scope.namedChildren) {
    const value = statement?.type === 'expression_statement' ? statement.namedChild(0) : null;
    if (value?.type !== 'assignment' || value.childForFieldName('left')?.text !== '__all__') continue;
    const names = value.childForFieldName('right')?.descendantsOfType('string_content') ?? [];
    return new Set(names.map((name) => name?.text ?? ''));
  }
  return undefined;
}

/** Finds the imports at the top of a module. */
function findImports({ namedChildren }: Node): Span | undefined {
  const first = namedChildren.findIndex((child) => IMPORTS.has(child?.type ?? ''));
  if (first === -1) return undefined;
  const before = namedChildren.slice(0, first).filter((child) => child?.type !== 'comment');
  if (before.length > 1 || before.some((child) => child?.type !== 'expression_statement')) return undefined;
  const others = namedChildren.findIndex((child, index) => index > first && !IMPORTS.has(child?.type ?? ''));
  const last = namedChildren[(others === -1 ? namedChildren.length : others) - 1] as Node;
  return { start: (namedChildren[first] as Node).startIndex, end: last.endIndex };
}
