import type { ClassElement, Expression, ObjectProperty } from 'oxc-parser';
import { keyName } from './key-name.ts';
import type { SymbolKind, SymbolOutline } from './outline.ts';
import type { SourceView } from './source-view.ts';
import { SymbolScope } from './symbol-scope.ts';
import { bareValue, isFunction, signatureEnd } from './value-shape.ts';

/** Objects in objects are looked into down to this level. */
const DEEPEST = 4;

/** The named parts of a value: of a class or an object, also behind `as const` and `satisfies`. */
export function valueMembers(value: Expression | null, view: SourceView, depth = 1): readonly SymbolOutline[] {
  const bare = bareValue(value);
  if (bare?.type === 'ClassExpression') return classMembers(bare.body.body, view);
  if (bare?.type !== 'ObjectExpression' || depth > DEEPEST) return [];
  const scope = new SymbolScope();
  for (const property of bare.properties) {
    if (property.type === 'Property') declareProperty(property, { scope, view, depth });
  }
  return scope.symbols;
}

/** The named parts of a class: all but static blocks and index signatures. */
export function classMembers(elements: readonly ClassElement[], view: SourceView): readonly SymbolOutline[] {
  const scope = new SymbolScope();
  for (const element of elements) {
    if (element.type === 'StaticBlock' || element.type === 'TSIndexSignature') continue;
    const { key, value, decorators } = element;
    const isMethod = element.type === 'MethodDefinition' || element.type === 'TSAbstractMethodDefinition';
    const accessor = isMethod && (element.kind === 'get' || element.kind === 'set') ? element.kind : undefined;
    const end = isMethod ? (element.value.body?.start ?? element.end) : signatureEnd(element.value, element.end);
    scope.declare(keyName(element, view.text), {
      kind: accessor !== undefined ? 'accessor' : isMethod ? 'method' : 'property',
      place: 'class',
      exported: true,
      declaration: view.declaration({
        node: element,
        keyword: [element.static ? 'static' : '', accessor ?? ''].filter((word) => word !== '').join(' '),
        decorators,
        head: { start: key.start, end },
      }),
      members: isMethod ? [] : valueMembers(value, view),
    });
  }
  return scope.symbols;
}

interface Place {
  readonly scope: SymbolScope;
  readonly view: SourceView;
  readonly depth: number;
}

function declareProperty(property: ObjectProperty, { scope, view, depth }: Place): void {
  const { key, value, kind } = property;
  scope.declare(keyName(property, view.text), {
    kind: kindOf(property),
    place: 'object',
    exported: true,
    declaration: view.declaration({
      node: property,
      keyword: kind === 'init' ? '' : kind,
      head: { start: key.start, end: signatureEnd(value, property.end) },
    }),
    members: valueMembers(value, view, depth + 1),
  });
}

function kindOf({ kind, value }: ObjectProperty): SymbolKind {
  if (kind !== 'init') return 'accessor';
  return isFunction(value) ? 'method' : 'property';
}
