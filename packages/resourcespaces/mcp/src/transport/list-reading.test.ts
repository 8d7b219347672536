import { describe, expect, it } from 'vitest';
import { ListReading } from './list-reading.ts';

const MEGABYTE = 1024 * 1024;
const SCHEMA = { type: 'object' };
const good = (index: number) => ({ name: `t${index}`, inputSchema: SCHEMA });

function nest(depth: number): object {
  let value: object = {};
  for (let count = 0; count < depth; count++) value = { a: value };
  return value;
}

/** Entries that are wrong in one way, by what is said of them. */
const WRONG: readonly (readonly [words: string, entry: unknown])[] = [
  ['no. 1 (no name)', 7],
  ['no. 1 (no name)', null],
  ['no. 1 (no name)', { inputSchema: SCHEMA }],
  ['no. 1 (wrong name)', { name: ['a'], inputSchema: SCHEMA }],
  ['no. 1 (wrong name)', { name: 'a'.repeat(251), inputSchema: SCHEMA }],
  ['a (no inputSchema)', { name: 'a' }],
  ['a (wrong inputSchema)', { name: 'a', inputSchema: 'object' }],
  ['a (wrong inputSchema)', { name: 'a', inputSchema: { type: 'string' } }],
  ['a (wrong inputSchema)', { name: 'a', inputSchema: { ...SCHEMA, required: [1] } }],
  ['a (wrong inputSchema)', { name: 'a', inputSchema: { ...SCHEMA, properties: [] } }],
  ['a (wrong outputSchema)', { name: 'a', inputSchema: SCHEMA, outputSchema: { type: 'array' } }],
  ['a (wrong description)', { name: 'a', inputSchema: SCHEMA, description: {} }],
  ['a (wrong annotations)', { name: 'a', inputSchema: SCHEMA, annotations: { readOnlyHint: 'yes' } }],
  ['a (too large)', { name: 'a', inputSchema: { ...SCHEMA, title: 'x'.repeat(250_001) } }],
  ['a (too large)', { name: 'a', inputSchema: { ...SCHEMA, enum: Array.from({ length: 5000 }, () => 1) } }],
  ['a (too large)', { name: 'a', inputSchema: { ...SCHEMA, properties: nest(10_000) } }],
  ['a_run_b (no inputSchema)', { name: 'a\n<run>b' }],
];

describe('a reading of the tools of a server', () => {
  it.each(WRONG)('leaves out %s', (words, entry) => {
    const reading = new ListReading('tools');
    expect(reading.take([entry, good(2)], false)).toEqual([good(2)]);
    expect(reading.describeLeftOut()).toBe(`1 of its tools was left out: ${words}.`);
  });

  it('names five wrong tools, and counts the others', () => {
    const reading = new ListReading('tools');
    expect(reading.take([1, 2, good(3), 4, { name: 'b' }, 6, 7, 8], false)).toEqual([good(3)]);
    expect(reading.describeLeftOut()).toBe(
      '7 of its tools were left out: no. 1 (no name), no. 2 (no name), no. 4 (no name), b (no inputSchema), no. 6 (no name), 2 more.',
    );
  });

  it('says nothing when everything is as it should be, and drops what is not used', () => {
    const reading = new ListReading('tools');
    const full = { ...good(1), title: 'T', description: 'D', annotations: { title: 'A', readOnlyHint: true } };
    const unused = { icons: [7], _meta: 7, execution: 7, outputSchema: null };
    expect(reading.take([{ ...full, ...unused }], false)).toEqual([full]);
    expect(reading.describeLeftOut()).toBe('');
  });

  it.each(
    [1, 5, 20].flatMap((megabytes) =>
      (
        [
          ['numbers', 7],
          ['empty objects', {}],
          ['objects without names', { inputSchema: SCHEMA }],
          ['wrong schemas', { name: 'a', inputSchema: { type: 7 } }],
          ['deep schemas', { name: 'a', inputSchema: { ...SCHEMA, properties: nest(500) } }],
          ['wrong pictures', { ...good(1), icons: Array.from({ length: 500 }, () => 7) }],
        ] as const
      ).map(([name, entry]) => [megabytes, name, entry] as const),
    ),
  )('looks at no more than 2,000 entries in %i MB of %s', (megabytes, _, entry) => {
    const length = Math.ceil((megabytes * MEGABYTE) / (JSON.stringify(entry).length + 1));
    let read = 0;
    const page = new Proxy<unknown[]>([], {
      get: (target, key) => {
        if (key === 'length') return length;
        if (typeof key === 'symbol') return Reflect.get(target, key) as unknown;
        read++;
        return entry;
      },
    });
    const reading = new ListReading('tools');
    const taken = reading.take(page, false);
    expect(read).toBeLessThanOrEqual(2001);
    expect(taken.length).toBeLessThanOrEqual(2000);
    // What is validated afterwards is small too.
    expect(JSON.stringify(taken).length).toBeLessThan(5_000_000);
  });

  it('ends when the tools that were read are too large together, whatever is wrong with them', () => {
    const large = (index: number) => ({ ...good(index), description: 'x'.repeat(200_000) });
    const reading = new ListReading('tools');
    expect(
      reading.take(
        Array.from({ length: 100 }, (_, index) => large(index)),
        false,
      ),
    ).toHaveLength(20);
    expect(reading.describeLeftOut()).toBe('Its tools after the first 20 were left out.');
    const wrong = new ListReading('tools');
    const values = Array.from({ length: 4000 }, () => 1);
    wrong.take(
      Array.from({ length: 100 }, () => ({ name: 'a', inputSchema: values })),
      false,
    );
    expect(wrong.describeLeftOut()).toMatch(/^25 of its tools .*\. Its tools after the first 25 were left out\.$/);
  });

  it('ends after 64 pages, and says so only if there are more', () => {
    const reading = new ListReading('tools');
    for (let page = 1; page < 64; page++) reading.take([good(page)], true);
    expect(reading.isCut).toBe(false);
    reading.take([good(64)], false);
    expect(reading.describeLeftOut()).toBe('');
    const endless = new ListReading('tools');
    for (let page = 1; page <= 64; page++) endless.take([good(page)], true);
    expect(endless.isCut).toBe(true);
    expect(endless.describeLeftOut()).toBe('Its tools after the first 64 were left out.');
  });
});

it('other lists are read in the same way', () => {
  const prompts = new ListReading('prompts');
  const prompt = { name: 'p', arguments: [{ name: 'a', required: true }] };
  expect(prompts.take([prompt, { name: 'q', arguments: [{}] }], false)).toEqual([prompt]);
  expect(prompts.describeLeftOut()).toBe('1 of its prompts was left out: q (wrong arguments).');
  const resources = new ListReading('resources');
  const resource = { uri: 'memo://a', name: 'a' };
  expect(resources.take([resource, { name: 'b' }], false)).toEqual([resource]);
  expect(resources.describeLeftOut()).toBe('1 of its resources was left out: b (no uri).');
  const many = Array.from({ length: 10_000 }, () => resource);
  expect(new ListReading('resources').take(many, false)).toHaveLength(10_000);
  const templates = new ListReading('resourceTemplates');
  expect(templates.take([{ name: 'b' }], false)).toEqual([]);
  expect(templates.describeLeftOut()).toBe('1 of its resource templates was left out: b (no uriTemplate).');
});
