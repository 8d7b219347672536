import { parse, type Program, type Token } from 'acorn';
import { transform } from 'sucrase';
import { codeErrorOf } from './code-error.ts';
import { edited } from './edit.ts';
import { errorEdits } from './error-edits.ts';
import { globalEdits } from './global-edits.ts';
import { refuseNamespaces, refuseOperators } from './refused-code.ts';
import { withoutFence } from './without-fence.ts';

/** Code that can be evaluated as a script, line by line the same. */
export interface PreparedCode {
  readonly script: string;
  /** True when the code ends in an expression whose value is worth showing. */
  readonly shows: boolean;
}

/**
 * Makes a script of TypeScript: without types, with declarations that outlive it and may be repeated, and with errors
 * that can be followed. A fence of Markdown around it is left out.
 *
 * @param operators names of tools that are operators of the language, such as `delete`
 * @throws CodeError when the code cannot be read
 */
export function prepareCode(given: string, operators: readonly string[] = []): PreparedCode {
  const code = withoutFence(given);
  const plain = withoutTypes(code);
  refuseNamespaces(code, plain);
  const tokens: Token[] = [];
  const program = parsed(plain, tokens);
  refuseOperators(tokens, operators);
  const edits = [...errorEdits(program, plain, tokens), ...globalEdits(program, plain)];
  return { script: edited(plain, edits), shows: endsInValue(program) };
}

function withoutTypes(code: string): string {
  try {
    return transform(code, { transforms: ['typescript'], disableESTransforms: true }).code;
  } catch (error) {
    // Some code without types is taken for code with types that are wrong: `c ? (a) : b => b`.
    if (isPlain(code)) return code;
    throw codeErrorOf(error, code);
  }
}

function isPlain(code: string): boolean {
  try {
    parsed(code, []);
    return true;
  } catch {
    return false;
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
    throw codeErrorOf(error, code);
  }
}

/** An assignment has a value, too, but is written for what it does. */
function endsInValue({ body }: Program): boolean {
  const last = body.findLast(({ type }) => type !== 'EmptyStatement');
  if (last?.type === 'ExpressionStatement') return last.expression.type !== 'AssignmentExpression';
  return (
    last?.type === 'ExportDefaultDeclaration' && !/Declaration$|^AssignmentExpression$/.test(last.declaration.type)
  );
}
