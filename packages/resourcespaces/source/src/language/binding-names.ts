import type { BindingIdentifier, BindingPattern } from 'oxc-parser';

/** The names that a pattern binds, in order: `a`, `b` and `c` of `{ a, x: [b], ...c }`. */
export function bindingNames(pattern: BindingPattern): readonly BindingIdentifier[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'AssignmentPattern':
      return bindingNames(pattern.left);
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) =>
        element === null ? [] : bindingNames(element.type === 'RestElement' ? element.argument : element),
      );
    default:
      return pattern.properties.flatMap((property) =>
        bindingNames(property.type === 'RestElement' ? property.argument : property.value),
      );
  }
}
