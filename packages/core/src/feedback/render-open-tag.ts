import { SHORT_TAGS } from '../protocol/verbs.ts';

/** A call with its argument left out: `<R:…>`, or `<tasks.R:…>` with the prefix `tasks`. */
export function renderOpenTag(tool: string, prefix = ''): string {
  const name = Object.hasOwn(SHORT_TAGS, tool) ? SHORT_TAGS[tool as keyof typeof SHORT_TAGS] : tool;
  return prefix === '' ? `<${name}:…>` : `<${prefix}.${name}:…>`;
}
