import { parseSync } from 'oxc-parser';

/** A test or a group of tests in the code of a module. */
export interface TestName {
  readonly title: string;
  readonly isGroup: boolean;
  readonly line: number;
  readonly children: readonly TestName[];
}

interface AnyNode {
  readonly type: string;
  readonly start: number;
}

interface Call extends AnyNode {
  readonly callee: AnyNode;
  readonly arguments: readonly AnyNode[];
}

const GROUPS = new Set(['describe', 'suite', 'context']);
const TESTS = new Set(['it', 'test', 'specify']);

/** The tests of a module, from its calls of `describe`, `it` and `test`; expressions in a title become `${…}`. */
export function listTestNames(text: string, path: string): readonly TestName[] {
  const { program } = parseSync(path, text);
  return collectTestNames(program, text);
}

/** All tests of a tree, groups left out. */
export function countTests(names: readonly TestName[]): number {
  return names.reduce((sum, { isGroup, children }) => sum + (isGroup ? 0 : 1) + countTests(children), 0);
}

function collectTestNames(node: unknown, text: string): readonly TestName[] {
  if (Array.isArray(node)) return node.flatMap((one) => collectTestNames(one, text));
  if (!isNode(node)) return [];
  const test = node.type === 'CallExpression' ? readCall(node as Call, text) : undefined;
  if (test !== undefined) return [test];
  return Object.values(node).flatMap((value) => collectTestNames(value, text));
}

function readCall(call: Call, text: string): TestName | undefined {
  const name = getCalleeName(call.callee);
  const isGroup = GROUPS.has(name);
  if (!isGroup && !TESTS.has(name)) return undefined;
  const [first, ...rest] = call.arguments;
  const title = getTitle(first, text);
  if (title === undefined) return undefined;
  const line = text.slice(0, call.start).split('\n').length;
  return { title, isGroup, line, children: collectTestNames(rest, text) };
}

/** `it` of `it(…)`, `it.skip(…)` and `it.each(…)(…)`. */
function getCalleeName(callee: AnyNode): string {
  const { type, name, object, callee: inner, tag } = callee as AnyNode & Readonly<Record<string, AnyNode | string>>;
  if (type === 'Identifier') return name as string;
  if (type === 'MemberExpression') return getCalleeName(object as AnyNode);
  if (type === 'CallExpression') return getCalleeName(inner as AnyNode);
  return type === 'TaggedTemplateExpression' ? getCalleeName(tag as AnyNode) : '';
}

function getTitle(node: AnyNode | undefined, text: string): string | undefined {
  if (node?.type === 'Literal') return String((node as AnyNode & { readonly value: unknown }).value);
  if (node?.type !== 'TemplateLiteral') return undefined;
  const { end } = node as AnyNode & { readonly end: number };
  return text.slice(node.start + 1, end - 1).replaceAll(/\$\{[^}]*\}/g, '${…}');
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}
