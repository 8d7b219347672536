import type { TSEnumMember, TSSignature, TSType } from 'oxc-parser';
import { keyName, quotedName } from './key-name.ts';
import type { SymbolOutline } from './outline.ts';
import type { SourceView } from './source-view.ts';
import { SymbolScope } from './symbol-scope.ts';

/** The named parts of an interface, or of an object type: all but index, call and construct signatures. */
export function interfaceMembers(signatures: readonly TSSignature[], view: SourceView): readonly SymbolOutline[] {
  const scope = new SymbolScope();
  for (const signature of signatures) {
    if (signature.type !== 'TSPropertySignature' && signature.type !== 'TSMethodSignature') continue;
    const accessor = signature.type === 'TSMethodSignature' && signature.kind !== 'method' ? signature.kind : undefined;
    const isMethod = signature.type === 'TSMethodSignature';
    scope.declare(keyName(signature, view.text), {
      kind: accessor !== undefined ? 'accessor' : isMethod ? 'method' : 'property',
      place: 'interface',
      exported: true,
      declaration: view.declaration({
        node: signature,
        keyword: accessor ?? '',
        head: { start: signature.key.start, end: signature.end },
      }),
      members: isMethod ? [] : typeMembers(signature.typeAnnotation?.typeAnnotation, view),
    });
  }
  return scope.symbols;
}

/** The named parts of a type that is written as an object. */
export function typeMembers(type: TSType | undefined, view: SourceView): readonly SymbolOutline[] {
  return type?.type === 'TSTypeLiteral' ? interfaceMembers(type.members, view) : [];
}

/** The members of an enum. */
export function enumMembers(members: readonly TSEnumMember[], view: SourceView): readonly SymbolOutline[] {
  const scope = new SymbolScope();
  for (const member of members) {
    const { id } = member;
    const name =
      id.type === 'Identifier'
        ? id.name
        : id.type === 'Literal'
          ? quotedName(id.value)
          : view.text.slice(id.start, id.end);
    scope.declare(name, {
      kind: 'member',
      place: 'enum',
      exported: true,
      declaration: view.declaration({ node: member, head: member }),
    });
  }
  return scope.symbols;
}
