import type { ToolContext } from '@bae/core';
import { EditError, formatPath } from '@bae/workspace';

const MARKS = ['"', "'", '`'] as const;

/** Tags of the tools that make a file or folder. */
const TAGS = { write: 'W', mkdir: 'mkdir' } as const;

/**
 * Refuses a new name that ends in an unknown parameter: it is kept as part of the name, but real names rarely look like
 * that, except if the value is itself a file name. The router suggests the call without it.
 *
 * @throws EditError with the tag that makes a file or folder of this name
 */
export function refuseParameter(path: string, tool: keyof typeof TAGS | 'move', context: ToolContext): void {
  const [, name] = /\S\s+([A-Za-z_]\w*)=(?:[^\s./]*|"[^"./]*"|'[^'./]*')$/s.exec(path) ?? [];
  if (name === undefined || isCertainlyPath(path, context)) return;
  const shown = formatPath(path);
  const mark = MARKS.find((one) => !shown.includes(one)) ?? '"';
  throw new EditError(
    `${tool} has no parameter '${name}', and there is no file '${shown}'. Nothing was changed. Put quotes around a name that ends like that.`,
    tool === 'move' ? [] : [`<${TAGS[tool]}:${mark}${shown}${mark}>`],
  );
}

/** Returns true when the path is certainly a path: code and JSON name parameters, and quotes mark the end of a name. */
function isCertainlyPath(path: string, { fromCode, batch }: ToolContext): boolean {
  const quoted = MARKS.map((mark) => mark + path + mark);
  const isNamed = batch.some(({ form, arg }) => form === 'json' && arg === path);
  return fromCode || isNamed || batch.some(({ tag }) => quoted.some((name) => tag.includes(name)));
}
