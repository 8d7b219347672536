import type { ToolCall } from '../protocol/tool-call.ts';
import { dotted } from '../protocol/space-path.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-tree.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { supports } from './better-places.ts';
import { resolveTool, type ResolvedTool } from './resolve-tool.ts';
import type { SessionAnswers } from './session-answers.ts';
import { splitArgument } from './split-argument.ts';

/** Where a call may find its tool. */
export interface CallScope {
  readonly tree: SpaceTree;
  /** The space the call runs in. */
  readonly at: SpacePath;
  readonly answers?: SessionAnswers | undefined;
}

/** A call, and the tool that answers it. */
export interface ResolvedCall extends ResolvedTool {
  /** The call to make: an edit that changes nothing has become a read. */
  readonly call: ToolCall;
}

/**
 * Finds the tool for a call: the session's own tools first, then those of the space.
 *
 * @throws ResourceError when the space has no such tool, or is gone
 */
export function resolveCall(call: ToolCall, { tree, at, answers }: CallScope): ResolvedCall {
  const here = tree.at(at);
  const edit = supports(here, 'edit') ? here?.tools['edit'] : undefined;
  const meant = isView(call, edit) ? { ...call, verb: 'read' } : call;
  const own = answers?.find(meant, dotted(at));
  if (own !== undefined) return { space: dotted(at), definition: own, call: meant };
  return { ...resolveTool(tree, at, meant.verb), call: meant };
}

/** An edit that says nothing to change must not be able to destroy anything. */
function isView(call: ToolCall, edit: ToolDefinition | undefined): boolean {
  if (call.verb !== 'edit' || call.body !== undefined) return false;
  if (Object.keys(call.kwargs ?? {}).length > 0) return false;
  return edit === undefined || splitArgument(edit.spec, call).keywords.size === 0;
}
