/** Request of code to `Intl`: a constructor, its arguments, and a method with its arguments. */
type LocaleRequest = readonly [
  kind: string,
  method: string,
  locales: unknown,
  options: unknown,
  values: readonly unknown[],
];

/** Answer to a request; errors are passed as text, since objects of the host never enter the engine. */
type LocaleAnswer = { readonly value: unknown } | { readonly error: string; readonly isType: boolean };

/** Methods that code may call, by constructor. */
const METHODS: Readonly<Record<string, readonly string[]>> = {
  NumberFormat: ['format', 'formatToParts', 'formatRange', 'resolvedOptions'],
  DateTimeFormat: ['format', 'formatToParts', 'formatRange', 'resolvedOptions'],
  Collator: ['compare', 'resolvedOptions'],
  PluralRules: ['select', 'resolvedOptions'],
  ListFormat: ['format', 'formatToParts', 'resolvedOptions'],
  RelativeTimeFormat: ['format', 'formatToParts', 'resolvedOptions'],
  DisplayNames: ['of', 'resolvedOptions'],
  Segmenter: ['segment', 'resolvedOptions'],
  Date: ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'],
};

/** Maximum length of a request, in characters, and number of formats that are kept for the next request. */
const LONGEST = 1_000_000;
const KEPT = 50;

/** What does not depend on the machine: code has the same results everywhere, and cannot see where it runs. */
const DEFAULT_LOCALE = 'en-US';
const DEFAULT_ZONE = 'UTC';

type Format = Readonly<Record<string, (...values: readonly unknown[]) => unknown>>;

const formats = new Map<string, Format>();

/**
 * Formats numbers, dates and texts for code in the engine, which has no locale data of its own, by the `Intl` of Node.
 *
 * @param json a `LocaleRequest`, as JSON; dates are milliseconds
 * @returns a `LocaleAnswer`, as JSON
 */
export function formatInLocale(json: string): string {
  let answer: LocaleAnswer;
  try {
    if (json.length > LONGEST) throw new RangeError(`too long to format: at most ${LONGEST} characters at once`);
    answer = { value: answerRequest(JSON.parse(json) as LocaleRequest) };
  } catch (error) {
    answer = { error: (error as Error).message, isType: error instanceof TypeError };
  }
  return JSON.stringify(answer);
}

function answerRequest([kind, method, locales, options, values]: LocaleRequest): unknown {
  if (METHODS[kind]?.includes(method) !== true) throw new TypeError(`Intl.${kind} has no ${method} here`);
  const where = listLocales(locales);
  const plain = keepPlainOptions(options);
  const inZone = { timeZone: DEFAULT_ZONE, ...plain };
  if (kind === 'Date') {
    const date = new Date(values[0] as number) as unknown as Format;
    return date[method]!(where, inZone);
  }
  const format = findFormat(kind, where, kind === 'DateTimeFormat' ? inZone : plain);
  const result = format[method]!(...values);
  return kind === 'Segmenter' && method === 'segment' ? listSegments(result as Iterable<Intl.SegmentData>) : result;
}

function listLocales(locales: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(locales)
    ? locales
    : locales === undefined || locales === null
      ? []
      : [locales];
  const wrong = list.find((locale) => typeof locale !== 'string');
  if (wrong !== undefined) throw new TypeError(`Incorrect locale information provided: ${JSON.stringify(wrong)}`);
  return list.length === 0 ? [DEFAULT_LOCALE] : (list as readonly string[]);
}

function keepPlainOptions(options: unknown): Record<string, unknown> {
  if (typeof options !== 'object' || options === null) return {};
  return Object.fromEntries(Object.entries(options).filter(([, value]) => typeof value !== 'object'));
}

function findFormat(kind: string, locales: readonly string[], options: Record<string, unknown>): Format {
  const key = JSON.stringify([kind, locales, options]);
  const known = formats.get(key);
  if (known !== undefined) return known;
  const constructors = Intl as unknown as Record<string, new (locales: readonly string[], options: object) => Format>;
  const made = new constructors[kind]!(locales, options);
  if (formats.size >= KEPT) formats.clear();
  formats.set(key, made);
  return made;
}

function listSegments(segments: Iterable<Intl.SegmentData>) {
  return Array.from(segments, ({ segment, index, isWordLike }) => ({ segment, index, isWordLike }));
}
