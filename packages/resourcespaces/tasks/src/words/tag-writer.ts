import type { ToolContext } from '@bae/core';

/** Writes a tag for a tool of this space, as it works where the call was made. */
export type TagWriter = (name: 'R' | 'G' | 'Grep', ...words: readonly (string | number)[]) => string;

/** Joins the words of a tag. @param worded words the tag for whoever made the call. Default: as it is */
export function tagWriter(worded: ToolContext['tag'] = (tag) => tag): TagWriter {
  return (name, ...words) => worded(`<${name}:${words.filter((word) => word !== '').join(' ')}>`);
}
