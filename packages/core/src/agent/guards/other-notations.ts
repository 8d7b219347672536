/**
 * Runs of characters that may stand for other text, and how many of them are looked at in a text. Without the first
 * part, a word that is too short would be read again from each of its letters on.
 */
const RUN = /(?<![A-Za-z\d+/_-])[A-Za-z\d+/_-]{16,}={0,2}/g;
const MOST_RUNS = 200;
const LONGEST_RUN = 65_536;
/** Matches text that a person can read: bytes that are no UTF-8 are decoded as U+FFFD. */
const READABLE = /^(?:(?!\uFFFD)[\t\n\r\P{C}]){8,}$/u;
/** The same for the beginning of a text, whose last character may be cut. */
const READABLE_BEGINNING = /^(?:(?!\uFFFD)[\t\n\r\P{C}])+\uFFFD{0,3}$/u;
const BEGINNING = 24;
/** Lines of YAML: `key: value`, `- value`, `- key: value`. */
const YAML_LINE = /^\s*(?:-\s+)?(?:["']?[\w.-]+["']?:(?:\s+(.*))?|(?<=-\s+)(.+))$/;
const QUERY = /[?&][^=&\s#]+=([^&\s#]+)/g;
const MOST_PARTS = 500;

/** Lists the texts that are in a text as base64 or hexadecimal. */
export function listDecoded(text: string): readonly string[] {
  const found: string[] = [];
  let left = MOST_RUNS;
  for (const [run] of text.matchAll(RUN)) {
    if (left-- === 0) break;
    for (const decode of [decodeHex, decodeBase64]) {
      // Most runs are words, which shows at their beginnings.
      if (!READABLE_BEGINNING.test(decode(run.slice(0, BEGINNING)))) continue;
      const decoded = run.length <= BEGINNING ? decode(run) : decode(run.slice(0, LONGEST_RUN));
      if (READABLE.test(decoded)) found.push(decoded);
    }
  }
  return found;
}

/**
 * Lists the values in an argument, whatever their notation: those of JSON, YAML and the query of an address, and what is
 * in it as base64 or hexadecimal. Sentences have no values.
 */
export function listArgumentValues(argument: string): readonly string[] {
  const values = [...listJson(argument), ...listYaml(argument), ...listQuery(argument)];
  const texts = [argument, ...values].slice(0, MOST_PARTS);
  return [...values, ...texts.flatMap(listDecoded)].slice(0, MOST_PARTS);
}

/** Yields every text in a value, including those inside objects and lists, and the names of fields. */
export function* listInnerTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield* Object.keys(value);
  for (const inner of Object.values(value)) yield* listInnerTexts(inner);
}

function listJson(text: string): readonly string[] {
  if (!/^\s*[[{"]/.test(text)) return [];
  try {
    return [...listInnerTexts(JSON.parse(text))];
  } catch {
    return [];
  }
}

function listYaml(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const matches = lines.map((line) => YAML_LINE.exec(line));
  if (matches.length < 2 || matches[0] === null) return [];
  const values: string[] = [];
  for (const [index, match] of matches.entries()) {
    const value = match?.[1] ?? match?.[2];
    if (match === null && values.length > 0) values.push(`${values.pop()} ${lines[index]!.trim()}`.trim());
    else
      values.push(
        (value ?? '')
          .trim()
          .replace(/^[|>][+-]?$/, '')
          .replace(/^(["'])(.*)\1$/, '$2'),
      );
  }
  return values.filter((value) => value !== '');
}

function listQuery(text: string): readonly string[] {
  return Array.from(text.matchAll(QUERY), ([, value = '']) => decodePercent(value.replaceAll('+', ' ')));
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const UTF8 = new TextDecoder();

/** Returns an empty text for what is not hexadecimal. */
function decodeHex(run: string): string {
  if (!/^(?:[\da-f]{2})+$/i.test(run)) return '';
  return UTF8.decode(Uint8Array.from(run.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
}

/** What base64 of a text begins with: a byte of ASCII, or the first one of another character. */
const TEXT_AS_BASE64 = /^[CI-Za-fw-z\d]/;

/** Returns an empty text for what is not text as base64. */
function decodeBase64(run: string): string {
  if (!TEXT_AS_BASE64.test(run)) return '';
  const plain = run.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  // One character alone stands for no byte.
  return plain.length % 4 === 1 ? '' : UTF8.decode(Uint8Array.from(atob(plain), (one) => one.charCodeAt(0)));
}
