import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { invokeTool, type Invocation } from './invoke-tool.ts';
import { wholeOf } from './normalise-output.ts';

/** What a tool returned, and all of it where that is only a part. */
export interface WholeReturn {
  readonly returned: unknown;
  readonly whole?: string | undefined;
}

/**
 * Calls a tool for code, which gets answers as a whole, within the time that the tool has.
 *
 * @throws what invoking it throws, and what giving all of the answer fails with
 */
export async function invokeWhole(invocation: Invocation): Promise<WholeReturn> {
  const { definition } = invocation;
  // Of what has changed something the text has to do: to fail now would say that nothing has happened.
  if (definition.effect !== 'read') return { returned: await invokeTool(invocation) };
  let whole: string | undefined;
  const invoke: ToolDefinition['invoke'] = async (...call) => {
    const returned = await definition.invoke(...call);
    whole = await wholeOf(returned);
    return returned;
  };
  const returned = await invokeTool({ ...invocation, definition: { ...definition, invoke } });
  return { returned, whole };
}
