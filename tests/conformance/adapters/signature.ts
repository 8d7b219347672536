import { renderSignature, renderToolSpecs, type ToolSpec } from '@bae/core/pipeline';

interface Layout {
  readonly style: 'tag' | 'call';
  readonly wrap?: number;
}

export function signature({ tool, ...layout }: Layout & { readonly tool: ToolSpec }): unknown {
  return { text: renderSignature(tool, layout) };
}

export function toolTable({
  tools,
  ...layout
}: Layout & { readonly tools: Parameters<typeof renderToolSpecs>[0] }): unknown {
  return { text: renderToolSpecs(tools, layout) };
}
