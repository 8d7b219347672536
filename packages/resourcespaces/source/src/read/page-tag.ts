import type { ToolContext } from '@bae/core';

/** Which page of a long answer is wanted, and for whom. */
export interface PageRequest {
  /** 1-based. */
  readonly page: number;
  /** Words a tag for whoever reads. */
  readonly tag: ToolContext['tag'];
}

/** The tags of the pages of an answer, as they have to be typed where it was asked for. */
export function pageTag(call: string, { tag }: Pick<ToolContext, 'tag'>): (page: number) => string {
  return (page) => tag(`<${call} page=${page}>`);
}
