/** What a compiler says of what has begun and not ended, wherever it has begun. */
const OPEN = /^Unterminated (?:template|comment)/;
/** The same of a text, which goes on in the next line when a backslash ends this one. */
const OPEN_TEXT = /^Unterminated string/;

/** What may be the end, although an expression may follow it, as in `let a: Set<string>` and `a!`. */
const ENDINGS = /^(?:[;({[!~]|\$\{|>{1,3}|return|case|default)$/;
/** What has to be followed by something, although no expression may follow it, or it could be a name. */
const BEGINNINGS = /^(?:\.|\?\.|await|of|try|finally)$/;

/** True for code that breaks off before its end, so that lines may follow that make it whole: `if (a) {`, `1 +`. */
export async function needsMore(code: string): Promise<boolean> {
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
 * True when a bracket is open, or when the last word or sign needs another. A compiler may take that for a name, or stop
 * long before it: it goes back to the beginning of an arrow function that it cannot read.
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
    // Something is in it that only TypeScript knows, or nobody.
    return false;
  }
  const isMember = before === '.' || before === '?.';
  return depth > 0 || (!isMember && !ENDINGS.test(last) && (isOpen || BEGINNINGS.test(last)));
}
