import type { ToolContext } from '@bae/core';

/** The tags of the pages of an answer, as they have to be typed where it was asked for. */
export function pageTag(call: string, { qualifier }: Pick<ToolContext, 'qualifier'>): (page: number) => string {
  const place = qualifier === undefined ? '' : `${qualifier}.`;
  return (page) => `<${place}${call} page=${page}>`;
}
