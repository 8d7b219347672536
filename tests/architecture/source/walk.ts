import { visitorKeys, type Node } from 'oxc-parser';

/** Visits a node and everything below it, each with the node it belongs to. */
export function walk(node: Node, visit: (node: Node, parent: Node | undefined) => void, parent?: Node): void {
  visit(node, parent);
  const fields = node as unknown as Readonly<Record<string, unknown>>;
  for (const key of visitorKeys[node.type] ?? []) {
    const value = fields[key];
    if (Array.isArray(value)) for (const child of value) visitBelow(child, visit, node);
    else visitBelow(value, visit, node);
  }
}

function visitBelow(value: unknown, visit: Parameters<typeof walk>[1], parent: Node): void {
  if (isNode(value)) walk(value, visit, parent);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value;
}
