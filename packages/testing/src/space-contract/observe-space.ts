import type { SpaceDefinition, ToolDefinition } from '@bae/core';

/** One run of a tool: its arguments, and its return value before anything is made of it. */
export interface ToolRun {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  returned?: unknown;
}

type Invoke = ToolDefinition['invoke'];

/** The same space, except that every run of one of its own tools is recorded. */
export function observeSpace(space: SpaceDefinition, runs: ToolRun[]): SpaceDefinition {
  return replaceTools(space, (tool) => async (args, context) => {
    const run: ToolRun = { tool: tool.name, args };
    runs.push(run);
    const returned: unknown = await tool.invoke(args, context);
    run.returned = returned;
    return returned as Awaited<ReturnType<Invoke>>;
  });
}

/** The same space without spaces below it, whose tools only record their runs. */
export function stubSpace(space: SpaceDefinition, runs: ToolRun[]): SpaceDefinition {
  const empty = replaceTools(space, ({ name }) => (args) => {
    runs.push({ tool: name, args });
    return 'done';
  });
  return { ...empty, enter: () => '', children: () => ({}) };
}

function replaceTools(space: SpaceDefinition, invokeOf: (tool: ToolDefinition) => Invoke): SpaceDefinition {
  const tools = Object.entries(space.tools).map(([name, tool]) => {
    const { description, effect, params, spec, timeoutMs, confirms } = tool;
    const others = {
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(confirms !== undefined && { confirms }),
    };
    // Without plan, target and preview: invoke does both steps.
    return [name, { name, description, effect, params, spec, ...others, invoke: invokeOf(tool) }] as const;
  });
  return {
    name: space.name,
    description: space.description,
    tools: Object.fromEntries(tools),
    enter: () => space.enter(),
    children: () => space.children(),
    ...(space.status && { status: () => space.status!() }),
  };
}
