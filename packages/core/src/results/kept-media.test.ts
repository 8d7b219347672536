import { describe, expect, it } from 'vitest';
import { createMemoryResults, readResult } from './kept-results.ts';
import { attachBytes, keepAttachments, loadMedia, readKeptMedia } from './kept-media.ts';

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);
const image = { type: 'image', mediaType: 'image/png', data: PNG, name: 'a b;c].png' } as const;

function keep(attachments: readonly object[], fromCode = false) {
  const results = createMemoryResults();
  return { results, kept: keepAttachments(attachments as never, results, fromCode) };
}

describe('an attachment', () => {
  it('of bytes is a line with a handle, and comes back byte for byte', () => {
    const { results, kept } = keep([image]);
    expect(kept.text).toBe('[image result:1: a b;c).png, image/png, 7 bytes]');
    const media = readKeptMedia('result:1', results.get('result:1')!);
    expect(media).toEqual({
      type: 'image',
      mediaType: 'image/png',
      name: 'a b;c).png',
      ref: 'result:1',
      bytes: 7,
      data: Buffer.from(PNG).toString('base64'),
    });
    expect(kept.media).toEqual([{ ...media, data: undefined }]);
    const { attachments } = readResult(results, 'result:1');
    expect(keepAttachments(attachments!, results, false).text).toBe(kept.text);
    expect(results.handles!()).toEqual(['result:1']);
  });

  it('is whole however long it is', () => {
    const data = Uint8Array.from({ length: 100_001 }, (_, index) => index % 251);
    const { results } = keep([{ ...image, data }]);
    expect(Buffer.from(readKeptMedia('result:1', results.get('result:1')!)!.data, 'base64').equals(data)).toBe(true);
  });

  it('that is a file of text is kept as that text, without what looks like a key', () => {
    const data = new TextEncoder().encode('a,b\n1,ghp_0123456789abcdefghijklmnopqrstuvwxyz\n');
    const file = { type: 'file', mediaType: 'text/csv', data, name: 'a.csv' };
    const { results, kept } = keep([file]);
    expect(kept.text).toBe('[file result:1: a.csv, text/csv, 3 lines; read it: <R:result:1>]');
    expect(readResult(results, 'result:1').text).toMatch(/^a,b\n1,/);
    expect(readResult(results, 'result:1').text).not.toContain('ghp_0123');
    expect(keep([file], true).kept.data).toEqual([
      { type: 'file', mediaType: 'text/csv', name: 'a.csv', text: String(Buffer.from(data)) },
    ]);
  });

  it('that is a table is shown when it is short, else kept as rows that can be searched', () => {
    const rows = Array.from({ length: 12 }, (_, id) => ({ id, title: `A, "${id}"` }));
    expect(keep([{ type: 'table', rows: rows.slice(0, 2) }]).kept.text).toBe(
      '[table: 2 rows]\nid,title\n0,"A, ""0"""\n1,"A, ""1"""',
    );
    const { results, kept } = keep([{ type: 'table', name: 'tickets', rows }]);
    expect(kept.text).toBe('[table result:1: tickets, 12 rows: id, title; read it: <R:result:1>]');
    expect(results.get('result:1')!.split('\n')).toHaveLength(13);
    expect(keep([{ type: 'table', rows }], true).kept.data).toEqual([{ type: 'table', rows }]);
  });

  it('that is a link is a line', () => {
    const link = { type: 'link', url: 'https://a.example/x', name: 'Docs', description: 'All\nof it' };
    expect(keep([link]).kept.text).toBe('[link: Docs https://a.example/x -- All of it]');
  });

  it('that is too large is named, and not kept', () => {
    const { results, kept } = keep([{ ...image, data: new Uint8Array(20_000_001) }]);
    expect(kept.text).toBe('[image: a b;c).png, image/png, 20.0 MB; not kept: more than 20.0 MB]');
    expect(kept.media).toEqual([]);
    expect(results.handles!()).toEqual([]);
  });

  it('after twenty others has its handle in one line with the rest', () => {
    const { kept } = keep(Array.from({ length: 23 }, () => image));
    expect(kept.text.split('\n').at(-1)).toBe('[3 more: result:21, result:22, result:23]');
    expect(kept.media).toHaveLength(23);
  });

  it.each([
    [{ type: 'picture' }, 'attachments[0].type: expected image, audio, file, link, table; got "picture".'],
    [null, 'attachments[0].type: expected image, audio, file, link, table; got nothing.'],
    [{ ...image, mediaType: 'png' }, 'attachments[0].mediaType: expected one such as image/png; got "png".'],
    [{ ...image, data: '<svg>' }, 'attachments[0].data: expected bytes (a Uint8Array), or base64; got "<svg>".'],
    [{ type: 'link', url: 'a b' }, 'attachments[0].url: expected a whole URL; got "a b".'],
    [{ type: 'table', rows: [[1]] }, 'attachments[0].rows: expected a list of objects; got Array.'],
  ])('that cannot be used is an error that names the field: %j', (attachment, message) => {
    expect(() => keep([attachment as object])).toThrow(message);
  });
});

it('messages get the bytes of their media, and lose what is kept no longer', () => {
  const { results, kept } = keep([image]);
  const message = { role: 'user', text: 'see', media: kept.media } as const;
  expect(loadMedia([message], results)[0]!.media![0]!.data).toBe(Buffer.from(PNG).toString('base64'));
  expect(loadMedia([message], createMemoryResults())[0]!.media).toEqual([]);
});

it.each([
  [PNG, 'image', 'image/png'],
  [new TextEncoder().encode('%PDF-1.7'), 'file', 'application/pdf'],
  [Uint8Array.from([1, 2]), 'file', 'application/octet-stream'],
])('bytes are what they begin as', (bytes, type, mediaType) => {
  expect(attachBytes(bytes)).toMatchObject({ type, mediaType });
});
