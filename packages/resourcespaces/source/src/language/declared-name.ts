import type {
  Class,
  Declaration,
  Function,
  TSGlobalDeclaration,
  TSModuleDeclaration,
  VariableDeclaration,
} from 'oxc-parser';
import { quotedName } from './key-name.ts';
import type { SourceView, Placed } from './source-view.ts';
import type { Declared } from './symbol-scope.ts';
import { enumMembers, interfaceMembers, typeMembers } from './type-members.ts';
import { classMembers } from './value-members.ts';

/** A declaration of one name, without its place. */
export interface NamedParts extends Pick<Declared, 'kind' | 'members'> {
  /** `''` for what has none. */
  readonly name: string;
  readonly keyword: string;
  readonly head: Placed;
}

/** A declaration that may stand in a module, but for those of variables and namespaces. */
export type PlainDeclaration = Exclude<Declaration, VariableDeclaration | TSModuleDeclaration | TSGlobalDeclaration>;

/** What a declaration says of its name. */
export function declaredName(node: PlainDeclaration, view: SourceView): NamedParts {
  switch (node.type) {
    case 'ClassDeclaration':
    case 'ClassExpression':
      return classParts(node, view);
    case 'TSInterfaceDeclaration': {
      const head = { start: node.id.start, end: node.body.start };
      const members = interfaceMembers(node.body.body, view);
      return { name: node.id.name, kind: 'interface', keyword: 'interface', head, members };
    }
    case 'TSTypeAliasDeclaration': {
      const members = typeMembers(node.typeAnnotation, view);
      return { name: node.id.name, kind: 'type', keyword: 'type', head: fromName(node), members };
    }
    case 'TSEnumDeclaration': {
      const head = { start: node.id.start, end: node.body.start };
      const members = enumMembers(node.body.members, view);
      return { name: node.id.name, kind: 'enum', keyword: node.const ? 'const enum' : 'enum', head, members };
    }
    case 'TSImportEqualsDeclaration':
      return { name: node.id.name, kind: 'constant', keyword: 'import', head: fromName(node) };
    default:
      return functionParts(node, view);
  }
}

/** The names of a namespace, outermost first: one, or several for `namespace A.B`. */
export function namespaceNames({ id }: TSModuleDeclaration | TSGlobalDeclaration): readonly string[] {
  if (id.type === 'Literal') return [quotedName(id.value)];
  const names: string[] = [];
  let left: typeof id | { readonly type: 'ThisExpression' } = id;
  while (left.type === 'TSQualifiedName') {
    names.unshift(left.right.name);
    left = left.left as typeof id;
  }
  return left.type === 'Identifier' ? [left.name, ...names] : names;
}

function classParts(node: Class, view: SourceView): NamedParts {
  return {
    name: node.id?.name ?? '',
    kind: 'class',
    keyword: node.abstract === true ? 'abstract class' : 'class',
    head: { start: node.id?.start ?? node.superClass?.start ?? node.body.start, end: node.body.start },
    members: classMembers(node.body.body, view),
  };
}

/** Where a function has no name, its signature begins where the name would be. */
function functionParts(node: Function, view: SourceView): NamedParts {
  const start = node.id?.start ?? view.text.indexOf('(', node.start);
  return {
    name: node.id?.name ?? '',
    kind: 'function',
    keyword: node.async ? 'async function' : 'function',
    head: { start, end: node.body?.start ?? node.end },
  };
}

function fromName({ id, end }: { readonly id: Placed; readonly end: number }): Placed {
  return { start: id.start, end };
}
