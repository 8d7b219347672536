import type { ToolOutput } from '@bae/core';
import { pageRows, type PagedRows } from './page-rows.ts';

/** A page of rows. Code gets all rows below the same head, none of them cut, unless it asks for a further page. */
export function rowOutput(paged: PagedRows): ToolOutput {
  const output = { text: pageRows(paged), format: 'plain', paged: true } as const;
  return paged.page > 1 ? output : { ...output, whole: () => [...paged.head, ...paged.rows].join('\n') };
}
