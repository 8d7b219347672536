/** What `@resourcespace` writes onto a class, whichever copy of core it comes from. */
const SPACE = Symbol.for('bae.resourcespace');

type Metadata = { getMetadata?(key: symbol, target: object): { readonly name?: unknown } | undefined };

/** The name of a space, given as a decorated class, an instance of one or a definition; undefined for anything else. */
export function spaceName(value: unknown): string | undefined {
  if (typeof value === 'function') return decoratedName(value);
  if (typeof value !== 'object' || value === null) return undefined;
  if ('tools' in value && 'enter' in value && 'name' in value && typeof value.name === 'string') return value.name;
  return typeof value.constructor === 'function' ? decoratedName(value.constructor) : undefined;
}

function decoratedName(target: object): string | undefined {
  const name = (Reflect as Metadata).getMetadata?.(SPACE, target)?.name;
  return typeof name === 'string' ? name : undefined;
}
