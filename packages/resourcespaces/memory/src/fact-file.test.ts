import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFact, renderFact } from './fact-file.ts';

const key = new Uint8Array(32).fill(7);
const hash = 'a'.repeat(64);
const fact = {
  text: 'The port is set in src/server.ts:12',
  written: '2026-11-23T10:00:00.000Z',
  evidence: [{ path: 'src/server.ts', hash, lines: new Map([[12, '  const port = 3000;']]) }],
};

describe('a file with a fact', () => {
  it('is text first, then what it rests on', () => {
    expect(renderFact(fact, key).split('\n').slice(0, -2)).toEqual([
      fact.text,
      '',
      '---',
      'written 2026-11-23T10:00:00.000Z',
      `rests on src/server.ts ${hash}`,
      '  12|   const port = 3000;',
    ]);
  });

  it('is read as it was written, whatever the text', { tags: ['long'] }, () => {
    const text = fc
      .string({ unit: 'binary', minLength: 1 })
      .map((one) => one.replaceAll('\r', ' ').trim())
      .filter((one) => one !== '');
    fc.assert(
      fc.property(text, (one) => {
        const read = parseFact(renderFact({ ...fact, text: one }, key), [key]);
        expect(read).toEqual({ ...fact, text: one, isOwn: true });
      }),
    );
  });

  it('is foreign when anything in it was changed, with another key, and without a signature', () => {
    const file = renderFact(fact, key);
    for (const changed of [
      file.replace('port', 'ports'),
      file.replace('3000', '4000'),
      file.replace(hash, 'b'.repeat(64)),
      file.replace('2026', '2025'),
      'Anybody may write this.',
      '',
    ])
      expect(parseFact(changed, [key]).isOwn).toBe(false);
    expect(parseFact(file, [new Uint8Array(32)]).isOwn).toBe(false);
    expect(parseFact(file.replaceAll('\n', '\r\n'), [key]).isOwn).toBe(true);
  });
});
