import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Token } from '../ports.ts';

/** Matches `bae_`, the public id, and the secret. */
const TOKEN = /^bae_([0-9a-f]{16})_([0-9A-Za-z_-]{43})$/;

/** Creates a token. The text is shown once: only its hash is stored. */
export function makeToken(properties: Omit<Token, 'id' | 'hash'>): { readonly token: Token; readonly text: string } {
  const id = randomBytes(8).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  return { token: { ...properties, id, hash: hashSecret(secret) }, text: `bae_${id}_${secret}` };
}

/** Finds a token by its text; undefined when it does not exist, or is no longer in use. */
export async function findByText(
  text: string,
  find: (id: string) => Promise<Token | undefined>,
  now: Date,
): Promise<Token | undefined> {
  const [, id = '', secret = ''] = TOKEN.exec(text) ?? [];
  const token = id === '' ? undefined : await find(id);
  // Takes the same time whether the token exists or not.
  const isRight = timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(token?.hash ?? hashSecret('')));
  return token !== undefined && isRight && isUsable(token, now) ? token : undefined;
}

export function isUsable({ revoked, expires }: Token, now: Date): boolean {
  return revoked === undefined && (expires === undefined || expires > now);
}

function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
