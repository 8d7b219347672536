import type { Variables } from './platform/platform.ts';
import { getPlatform } from './platform/this-platform.ts';

const MASK = '‹masked password›';
const PASSWORD = /:\/\/[^\s:@/]*:([^\s@/]+)@/g;
/** Minimum length of a password that is masked wherever it is: a shorter one may be a part of any word. */
const UNMISTAKABLE = 8;
/** Matches passwords that stand for one, or are words. */
const ORDINARY = /^(?:pass|secret|user|postgres|root|admin|example|test|your|change|x{3})/i;

/**
 * Masks the passwords in URLs of environment variables, such as `DATABASE_URL`, in a text for a model: programs of the
 * project get these variables, and may print them.
 *
 * @param variables default: those of this process
 */
export function maskUrlPasswords(text: string, variables: Variables = getPlatform().variables): string {
  let masked = text;
  for (const password of listUrlPasswords(variables)) {
    masked = masked.replaceAll(`:${password}@`, `:${MASK}@`);
    if (password.length >= UNMISTAKABLE && !ORDINARY.test(password)) masked = masked.replaceAll(password, MASK);
  }
  return masked;
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
