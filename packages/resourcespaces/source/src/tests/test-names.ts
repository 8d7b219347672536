import { type Argument, type CallExpression, type Expression, parseSync, Visitor } from 'oxc-parser';

/** A test or a group of tests in the code of a module. */
export interface TestName {
  readonly title: string;
  readonly isGroup: boolean;
  readonly line: number;
  readonly lastLine: number;
  readonly children: readonly TestName[];
}

const GROUPS = new Set(['describe', 'suite', 'context']);
const TESTS = new Set(['it', 'test', 'specify']);
/** Names of what runners pass to a test, or export, to define tests in it. */
const CONTEXTS = new Set(['t', 'tap']);

/** Lists the tests of a module, from its calls of `describe`, `it` and `test`; expressions in a title become `${…}`. */
export function listTestNames(text: string, path: string): readonly TestName[] {
  const all: TestName[] = [];
  const open: { readonly call?: CallExpression; readonly children: TestName[] }[] = [{ children: all }];
  new Visitor({
    CallExpression(call) {
      const name = getCalleeName(call.callee);
      const isGroup = GROUPS.has(name);
      const title = isGroup || TESTS.has(name) ? getTitle(call.arguments[0], text) : undefined;
      if (title === undefined) return;
      const children: TestName[] = [];
      const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
      const lines = { line: lineAt(call.start), lastLine: lineAt(call.end) };
      open.at(-1)!.children.push({ title, isGroup, ...lines, children });
      open.push({ call, children });
    },
    'CallExpression:exit': (call) => {
      if (open.at(-1)!.call === call) open.pop();
    },
  }).visit(parseSync(path, text).program);
  return all;
}

/** Counts the tests of a tree, without groups. */
export function countTests(names: readonly TestName[]): number {
  return names.reduce((sum, { isGroup, children }) => sum + (isGroup ? 0 : 1) + countTests(children), 0);
}

/** Returns `it` for `it(…)`, `it.skip(…)` and `it.each(…)(…)`, and `test` for `t.test(…)`. */
function getCalleeName(callee: Expression): string {
  switch (callee.type) {
    case 'Identifier':
      return callee.name;
    case 'MemberExpression': {
      const name = getCalleeName(callee.object);
      const isContext = CONTEXTS.has(name) && !callee.computed && callee.property.type === 'Identifier';
      return isContext ? callee.property.name : name;
    }
    case 'CallExpression':
      return getCalleeName(callee.callee);
    case 'TaggedTemplateExpression':
      return getCalleeName(callee.tag);
    default:
      return '';
  }
}

function getTitle(node: Argument | undefined, text: string): string | undefined {
  if (node?.type === 'BinaryExpression' && node.operator === '+') {
    const [left, right] = [node.left, node.right].map((part) => getTitle(part as Argument, text));
    return left === undefined && right === undefined ? undefined : (left ?? '${…}') + (right ?? '${…}');
  }
  if (node?.type === 'Literal') return String(node.value);
  if (node?.type !== 'TemplateLiteral') return undefined;
  return text.slice(node.start + 1, node.end - 1).replaceAll(/\$\{[^}]*\}/g, '${…}');
}
