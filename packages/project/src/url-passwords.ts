import type { Variables } from './platform/platform.ts';
import { getPlatform } from './platform/this-platform.ts';

const MASK = '‹masked password›';
const PASSWORD = /:\/\/[^\s:@/]*:([^\s@/]+)@/g;
/** Minimum length of a password that is masked wherever it is: a shorter one may be a part of any word. */
const UNMISTAKABLE = 8;
/** Matches passwords that stand for one, or are words. */
const ORDINARY = /^(?:pass|secret|user|postgres|root|admin|example|test|your|change|x{3})/i;

/**
 * Masks the passwords in URLs of environment variables, such as `DATABASE_URL`, in a text for a model or a person:
 * programs of the project get these variables, and may print them.
 *
 * @param variables default: those of this process
 */
export function maskUrlPasswords(text: string, variables: Variables = getPlatform().variables): string {
  return maskForms(text, listPasswordForms(variables));
}

/**
 * Creates a function that masks the same passwords in a text that arrives in pieces: it holds back the end of a piece
 * that may be the beginning of a password until the next one.
 */
export function createPieceMask(
  variables: Variables = getPlatform().variables,
): (piece: string, isLast?: boolean) => string {
  const forms = listPasswordForms(variables);
  let held = '';
  return (piece, isLast = false) => {
    const text = maskForms(held + piece, forms);
    const shown = isLast ? text.length : findBeginning(text, forms);
    held = text.slice(shown);
    return text.slice(0, shown);
  };
}

/** A password as it may stand in a text, and what is shown instead. */
type Form = readonly [written: string, masked: string];

/** Lists all forms of passwords, the longest first: one may be the beginning of another. */
function listPasswordForms(variables: Variables): readonly Form[] {
  const forms = Array.from(listUrlPasswords(variables), (password): readonly Form[] => {
    const isUnmistakable = password.length >= UNMISTAKABLE && !ORDINARY.test(password);
    return [[`:${password}@`, `:${MASK}@`], ...(isUnmistakable ? ([[password, MASK]] as const) : [])];
  });
  return forms.flat().toSorted(([one], [other]) => other.length - one.length);
}

function maskForms(text: string, forms: readonly Form[]): string {
  return forms.reduce((masked, [written, shown]) => masked.replaceAll(written, shown), text);
}

/** Returns the offset of an end of a text that is the beginning of a form; the length of the text if none is. */
function findBeginning(text: string, forms: readonly Form[]): number {
  const longest = forms[0]?.[0].length ?? 0;
  for (let at = Math.max(text.length - longest, 0); at < text.length; at++)
    if (forms.some(([written]) => written.startsWith(text.slice(at)))) return at;
  return text.length;
}

/** Lists the passwords as they are written, and as programs read them. */
function listUrlPasswords(variables: Variables): ReadonlySet<string> {
  const written = Object.values(variables).flatMap((value = '') =>
    Array.from(value.matchAll(PASSWORD), ([, password]) => password!),
  );
  return new Set([...written, ...written.map(decodePassword)]);
}

function decodePassword(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
