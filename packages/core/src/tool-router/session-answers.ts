import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';

/**
 * Tools that belong to the session rather than to a space, for example reading a kept result.
 *
 * They are asked before the tools of the space.
 */
export interface SessionAnswers {
  /**
   * The tool that answers a call, or undefined when the space's own tool does.
   *
   * @param space the space the call would run in, dotted: `home`, `source.meta`
   */
  find(call: ToolCall, space: string): ToolDefinition | undefined;
}
