import type { ClassDeclaration, ExportDefaultDeclaration, Program, VariableDeclaration } from 'acorn';
import { CodeError } from './code-error.ts';
import { insertion, type Edit } from './edit.ts';

type Node = Program['body'][number];

/**
 * Edits that make variables of a script outlive it and let them be declared again: a `var` is a global variable.
 *
 * Where a declaration ended by itself it gets a semicolon, since an assignment in its place would go on.
 *
 * @throws CodeError for modules, of which there are none
 */
export function globalEdits({ body }: Program, code: string): readonly Edit[] {
  return [...body.flatMap((node) => editsOf(node, code)), ...enumEdits(body, code)];
}

function editsOf(node: Node, code: string): readonly Edit[] {
  switch (node.type) {
    case 'VariableDeclaration':
      return variableEdits(node, code);
    case 'ClassDeclaration':
      return classEdits(node);
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      throw new CodeError('there is nothing to import: code reaches tools only', node.loc?.start.line ?? 1);
    case 'ExportNamedDeclaration': {
      const { start, end, declaration } = node;
      if (!declaration) return [{ start, end, text: `;${blank(code.slice(start + 1, end))}` }];
      const text = blank(code.slice(start, declaration.start));
      return [{ start, end: declaration.start, text }, ...editsOf(declaration, code)];
    }
    case 'ExportDefaultDeclaration':
      return defaultEdits(node, code);
    default:
      return [];
  }
}

function variableEdits({ start, end, kind, declarations }: VariableDeclaration, code: string): readonly Edit[] {
  if (kind !== 'let' && kind !== 'const') return [];
  const keyword = { start, end: start + kind.length, text: 'var'.padEnd(kind.length) };
  const empty = declarations.filter(({ init }) => !init).map(({ id }) => insertion(id.end, ' = undefined'));
  const endsByItself = !declarations.at(-1)?.init && code[end - 1] !== ';';
  return [keyword, ...empty, ...(endsByItself ? [insertion(end, ';')] : [])];
}

function classEdits({ start, end, id }: ClassDeclaration): readonly Edit[] {
  return [insertion(start, `var ${id.name} = `), insertion(end, ';')];
}

/** What has a name is a declaration like any other; what has none is an expression. */
function defaultEdits({ start, end, declaration }: ExportDefaultDeclaration, code: string): readonly Edit[] {
  const [words = ''] = /^export[^]*?default/.exec(code.slice(start, end)) ?? [];
  const removed = { start, end: start + words.length, text: blank(words) };
  if (declaration.type === 'ClassDeclaration' && declaration.id) return [removed, ...classEdits(declaration)];
  if (declaration.type === 'FunctionDeclaration' && declaration.id) return [removed];
  const close = code[end - 1] === ';' ? insertion(end - 1, ')') : insertion(end, ');');
  return [{ ...removed, text: `${removed.text};(` }, close];
}

/** An enumeration, of which nothing but a `var` and a function is left, adds to one of its name: one of this code. */
function enumEdits(body: readonly Node[], code: string): readonly Edit[] {
  const begun = new Set<string>();
  return body.flatMap((statement) => {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    const id = node?.type === 'VariableDeclaration' && node.kind === 'var' ? node.declarations[0]?.id : undefined;
    if (id?.type !== 'Identifier' || begun.has(id.name)) return [];
    if (!code.startsWith(`; (function (${id.name}) {`, id.end)) return [];
    begun.add(id.name);
    return [insertion(id.end, ' = undefined')];
  });
}

/** Blanks in the place of text; its lines stay. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}
