import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeMessage, MessageDecoder } from './message-decoder.ts';

describe('MessageDecoder', () => {
  it('returns what was encoded, however the bytes are cut', () => {
    const message = fc.record({ id: fc.nat(), text: fc.string({ unit: 'binary' }), list: fc.array(fc.json()) });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), fc.array(fc.integer({ min: 1, max: 40 })), (messages, sizes) => {
        const bytes = Buffer.concat(messages.map(encodeMessage));
        const decoder = new MessageDecoder();
        const decoded: unknown[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % Math.max(1, sizes.length)] ?? bytes.length;
          decoded.push(...decoder.push(bytes.subarray(at, at + size)));
          at += size;
        }
        expect(decoded).toEqual(messages);
      }),
    );
  });

  it('counts bytes, not characters', () => {
    expect(encodeMessage({ a: 'é🙂' }).toString()).toBe('Content-Length: 14\r\n\r\n{"a":"é🙂"}');
  });

  it('takes other heads beside the length', () => {
    const bytes = Buffer.from('Content-Type: json\r\ncontent-length: 2\r\n\r\n{}Content-Length: 4\r\n\r\nnu');
    const decoder = new MessageDecoder();
    expect(decoder.push(bytes)).toEqual([{}]);
    expect(decoder.push(Buffer.from('ll'))).toEqual([null]);
  });

  it('refuses a head without a length, and a body that is no JSON', () => {
    expect(() => new MessageDecoder().push(Buffer.from('panic: nil\r\n\r\n'))).toThrow('a message without a length');
    expect(() => new MessageDecoder().push(Buffer.from('Content-Length: 2\r\n\r\n{x'))).toThrow(SyntaxError);
  });
});
