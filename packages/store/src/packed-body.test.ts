import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sample } from '../test/sample-events.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { openDatabase } from './open-database.ts';
import { packBody, unpackBody } from './packed-body.ts';
import { Store } from './store.ts';

describe('a packed body', () => {
  it('is what it was', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ minLength: 90, maxLength: 2000, unit: 'grapheme' }),
    );
    fc.assert(
      fc.property(text, fc.nat(30), (one, times) => {
        const body = JSON.stringify({ text: one.repeat(times) });
        const { body: plain, packed } = packBody(body);
        expect(unpackBody(packed) ?? plain).toBe(body);
        expect(plain === '' || packed === null).toBe(true);
      }),
    );
  });

  it('is much shorter, or stays as it is', () => {
    expect(packBody('short')).toEqual({ body: 'short', packed: null });
    const random = Buffer.from(Array.from({ length: 300 }, (_, index) => (index * 7919) % 251)).toString('latin1');
    expect(packBody(random)).toEqual({ body: random, packed: null });
    expect(packBody('a sentence of some length, '.repeat(10)).packed!.length).toBeLessThan(60);
  });

  it('can be read by every later version: the dictionary is never changed', () => {
    const body = JSON.stringify({ kind: 'message', message: { role: 'user', text: 'a'.repeat(99) } });
    expect(unpackBody(Buffer.from('eLuOuOoUI8PERNoDpdpaAB6nNzY=', 'base64'))).toBe(body);
  });

  it('that is damaged is an error that says so', () => {
    const file = join(temporaryFolder(), 'bae.db');
    const store = Store.open(file);
    const id = store.createSession();
    store.log(id).append({ ...sample.callStart('1'), arguments: { text: 'x'.repeat(500) } } as never);
    const database = openDatabase(file);
    expect(database.get('SELECT body FROM events')).toEqual({ body: '' });
    const packed = Buffer.from(database.get('SELECT packed FROM events')!['packed'] as Uint8Array);
    const changed = packed.with(9, packed[9]! ^ 255);
    for (const damaged of [changed, packed.subarray(0, 9), packed.subarray(7), Buffer.from('78bb01020304', 'hex')]) {
      database.run('UPDATE events SET packed = ?', damaged);
      expect(() => store.events(id)).toThrow(`${file}: it is damaged.`);
    }
    database.close();
    store.close();
  });
});
