import { renderSignature, renderToolSpecs, type ToolSpec, type ToolSpecs } from '@bae/core/pipeline';

interface Layout {
  readonly style: 'tag' | 'call';
  readonly wrap?: number;
}

export function signature({ tool, ...layout }: Layout & { readonly tool: ToolSpec }): unknown {
  return { text: renderSignature(tool, layout) };
}

export function toolTable({ tools, ...layout }: Layout & { readonly tools: ToolSpecs }): unknown {
  return { text: renderToolSpecs(tools, layout) };
}
