/** Matches parser errors about something that is not closed, wherever it begins. */
const OPEN = /^Unterminated (?:template|comment)/;
/** Matches the same for a string, which continues on the next line if this one ends with a backslash. */
const OPEN_TEXT = /^Unterminated string/;

/** Tokens that may be the last one although an expression may follow, as in `let a: Set<string>` and `a!`. */
const ENDINGS = /^(?:[;({[!~]|\$\{|>{1,3}|return|case|default)$/;
/** Tokens that cannot be the last one, even if no expression can follow them or they could be names. */
const BEGINNINGS = /^(?:\.|\?\.|await|of|try|finally)$/;

/** Returns true for incomplete code that further lines may complete: `if (a) {`, `1 +`. */
export async function isIncompleteCode(code: string): Promise<boolean> {
  const { transform } = await import('sucrase');
  try {
    transform(code, { transforms: ['typescript'], disableESTransforms: true });
  } catch (error) {
    const { message, pos = 0 } = error as Error & { readonly pos?: number };
    if (pos >= code.trimEnd().length || OPEN.test(message)) return true;
    if (OPEN_TEXT.test(message)) return code.endsWith('\\');
  }
  return await endsOpen(code);
}

/**
 * Returns true if a bracket is open, or if the last token needs another one. A parser may accept that token as a name,
 * or stop long before it, at an arrow function that it cannot parse.
 */
async function endsOpen(code: string): Promise<boolean> {
  const { tokenizer } = await import('acorn');
  let [before, last] = ['', ''];
  let isOpen = false;
  let depth = 0;
  try {
    for (const { type, start, end } of tokenizer(code, { ecmaVersion: 'latest' })) {
      [before, last] = [last, code.slice(start, end)];
      isOpen = 'beforeExpr' in type && type.beforeExpr === true;
      depth += Number(/^(?:[([{]|\$\{)$/.test(type.label)) - Number(/^[)\]}]$/.test(type.label));
      if (depth < 0) return false;
    }
  } catch {
    // The code has tokens of TypeScript, or of no language.
    return false;
  }
  const isMember = before === '.' || before === '?.';
  return depth > 0 || (!isMember && !ENDINGS.test(last) && (isOpen || BEGINNINGS.test(last)));
}
