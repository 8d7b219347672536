import { BaeError } from '@bae/core';
import {
  formatBreadcrumb,
  Navigation,
  renderSpaceTree as renderTree,
  renderError,
  resolveSpace,
} from '@bae/core/pipeline';
import { pathOf, registryOf, type TreeJson } from './space-tree.ts';

/** A step that fails leaves the location as it is. */
export function navigate({ tree, steps }: { readonly tree: TreeJson; readonly steps: readonly string[] }): unknown {
  const navigation = new Navigation(registryOf(tree));
  const breadcrumbs = steps.map((step) => {
    try {
      navigation.go(step);
    } catch (error) {
      if (!BaeError.is(error)) throw error;
    }
    return formatBreadcrumb(navigation.location);
  });
  return { breadcrumbs };
}

export function navError(input: { readonly tree: TreeJson; readonly from: string; readonly target: string }): unknown {
  try {
    resolveSpace(registryOf(input.tree), pathOf(input.from), input.target);
  } catch (error) {
    if (BaeError.is(error)) return { message: renderError(error).text };
    throw error;
  }
  return { message: '' };
}

export function navTree({ tree, at }: { readonly tree: TreeJson; readonly at: string }): unknown {
  return { text: renderTree(registryOf(tree), pathOf(at)) };
}
