import { bindArguments, type ToolSpec } from '@bae/core/pipeline';
import { toolFromJson } from './tool-from-json.ts';

interface Input {
  readonly tool: ToolSpec;
  readonly arg?: string;
  readonly kwargs?: Readonly<Record<string, unknown>>;
  readonly body?: string;
}

export async function bind({ tool, arg, kwargs, body }: Input): Promise<unknown> {
  const binding = await bindArguments(toolFromJson(tool, tool.name), { arg, kwargs, body });
  return binding.ok ? { ok: true, params: binding.params } : { ok: false, text: binding.text };
}
