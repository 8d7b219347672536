import type { HostFunctions, Intrinsics } from './intrinsics.ts';

/**
 * Creates `Intl`, and the functions of numbers, dates and texts that use it; the host does the work. Runs inside the
 * engine, from its source text.
 */
export function createLocaleFormats(own: Intrinsics, formatInLocale: HostFunctions['formatInLocale']): void {
  const { apply, create, defineProperty, global, isArray, locale, parse, stringify, String, TypeError, RangeError } =
    own;
  const visible = { writable: true, configurable: true, enumerable: false };

  const ask = (kind: string, method: string, args: readonly [locales: unknown, options: unknown, values: unknown]) => {
    const answer = parse(formatInLocale(stringify([kind, method, ...args]))) as {
      readonly value?: unknown;
      readonly error?: string;
      readonly isType?: boolean;
    };
    if (answer.error === undefined) return answer.value;
    throw answer.isType === true ? new TypeError(answer.error) : new RangeError(answer.error);
  };
  // JSON has none of these values, but `Intl` also reads them from text.
  const toNumber = (value: unknown): unknown => {
    if (typeof value === 'bigint') return String(value);
    const number = typeof value === 'string' ? value : locale.toNumber(value);
    if (typeof number === 'string') return number;
    if (number === 0 && 1 / number < 0) return '-0';
    return locale.isFinite(number) ? number : String(number);
  };
  const toTime = (value: unknown): unknown => {
    const time = value === undefined ? own.now() : locale.toNumber(value);
    // An invalid date becomes null in JSON, which would be a valid one.
    if (!locale.isFinite(time)) throw new RangeError('Invalid time value');
    return time;
  };
  const toItems = (value: unknown): unknown => {
    const items: string[] = [];
    for (const item of value as Iterable<unknown>) items[items.length] = String(item);
    return items;
  };
  const FORMATS: readonly (readonly [string, readonly string[], (value: unknown) => unknown])[] = [
    ['NumberFormat', ['format', 'formatToParts', 'formatRange'], toNumber],
    ['DateTimeFormat', ['format', 'formatToParts', 'formatRange'], toTime],
    ['Collator', ['compare'], String],
    ['PluralRules', ['select'], toNumber],
    ['ListFormat', ['format', 'formatToParts'], toItems],
    ['RelativeTimeFormat', ['format', 'formatToParts'], toNumber],
    ['DisplayNames', ['of'], String],
    ['Segmenter', ['segment'], String],
  ];
  const intl = create(null) as Record<string, unknown>;
  for (let index = 0; index < FORMATS.length; index++) {
    const [kind, methods, toValue] = FORMATS[index]!;
    const Format = function (this: object, locales?: unknown, options?: unknown): unknown {
      const format = new.target === undefined ? (create(Format.prototype as object) as object) : this;
      ask(kind, 'resolvedOptions', [locales, options, []]);
      const resolvedOptions = () => ask(kind, 'resolvedOptions', [locales, options, []]);
      defineProperty(format, 'resolvedOptions', { ...visible, value: resolvedOptions });
      for (let place = 0; place < methods.length; place++) {
        const method = methods[place]!;
        const value = (first?: unknown, second?: unknown): unknown => {
          const isPair = method === 'formatRange' || method === 'compare';
          const rest = isPair ? [toValue(second)] : kind === 'RelativeTimeFormat' ? [second] : [];
          return ask(kind, method, [locales, options, [toValue(first), ...rest]]);
        };
        defineProperty(format, method, { ...visible, value });
      }
      return format;
    } as unknown as { (): unknown; readonly prototype: unknown };
    defineProperty(Format, 'name', { ...visible, value: kind });
    defineProperty(intl, kind, { ...visible, value: Format });
  }
  defineProperty(global, 'Intl', { ...visible, value: intl });

  const replace = (
    prototype: object,
    name: string,
    work: (self: unknown, args: readonly unknown[]) => unknown,
  ): void => {
    const value = {
      [name](this: unknown, ...args: readonly unknown[]): unknown {
        return work(this, args);
      },
    }[name];
    defineProperty(prototype, name, { ...visible, value });
  };
  const formatNumber = (self: unknown, [locales, options]: readonly unknown[]): unknown =>
    ask('NumberFormat', 'format', [locales, options, [toNumber(self)]]);
  replace(locale.numbers, 'toLocaleString', (self, args) => formatNumber(apply(locale.numberValue, self, []), args));
  replace(locale.bigInts, 'toLocaleString', (self, args) => formatNumber(apply(locale.bigIntValue, self, []), args));
  const ways = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'];
  for (let index = 0; index < ways.length; index++) {
    const way = ways[index]!;
    replace(locale.dates, way, (self, [locales, options]) => {
      const time = apply(locale.dateTime, self, []);
      return locale.isFinite(time) ? ask('Date', way, [locales, options, [time]]) : 'Invalid Date';
    });
  }
  /** Returns true for a text of digits and small letters, of which the order is the same in English and in Unicode. */
  // oxlint-disable-next-line unicorn/consistent-function-scoping -- this runs from its source text
  const isSimple = (text: string): boolean => {
    for (let index = 0; index < text.length; index++) {
      const sign = text[index]!;
      if (sign < '0' || sign > 'z' || (sign > '9' && sign < 'a')) return false;
    }
    return true;
  };
  replace(locale.texts, 'localeCompare', (self, [other, locales, options]) => {
    const one = String(self);
    const two = String(other);
    const isPlain = locales === undefined && options === undefined && isSimple(one) && isSimple(two);
    if (!isPlain) return ask('Collator', 'compare', [locales, options, [one, two]]);
    return one === two ? 0 : one < two ? -1 : 1;
  });
  replace(locale.arrays, 'toLocaleString', (self, [locales, options]) => {
    let text = '';
    const items = self as readonly { toLocaleString(locales: unknown, options: unknown): string }[];
    for (let index = 0; isArray(items) && index < items.length; index++)
      text += (index > 0 ? ',' : '') + (items[index]?.toLocaleString(locales, options) ?? '');
    return text;
  });
}
