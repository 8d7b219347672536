import { visitorKeys, type Node } from 'oxc-parser';

/** Visits a node and everything below it, each with the node it belongs to. */
export function walk(node: Node, visit: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  visit(node, parent);
  const fields = node as unknown as Readonly<Record<string, unknown>>;
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [fields[key]].flat()) if (isNode(child)) walk(child, visit, node);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
