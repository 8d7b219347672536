import { describe, expect, it } from 'vitest';
import { getWhole, readReturned } from './render-result.ts';

class Point {
  readonly #secret = 1;
  constructor(readonly x: number) {}
  get secret() {
    return this.#secret;
  }
}
class Client {
  #socket = 0;
  open() {
    return ++this.#socket;
  }
}

async function read(value: unknown, signal = new AbortController().signal) {
  const pieces: string[] = [];
  const returned = await readReturned(value, { tool: 'shop.list', signal, output: (text) => void pieces.push(text) });
  return { returned, pieces };
}

async function* sayTwice(last?: unknown) {
  yield 'one\n';
  yield 'two\n';
  return last;
}

describe('what a tool returns', () => {
  it.each([
    ['a Map with names', new Map([['a', 1]]), { a: 1 }],
    ['a Map with objects as keys', new Map([[{ id: 1 }, 2]]), [[{ id: 1 }, 2]]],
    ['a Set', new Set([1, 2]), [1, 2]],
    ['a Map inside of data', { rows: [new Map([['a', new Set([1])]])] }, { rows: [{ a: [1] }] }],
    ['an object of a class with fields', new Point(3), { x: 3 }],
    ['a big integer', 12n, '12'],
    ['big integers in data', { cents: [1n] }, { cents: ['1'] }],
    ['a Date', { when: new Date(0) }, { when: '1970-01-01T00:00:00.000Z' }],
    ['what toJSON returns', { toJSON: () => ({ big: 1n }) }, { big: '1' }],
    [
      'a table of rows of a database',
      { text: '', attachments: [{ type: 'table', rows: [{ id: 1n, when: new Date(0) }] }] },
      { text: '', attachments: [{ type: 'table', rows: [{ id: '1', when: '1970-01-01T00:00:00.000Z' }] }] },
    ],
    ['an Error', [new TypeError('no')], [{ name: 'TypeError', message: 'no' }]],
    [
      'bytes',
      Buffer.from('%PDF-'),
      { text: '', attachments: [expect.objectContaining({ mediaType: 'application/pdf' })] },
    ],
    [
      'a Blob',
      new Blob(['a'], { type: 'text/plain;charset=utf-8' }),
      { text: '', attachments: [{ type: 'file', mediaType: 'text/plain', data: Uint8Array.from([97]) }] },
    ],
  ])('as %s has a meaning', async (_name, value, expected) => {
    expect((await read(value)).returned).toEqual(expected);
  });

  it('stays the same object where it is text or plain data', async () => {
    const data = { list: [1, { a: null }] };
    for (const value of ['x', 1, undefined, data, [data, data], { text: 'x', whole: () => 'y' }]) {
      expect((await read(value)).returned).toBe(value);
    }
  });

  it('says where it contains itself, and only there', async () => {
    const shared = { x: 1 };
    const loop: Record<string, unknown> = { first: shared, second: shared };
    loop['self'] = loop;
    const expected = { first: { x: 1 }, second: { x: 1 }, self: '(circular)' };
    expect((await read(loop)).returned).toEqual(expected);
  });

  it('piece by piece is one text, and is passed on as it comes', async () => {
    expect(await read(sayTwice())).toEqual({ returned: 'one\ntwo\n', pieces: ['one\n', 'two\n'] });
    expect(await read(sayTwice({ text: 'done', rows: 2 }))).toEqual({
      returned: { text: 'done', rows: 2 },
      pieces: ['one\n', 'two\n'],
    });
    const numbers = (function* () {
      yield 1;
      yield new Map([['a', 2]]);
    })();
    expect((await read(numbers)).returned).toEqual([1, { a: 2 }]);
    const bytes = new Blob(['%PDF-', '1.7']).stream();
    const data = new TextEncoder().encode('%PDF-1.7');
    expect((await read(bytes)).returned).toEqual({
      text: '',
      attachments: [{ type: 'file', mediaType: 'application/pdf', data }],
    });
  });

  it.each([
    [() => 1, 'shop.list ran, and returned a function, which cannot be shown.'],
    [{ client: new Client() }, 'shop.list ran, and returned an object of the class Client without fields in client,'],
    [[Promise.resolve(1)], 'returned an object of the class Promise without fields in 0,'],
    [{ a: { run() {} } }, 'returned a function in a.run,'],
    [{ a: Uint8Array.from([1]) }, 'returned 1 bytes in the middle of data in a,'],
  ])('or is an error that names it', async (value, message) => {
    await expect(read(value)).rejects.toThrow(message);
  });

  it('without an end is stopped with the call, and closed', async () => {
    const stop = new AbortController();
    let isClosed = false;
    async function* forever() {
      try {
        for (let count = 0; ; count++) {
          if (count === 3) stop.abort();
          yield 'x';
        }
      } finally {
        isClosed = true;
      }
    }
    await expect(read(forever(), stop.signal)).rejects.toThrow('cancelled');
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).toBe(true);
  });

  it('has a whole that is plain data too', async () => {
    const whole = async () => new Map([['cents', 5n]]);
    expect(await getWhole({ text: 'five', whole }, 'shop.list')).toEqual({ cents: '5' });
    await expect(getWhole({ text: 'five', whole: () => () => 5 }, 'shop.list')).rejects.toThrow('returned a function');
  });
});
