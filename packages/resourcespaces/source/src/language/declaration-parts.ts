import type {
  Class,
  ClassElement,
  Declaration,
  Expression,
  Function,
  TSEnumMember,
  TSGlobalDeclaration,
  TSModuleDeclaration,
  TSSignature,
  TSType,
  VariableDeclaration,
} from 'oxc-parser';
import type { CommentedText } from './commented-text.ts';
import type { Span, SymbolOutline } from './outline.ts';
import { readKeyName, quoteSymbolName } from './symbol-names.ts';
import { SymbolScope, type Declared } from './symbol-scope.ts';

/** Level down to which nested objects are read. */
const DEEPEST = 4;

/** Every declaration in a module except variables and namespaces. */
type PlainDeclaration = Exclude<Declaration, VariableDeclaration | TSModuleDeclaration | TSGlobalDeclaration>;

/** The parts of a declaration that declares one name; `''` for an anonymous default export. */
export function readDeclaration(node: PlainDeclaration, source: CommentedText): Declared {
  switch (node.type) {
    case 'ClassDeclaration':
    case 'ClassExpression':
      return readClass(node, source);
    case 'TSInterfaceDeclaration': {
      const head = { start: node.id.start, end: node.body.start };
      const members = readInterfaceMembers(node.body.body, source);
      return { name: node.id.name, kind: 'interface', node, keyword: 'interface', head, members };
    }
    case 'TSTypeAliasDeclaration': {
      const members = readTypeMembers(node.typeAnnotation, source);
      return { name: node.id.name, kind: 'type', node, keyword: 'type', head: headFromName(node), members };
    }
    case 'TSEnumDeclaration': {
      const head = { start: node.id.start, end: node.body.start };
      const members = readEnumMembers(node.body.members, source);
      return { name: node.id.name, kind: 'enum', node, keyword: node.const ? 'const enum' : 'enum', head, members };
    }
    case 'TSImportEqualsDeclaration':
      return { name: node.id.name, kind: 'constant', node, keyword: 'import', head: headFromName(node) };
    default:
      return readFunction(node, source);
  }
}

function readClass(node: Class, source: CommentedText): Declared {
  const { id, body, superClass, decorators } = node;
  const keyword = node.abstract === true ? 'abstract class' : 'class';
  const head = { start: id?.start ?? superClass?.start ?? body.start, end: body.start };
  const members = readClassMembers(body.body, source);
  return { name: id?.name ?? '', kind: 'class', node, keyword, head, decorators, members };
}

/** The head of an anonymous function begins at its parameters. */
function readFunction(node: Function, source: CommentedText): Declared {
  const start = node.id?.start ?? source.text.indexOf('(', node.start);
  const keyword = node.async ? 'async function' : 'function';
  const head = { start, end: node.body?.start ?? node.end };
  return { name: node.id?.name ?? '', kind: 'function', node, keyword, head };
}

function headFromName({ id, end }: { readonly id: Span; readonly end: number }): Span {
  return { start: id.start, end };
}

/** The members of a value: of a class or an object, also behind `as const` and `satisfies`. */
export function readMembers(value: Expression | null, source: CommentedText, depth = 1): readonly SymbolOutline[] {
  const bare = unwrapValue(value);
  if (bare?.type === 'ClassExpression') return readClassMembers(bare.body.body, source);
  if (bare?.type !== 'ObjectExpression' || depth > DEEPEST) return [];
  const scope = new SymbolScope(source, 'object');
  for (const property of bare.properties) {
    if (property.type !== 'Property') continue;
    const { key, value: inner, kind } = property;
    scope.declare({
      name: readKeyName(property, source.text),
      kind: kind !== 'init' ? 'accessor' : isFunction(inner) ? 'method' : 'property',
      node: property,
      keyword: kind === 'init' ? '' : kind,
      head: { start: key.start, end: findSignatureEnd(inner, property.end) },
      members: readMembers(inner, source, depth + 1),
    });
  }
  return scope.symbols;
}

/** The members of a class, without static blocks and index signatures. */
function readClassMembers(elements: readonly ClassElement[], source: CommentedText): readonly SymbolOutline[] {
  const scope = new SymbolScope(source, 'class');
  for (const element of elements) {
    if (element.type === 'StaticBlock' || element.type === 'TSIndexSignature') continue;
    const { key, value, decorators } = element;
    const isMethod = element.type === 'MethodDefinition' || element.type === 'TSAbstractMethodDefinition';
    const accessor = isMethod && (element.kind === 'get' || element.kind === 'set') ? element.kind : undefined;
    const end = isMethod ? (element.value.body?.start ?? element.end) : findSignatureEnd(element.value, element.end);
    scope.declare({
      name: readKeyName(element, source.text),
      kind: accessor !== undefined ? 'accessor' : isMethod ? 'method' : 'property',
      node: element,
      keyword: [element.static ? 'static' : '', accessor ?? ''].filter((word) => word !== '').join(' '),
      decorators,
      head: { start: key.start, end },
      members: isMethod ? [] : readMembers(value, source),
    });
  }
  return scope.symbols;
}

/** The members of an interface or object type, without index, call and construct signatures. */
function readInterfaceMembers(signatures: readonly TSSignature[], source: CommentedText): readonly SymbolOutline[] {
  const scope = new SymbolScope(source, 'interface');
  for (const signature of signatures) {
    if (signature.type !== 'TSPropertySignature' && signature.type !== 'TSMethodSignature') continue;
    const isMethod = signature.type === 'TSMethodSignature';
    const accessor = isMethod && signature.kind !== 'method' ? signature.kind : undefined;
    scope.declare({
      name: readKeyName(signature, source.text),
      kind: accessor !== undefined ? 'accessor' : isMethod ? 'method' : 'property',
      node: signature,
      keyword: accessor ?? '',
      head: { start: signature.key.start, end: signature.end },
      members: isMethod ? [] : readTypeMembers(signature.typeAnnotation?.typeAnnotation, source),
    });
  }
  return scope.symbols;
}

function readTypeMembers(type: TSType | undefined, source: CommentedText): readonly SymbolOutline[] {
  return type?.type === 'TSTypeLiteral' ? readInterfaceMembers(type.members, source) : [];
}

function readEnumMembers(members: readonly TSEnumMember[], source: CommentedText): readonly SymbolOutline[] {
  const scope = new SymbolScope(source, 'enum');
  for (const member of members) {
    const { id } = member;
    const literal = id.type === 'Literal' ? quoteSymbolName(id.value) : source.text.slice(id.start, id.end);
    scope.declare({ name: id.type === 'Identifier' ? id.name : literal, kind: 'member', node: member });
  }
  return scope.symbols;
}

export function isFunction(value: Expression | null): boolean {
  const type = unwrapValue(value)?.type;
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
}

/**
 * Where the signature of a value ends: where the body of a function, class or object begins.
 *
 * @param end where it ends when the value has no body
 */
export function findSignatureEnd(value: Expression | null, end: number): number {
  const bare = unwrapValue(value);
  if (bare?.type === 'ArrowFunctionExpression' || bare?.type === 'FunctionExpression') return bare.body?.start ?? end;
  if (bare?.type === 'ClassExpression') return bare.body.start;
  return bare?.type === 'ObjectExpression' ? bare.start : end;
}

/** A value without `as const` and `satisfies`. */
function unwrapValue(value: Expression | null): Expression | null {
  let bare = value;
  while (bare?.type === 'TSAsExpression' || bare?.type === 'TSSatisfiesExpression') bare = bare.expression;
  return bare;
}
