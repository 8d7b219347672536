import {
  parse,
  type ClassDeclaration,
  type ExportDefaultDeclaration,
  type Program,
  type Token,
  type VariableDeclaration,
} from 'acorn';
import { CodeError, refuseNamespaces, refuseOperators, toCodeError } from './code-error.ts';
import { insertEdits, insertAt, trackErrors, unwrapParentheses, type Edit } from './track-errors.ts';

type Statement = Program['body'][number];

let removeTypes: ((code: string) => string) | undefined;

/** Loads the type remover. It is loaded only for code with types, because that takes longer than running a block. */
export async function loadTypeRemover(): Promise<void> {
  if (removeTypes !== undefined) return;
  const { transform } = await import('sucrase');
  removeTypes = (code) => transform(code, { transforms: ['typescript'], disableESTransforms: true }).code;
}

/** Returns true for code that can be run unchanged; any other must be read as TypeScript. */
export function isPlainCode(given: string): boolean {
  return readJavaScript(blankFence(given)) !== undefined;
}

/**
 * Converts TypeScript to a script in which every line keeps its place: without types and without a Markdown fence, with
 * declarations that persist and may be repeated, and with errors that can be tracked. Unless the code is plain
 * JavaScript, `loadTypeRemover` must have been called.
 *
 * @returns `shows`: true if the code ends with an expression whose value is worth showing
 * @throws CodeError if the code cannot be parsed
 */
export function prepareCode(given: string, operators: readonly string[] = []) {
  const code = blankFence(given);
  const { plain, program, tokens } = readJavaScript(code) ?? readTypeScript(code);
  refuseNamespaces(code, plain);
  refuseOperators(tokens, operators);
  const edits = [...trackErrors(program, plain), ...declareGlobally(program, plain)];
  return { script: insertEdits(plain, edits), shows: endsInValue(program) };
}

const OPENING_FENCE = /^\s*(`{3,}|~{3,})[ \t]*[\w+#.-]*[ \t]*\r?(?:\n|$)/;

/** Empties the lines of a Markdown fence around code. A fence that is not closed is left unchanged. */
export function blankFence(code: string): string {
  const [opening, fence] = OPENING_FENCE.exec(code) ?? [];
  if (opening === undefined || fence === undefined) return code;
  const closing = new RegExp(`\\n[ \\t]*${fence[0]}{${fence.length},}\\s*$`).exec(code);
  if (!closing || closing.index < opening.length - 1) return code;
  return opening.replaceAll(/[^\n]/g, '') + code.slice(opening.length, closing.index + 1);
}

/** Script without types, as text and as a tree. */
interface Script {
  readonly plain: string;
  readonly program: Program;
  readonly tokens: readonly Token[];
}

/**
 * Parses JavaScript; returns undefined if it is not valid, or has comparisons that TypeScript reads as a call: `new
 * Set<string>(all)`.
 */
function readJavaScript(code: string): Script | undefined {
  try {
    const script = parseScript(code);
    return callsWithTypes(script) ? undefined : script;
  } catch {
    return undefined;
  }
}

function callsWithTypes({ plain, tokens }: Script): boolean {
  const open = tokens.findIndex(({ start, end }) => plain.slice(start, end) === '<');
  if (open === -1) return false;
  return tokens.slice(open).some(({ type: { label } }, index, rest) => {
    if (label !== '(' && label !== '`') return false;
    const { start, end } = rest[index - 1]!;
    return /^>{1,3}$/.test(plain.slice(start, end));
  });
}

function readTypeScript(code: string): Script {
  if (removeTypes === undefined) throw new Error('the remover of types is not loaded');
  let plain: string;
  try {
    plain = removeTypes(code);
  } catch (error) {
    try {
      // Some code without types looks like code with wrong types: `a < b > (c) ? (d) : e => e`.
      return parseScript(code);
    } catch {
      throw toCodeError(error, code);
    }
  }
  return parseScript(plain);
}

