import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sharedBench } from '../../test/bench-of-blocks.ts';

const table = sharedBench();

/** Value of an expression in a block, and what Node says of the same expression in en-US and UTC. */
const evaluate = async (code: string) => {
  const { output } = await table.outcome(`JSON.stringify(${code})`);
  return JSON.parse(output) as unknown;
};
// oxlint-disable-next-line typescript/no-implied-eval, no-eval -- the same expression in both engines
const inNode = (code: string): unknown => JSON.parse(JSON.stringify((0, eval)(code))) as unknown;

describe('formatting for a locale', () => {
  it.each([
    `(5815.518099999999).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })`,
    `(1234567.891).toLocaleString('en-US')`,
    `(1234567.891).toLocaleString('de-DE', { style: 'currency', currency: 'EUR' })`,
    `[NaN, Infinity, -0, 1e21, 0.1].map((n) => n.toLocaleString('en-US'))`,
    `(123456789012345678901n).toLocaleString('en-US')`,
    `[1234.5, 2].toLocaleString('en-US', { minimumFractionDigits: 1 })`,
    `new Date(1795832460000).toLocaleString('en-US', { timeZone: 'UTC' })`,
    `new Date(1795832460000).toLocaleDateString('en-GB', { timeZone: 'Asia/Tokyo', dateStyle: 'full' })`,
    `new Date(1795832460000).toLocaleTimeString('fr-FR', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' })`,
    `new Date(NaN).toLocaleString('en-US')`,
    `['ä', 'z', 'a', 'Z', 'B'].sort((a, b) => a.localeCompare(b, 'en-US'))`,
    `['a10', 'a9', 'A1'].sort((a, b) => a.localeCompare(b, 'en-US', { numeric: true, sensitivity: 'base' }))`,
    `['ä', 'z', 'a'].sort(new Intl.Collator('sv').compare)`,
    `[1, 1234.5].map(new Intl.NumberFormat('en-US', { style: 'percent' }).format)`,
    `new Intl.NumberFormat('en-US').formatToParts(1234.5)`,
    `new Intl.NumberFormat('en-US', { notation: 'compact' }).format(12_345_678)`,
    `new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long' }).format(new Date(0))`,
    `new Intl.DateTimeFormat('en-US', { timeZone: 'UTC' }).formatRange(0, 86_400_000)`,
    `new Intl.PluralRules('en-US', { type: 'ordinal' }).select(2)`,
    `new Intl.ListFormat('en-US', { type: 'conjunction' }).format(new Set(['a', 'b', 'c']))`,
    `new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' }).format(-1, 'day')`,
    `new Intl.DisplayNames('en-US', { type: 'region' }).of('JP')`,
    `[...new Intl.Segmenter('en-US', { granularity: 'word' }).segment('Two words')].map(({ segment }) => segment)`,
    `new Intl.NumberFormat('en-US', { style: 'currency', currency: 'JPY' }).resolvedOptions().maximumFractionDigits`,
    `Intl.NumberFormat('en-US').format(1234)`,
    `new Intl.NumberFormat('en-US') instanceof Intl.NumberFormat`,
  ])('gives what Node gives: %s', async (code) => {
    expect(await evaluate(code)).toEqual(inNode(code));
  });

  it('is in American English and in UTC by default, wherever it runs', async () => {
    expect(await evaluate('new Date(0).toLocaleString()')).toMatch(/^1\/1\/1970, 12:00:00\sAM$/);
    expect(await evaluate('(1234.5).toLocaleString()')).toBe('1,234.5');
    expect(await evaluate('new Intl.DateTimeFormat().resolvedOptions().timeZone')).toBe('UTC');
    expect(await evaluate('new Intl.NumberFormat().resolvedOptions().locale')).toBe('en-US');
  });

  it('compares any texts as Node does', async () => {
    const text = fc.oneof(fc.stringMatching(/^[0-9a-z]{0,6}$/), fc.string({ maxLength: 6 }));
    const pairs = fc.sample(fc.tuple(text, text), 200);
    const code = `${JSON.stringify(pairs)}.map(([a, b]) => a.localeCompare(b))`;
    expect(await evaluate(code)).toEqual(pairs.map(([a, b]) => a.localeCompare(b, 'en-US')));
  });

  it('gives, for any number and digits, what Node gives', async () => {
    const digits = fc.nat(20);
    const values = fc.array(fc.tuple(fc.double(), digits, digits), { minLength: 40, maxLength: 40 });
    const [samples = []] = fc.sample(values, 1);
    const code = samples.map(([number, a, b]) => {
      const literal = Object.is(number, -0) ? '-0' : String(number);
      const options = `{ minimumFractionDigits: ${Math.min(a, b)}, maximumFractionDigits: ${Math.max(a, b)} }`;
      return `(${literal}).toLocaleString('en-US', ${options})`;
    });
    expect(await evaluate(`[${code.join(', ')}]`)).toEqual(inNode(`[${code.join(', ')}]`));
  });
});

