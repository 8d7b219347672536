import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';

/** Computes the code of a record of one journal, which proves that it was written there with a key. */
export type SignRecord = (json: string) => string;

/**
 * Returns what signs the records of a journal. The code covers the name of the journal, so that no record counts in
 * another one; the old content of a file is covered by its hash in the record.
 */
export function createSigner(key: KeyObject, journal: string): SignRecord {
  return (json) => createHmac('sha256', key).update(`undo\n${journal}\n${json}`).digest('base64url');
}

/** Tests whether a record has the correct code. */
export function isSigned(json: string, mac: unknown, sign: SignRecord): boolean {
  if (typeof mac !== 'string') return false;
  const [expected, given] = [Buffer.from(sign(json)), Buffer.from(mac)];
  return expected.length === given.length && timingSafeEqual(expected, given);
}