function parseScript(plain: string): Script {
  const tokens: Token[] = [];
  try {
    const program = parse(plain, {
      ecmaVersion: 'latest',
      sourceType: 'script',
      allowAwaitOutsideFunction: true,
      allowImportExportEverywhere: true,
      preserveParens: true,
      locations: true,
      onToken: tokens,
    });
    return { plain, program, tokens };
  } catch (error) {
    throw toCodeError(error, plain);
  }
}

/** Returns true if code ends with a value. An assignment also has a value, but is written for its effect. */
function endsInValue({ body }: Program): boolean {
  const last = body.findLast(({ type }) => type !== 'EmptyStatement');
  if (last?.type !== 'ExpressionStatement' && last?.type !== 'ExportDefaultDeclaration') return false;
  const value = last.type === 'ExpressionStatement' ? last.expression : last.declaration;
  return !/Declaration$|^AssignmentExpression$/.test(unwrapParentheses(value).type);
}

/**
 * Returns edits that make variables outlive the script and let them be declared again, like a global `var`. A
 * declaration without a semicolon gets one, because an assignment would continue on the next line. @throws CodeError
 * for imports
 */
function declareGlobally({ body }: Program, code: string): readonly Edit[] {
  return [...body.flatMap((statement) => editStatement(statement, code)), ...resetEnums(body, code)];
}

function editStatement(statement: Statement, code: string): readonly Edit[] {
  switch (statement.type) {
    case 'VariableDeclaration':
      return editVariables(statement, code);
    case 'ClassDeclaration':
      return editClass(statement);
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      throw new CodeError('there is nothing to import: code reaches tools only', statement.loc?.start.line ?? 1);
    case 'ExportNamedDeclaration': {
      const { start, end, declaration } = statement;
      if (!declaration) return [{ start, end, text: `;${toBlanks(code.slice(start + 1, end))}` }];
      const text = toBlanks(code.slice(start, declaration.start));
      return [{ start, end: declaration.start, text }, ...editStatement(declaration, code)];
    }
    case 'ExportDefaultDeclaration':
      return editDefault(statement, code);
    default:
      return [];
  }
}

function editVariables({ start, end, kind, declarations }: VariableDeclaration, code: string): readonly Edit[] {
  if (kind !== 'let' && kind !== 'const') return [];
  const keyword = { start, end: start + kind.length, text: 'var'.padEnd(kind.length) };
  const empty = declarations.filter(({ init }) => !init).map(({ id }) => insertAt(id.end, ' = undefined'));
  const needsSemicolon = !declarations.at(-1)?.init && code[end - 1] !== ';';
  return [keyword, ...empty, ...(needsSemicolon ? [insertAt(end, ';')] : [])];
}

function editClass({ start, end, id }: ClassDeclaration): readonly Edit[] {
  return [insertAt(start, `var ${id.name} = `), insertAt(end, ';')];
}

/** Edits a default export: one with a name is an ordinary declaration, one without is an expression. */
function editDefault({ start, end, declaration }: ExportDefaultDeclaration, code: string): readonly Edit[] {
  const [words = ''] = /^export[^]*?default/.exec(code.slice(start, end)) ?? [];
  const removed = { start, end: start + words.length, text: toBlanks(words) };
  if (declaration.type === 'ClassDeclaration' && declaration.id) return [removed, ...editClass(declaration)];
  if (declaration.type === 'FunctionDeclaration' && declaration.id) return [removed];
  const close = code[end - 1] === ';' ? insertAt(end - 1, ')') : insertAt(end, ');');
  return [{ ...removed, text: `${removed.text};(` }, close];
}

/**
 * Resets enums. An enum, which was converted to a `var` and a function, extends an existing one of the same name; that
 * one must come from the same code.
 */
function resetEnums(body: readonly Statement[], code: string): readonly Edit[] {
  const begun = new Set<string>();
  return body.flatMap((statement) => {
    const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    const id = node?.type === 'VariableDeclaration' && node.kind === 'var' ? node.declarations[0]?.id : undefined;
    if (id?.type !== 'Identifier' || begun.has(id.name)) return [];
    if (!code.startsWith(`; (function (${id.name}) {`, id.end)) return [];
    begun.add(id.name);
    return [insertAt(id.end, ' = undefined')];
  });
}

function toBlanks(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}