describe('a wrong use of locales', () => {
  it.each([
    [
      `(1).toLocaleString('en-US', { minimumFractionDigits: 1000 })`,
      /^RangeError: minimumFractionDigits value is out of range/,
    ],
    [`(1).toLocaleString('no such locale')`, /^RangeError: Incorrect locale information provided/],
    [`new Intl.NumberFormat({ a: 1 })`, /^TypeError: Incorrect locale information provided/],
    [`new Intl.NumberFormat('en', { style: 'currency' })`, /^TypeError: Currency code is required/],
    [`new Intl.DateTimeFormat('en').format(new Date(NaN))`, /^RangeError: Invalid time value/],
    [`new Date(0).toLocaleString('en', { timeZone: 'Mars/Olympus' })`, /^RangeError: Invalid time zone/],
    [`Number.prototype.toLocaleString.call('1')`, /^TypeError/],
    [`'X'.repeat(2_000_000).localeCompare('y')`, /^RangeError: too long to format/],
  ])('is an error of its own kind: %s', async (code, error) => {
    const { ok, output } = await table.outcome(code);
    expect(ok).toBe(false);
    expect(output.split('\n')[0]).toMatch(error);
    expect(
      await table.outcome(
        `try { ${code} } catch (e) { print(e instanceof Error, e.constructor === globalThis[e.name]) }`,
      ),
    ).toMatchObject({ output: 'true true' });
  });

  it('reaches nothing of the host', async () => {
    const reached = await table.outcome(`
      const format = new Intl.NumberFormat('en');
      const parts = format.formatToParts(1);
      const foreign = [format, format.format, parts, parts[0], Intl, Intl.NumberFormat].filter((value) =>
        Object.getPrototypeOf(value) !== null && !(value instanceof Object) && value !== Intl);
      const escaped = [format.format.constructor, parts.constructor.constructor].map((make) => make('return typeof process')());
      print(foreign.length, ...escaped);`);
    expect(reached.output).toBe('0 undefined undefined');
  });

  it('takes options from what code computes', async () => {
    expect(await evaluate(`(1).toLocaleString('en-US', { get minimumFractionDigits() { return 2; } })`)).toBe('1.00');
    expect(await evaluate(`(1).toLocaleString('en-US', { __proto__: null, minimumFractionDigits: 2 })`)).toBe('1.00');
  });

  it('changes nothing for later code, whatever it replaces', async () => {
    await table.outcome(`
      Object.prototype.minimumFractionDigits = 5; Array.prototype.includes = () => true;
      JSON.stringify = JSON.parse = () => 'mine'; String.prototype.includes = () => true; Number = () => 9;`);
    const { output } = await table.outcome(
      `print((1.5).toLocaleString('en-US'), new Intl.NumberFormat('en-US').format(2))`,
    );
    expect(output).toBe('1.5 2');
    await table.outcome(`delete Object.prototype.minimumFractionDigits`);
  });
});
