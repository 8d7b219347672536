import { expect, it } from 'vitest';
import { decodeMessage, encodeMessage } from './wire.ts';

const roundTrip = (value: unknown): unknown => decodeMessage(encodeMessage({ value }));

it.each<readonly [string, unknown]>([
  ['a date', new Date(0)],
  ['numbers in a list', { list: [1n, Infinity, -Infinity, NaN, null, 'text'], when: new Date(5) }],
  ['a map', new Map<unknown, unknown>([[{ a: 1 }, new Set([new Date(1)])]])],
  ['bytes', new Uint8Array([1, 2])],
])('a value arrives as it was sent: %s', (_, value) => {
  expect(roundTrip(value)).toEqual({ value });
});

it('a Buffer arrives as bytes, and an object with toJSON as what that returns', () => {
  expect(roundTrip([Buffer.from('ab'), new URL('https://a.example/')])).toEqual({
    value: [new Uint8Array([97, 98]), 'https://a.example/'],
  });
});

it('an object arrives twice if it was sent twice, but not inside itself', () => {
  const shared = { x: 1 };
  const looped: Record<string, unknown> = { first: shared, second: shared };
  looped['self'] = looped;
  looped['map'] = new Map([['back', looped]]);
  expect(roundTrip(looped)).toEqual({
    value: { first: shared, second: shared, self: '(circular)', map: new Map([['back', '(circular)']]) },
  });
});
