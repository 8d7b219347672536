import type { ToolCall } from '../protocol/tool-call.ts';
import type { Tag } from './tag.ts';

/** The text between an open and a close tag. */
export interface TagBody {
  readonly text: string;
  /** True when it stood on lines of its own. */
  readonly block: boolean;
}

/** The call that a tag is. An edit whose inline body is empty has none: it only looks. */
export function callOfTag(tag: Tag, line: number, body?: TagBody): ToolCall {
  const { verb, arg, space } = tag;
  const hasBody = body !== undefined && (body.block || verb !== 'edit' || body.text !== '');
  const call = hasBody
    ? { verb, arg, body: body.text, block: body.block, line, tag: tag.text }
    : { verb, arg, line, tag: tag.text };
  return space === undefined ? call : { ...call, space };
}
