import type { AnyNode } from 'acorn';

/** A node and every node in it, outer ones before those in them. */
export function* nodesOf(root: AnyNode): Generator<AnyNode, undefined> {
  const left: unknown[] = [root];
  while (left.length > 0) {
    const one = left.pop();
    if (Array.isArray(one)) for (const part of one as readonly unknown[]) left.push(part);
    else if (isNode(one)) {
      yield one;
      for (const part of Object.values(one)) if (typeof part === 'object' && part !== null) left.push(part);
    }
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof (value as { readonly type?: unknown } | null)?.type === 'string';
}
