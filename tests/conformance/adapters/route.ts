import { BaeError } from '@bae/core';
import { renderError, resolveTool } from '@bae/core/pipeline';
import { pathOf, registryOf, type TreeJson } from './space-tree.ts';

interface Input {
  readonly tree: TreeJson;
  readonly at: string;
  readonly home: readonly string[];
  readonly tool: string;
}

export function route({ tree, at, home, tool }: Input): unknown {
  try {
    return { to: resolveTool(registryOf(tree, home), pathOf(at), tool).space };
  } catch (error) {
    if (BaeError.is(error)) return { error: renderError(error).text };
    throw error;
  }
}
