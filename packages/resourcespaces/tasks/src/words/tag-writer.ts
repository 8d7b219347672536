/** Writes a tag for a tool of this space: `<R:7>`, or `<tasks.R:7>` where it has to name the space. */
export type TagWriter = (name: 'R' | 'G' | 'Grep', ...words: readonly (string | number)[]) => string;

/** Writes tags that work where a call was made that was qualified in this way. */
export function tagWriter(qualifier: string | undefined): TagWriter {
  return (name, ...words) => qualified(`<${name}:${words.filter((word) => word !== '').join(' ')}>`, qualifier);
}

/** A tag that names its space as a call did: `<R:7>` is `<tasks.R:7>` for one from another place. */
export function qualified(tag: string, qualifier: string | undefined): string {
  return qualifier === undefined ? tag : `<${qualifier}.${tag.slice(1)}`;
}
