import type { Resourcespace, SpaceDefinition, SpaceRecord } from '../protocol/resourcespace.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { checkSpaceName } from './resourcespace.ts';
import type { NamelessTool } from './tool.ts';

/** Space written as one object, without a class, decorators or a build step. */
interface ResourcespaceOptions extends SpaceRecord, Partial<Resourcespace> {
  /** Tools by name: `{ read: tool(…) }`. */
  readonly tools: Readonly<Record<string, NamelessTool | ToolDefinition>>;
}

/**
 * Creates a resourcespace from a plain object.
 *
 * @throws InvalidSpaceError if the name is not an identifier, or the description is not one line
 */
export function defineResourcespace(options: ResourcespaceOptions): SpaceDefinition {
  checkSpaceName(options);
  const named = Object.entries(options.tools).map(([name, tool]) => [name, 'named' in tool ? tool.named(name) : tool]);
  const tools = Object.fromEntries(named) as Record<string, ToolDefinition>;
  return { enter: () => '', children: () => ({}), ...options, tools };
}
