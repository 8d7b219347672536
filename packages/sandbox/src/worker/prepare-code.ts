import { parse, type Program, type Statement, type ModuleDeclaration, type Token } from 'acorn';
import { transform } from 'sucrase';

/** Code that can be evaluated as a script, line by line the same. */
export interface PreparedCode {
  readonly script: string;
  /** True when the code ends in an expression whose value is worth showing. */
  readonly shows: boolean;
}

/** Code that cannot be read. */
export class CodeError extends Error {
  /** Line of the code, from 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** What a parser says too briefly for whoever expects a function or a module around the code. */
const REWORDED: Readonly<Record<string, string>> = {
  "'return' outside of function": 'return outside of a function: the value of the last line is shown by itself',
};

/** What stands in front is looked at last, since it may be a long stretch of blanks. */
const NAMESPACE = /(?=namespace|module)(?<![\w$.]|declare\s+)(?:namespace|module)[ \t]+[\w$]+(?:\.[\w$]+)*\s*\{/g;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

type Node = Statement | ModuleDeclaration;

/**
 * Makes a script of TypeScript: without types, and with declarations that outlive it and may be repeated.
 *
 * @param operators names of tools that are operators of the language, such as `delete`
 * @throws CodeError when the code cannot be read
 */
export function prepareCode(code: string, operators: readonly string[] = []): PreparedCode {
  const plain = withoutTypes(code);
  refuseNamespaces(code, plain);
  const tokens: Token[] = [];
  const program = parsed(plain, tokens);
  refuseOperators(tokens, operators);
  const edits = program.body.flatMap((node) => editsOf(node, plain));
  return { script: edited(plain, edits), shows: endsInValue(program) };
}

function withoutTypes(code: string): string {
  try {
    return transform(code, { transforms: ['typescript'], disableESTransforms: true }).code;
  } catch (error) {
    throw codeError(error);
  }
}

/** Namespaces go with the types, whatever they hold; those that are declared hold nothing else. */
function refuseNamespaces(code: string, plain: string): void {
  const kept = Array.from(plain.matchAll(NAMESPACE), ([text]) => text);
  for (const [count, { 0: text, index }] of [...code.matchAll(NAMESPACE)].entries()) {
    if (text === kept[count]) continue;
    const line = code.slice(0, index).split('\n').length;
    throw new CodeError('namespaces are not supported here: use an object', line);
  }
}

function parsed(code: string, onToken: Token[]): Program {
  try {
    return parse(code, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowAwaitOutsideFunction: true,
      allowImportExportEverywhere: true,
      locations: true,
      onToken,
    });
  } catch (error) {
    throw codeError(error);
  }
}

/** Both parsers end their messages in `(line:column)`. */
function codeError(error: unknown): CodeError {
  if (error instanceof RangeError) return new CodeError('the code is nested too deeply', 1);
  const text = error instanceof Error ? error.message : String(error);
  const [, message = text, line = '1'] = /^(?:Error transforming[^:]*: )?(.*?),? \((\d+):\d+\)$/s.exec(text) ?? [];
  return new CodeError(REWORDED[message] ?? message, Number(line));
}

/** `delete("x")` would be the operator, which does nothing and says nothing. */
function refuseOperators(tokens: readonly Token[], operators: readonly string[]): void {
  if (operators.length === 0) return;
  for (const [index, { type, loc }] of tokens.entries()) {
    const name = type.keyword ?? '';
    const before = tokens[index - 1]?.type.label;
    if (!operators.includes(name) || before === '.' || before === '?.' || tokens[index + 1]?.type.label !== '(')
      continue;
    throw new CodeError(`${name} is an operator of the language; the tool is called ${name}_(…)`, loc?.start.line ?? 1);
  }
}

/** A `var` of a script is a global variable that can be declared again. */
function editsOf(node: Node, code: string): readonly Edit[] {
  switch (node.type) {
    case 'VariableDeclaration': {
      if (node.kind !== 'let' && node.kind !== 'const') return [];
      const keyword = { start: node.start, end: node.start + node.kind.length, text: 'var'.padEnd(node.kind.length) };
      const empty = node.declarations.filter(({ init }) => !init);
      return [keyword, ...empty.map(({ id }) => ({ start: id.end, end: id.end, text: ' = undefined' }))];
    }
    case 'ClassDeclaration':
      return node.id ? [{ start: node.start, end: node.start, text: `var ${node.id.name} = ` }] : [];
    case 'ImportDeclaration':
      throw new CodeError('there is nothing to import: code reaches tools only', node.loc?.start.line ?? 1);
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration': {
      const inner = node.declaration;
      const blank = code.slice(node.start, inner?.start ?? node.end).replaceAll(/[^\n]/g, ' ');
      const edit = { start: node.start, end: inner?.start ?? node.end, text: blank };
      return inner ? [edit, ...editsOf(inner as Node, code)] : [edit];
    }
    default:
      return [];
  }
}

function edited(code: string, edits: readonly Edit[]): string {
  let text = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    text += code.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + code.slice(at);
}

/** An assignment has a value, too, but is written for what it does. */
function endsInValue({ body }: Program): boolean {
  const last = body.findLast(({ type }) => type !== 'EmptyStatement');
  return last?.type === 'ExpressionStatement' && last.expression.type !== 'AssignmentExpression';
}
