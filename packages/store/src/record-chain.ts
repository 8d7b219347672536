import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a record is in the file of a store. */
export interface ChainedRecord {
  readonly session: string;
  readonly seq: number;
  readonly body: string;
}

/** The code of a record, which proves that it follows the one before and was written with the key. */
export function chainRecord(key: Uint8Array, before: string, { session, seq, body }: ChainedRecord): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([before, session, seq, body]))
    .digest('hex');
}

/** True when a record has the code that follows the one before. */
export function isChained(key: Uint8Array, before: string, record: ChainedRecord & { readonly mac: string }): boolean {
  const expected = Buffer.from(chainRecord(key, before, record));
  const given = Buffer.from(record.mac);
  return expected.length === given.length && timingSafeEqual(expected, given);
}
