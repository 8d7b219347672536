declare const harmless: unique symbol;

/**
 * Text without any code that moves the cursor, changes the display or hides something, except codes of bae itself.
 * Terminals accept no other text, and only the functions of this file create it.
 */
export type TerminalText = string & { readonly [harmless]: true };

/** Joins codes of bae itself, which are written out, with texts and numbers: `` drawn`\r${text}\u001B[K` ``. */
export function drawn(codes: TemplateStringsArray, ...values: readonly (TerminalText | number)[]): TerminalText {
  return String.raw({ raw: codes }, ...values) as TerminalText;
}

export function joinHarmless(texts: readonly TerminalText[]): TerminalText {
  return texts.join('') as TerminalText;
}

/** Returns a part of a harmless text. */
export function sliceText(text: TerminalText, from: number, to?: number): TerminalText {
  return text.slice(from, to) as TerminalText;
}

/**
 * Makes external text harmless to a terminal: control and invisible characters become visible, as `␛` or `<U+202E>`.
 * Line breaks and tabs are kept.
 */
export function makeVisible(text: string): TerminalText {
  return text.replaceAll('\r\n', '\n').replaceAll(JOINER, '').replaceAll(UNSAFE, visible) as TerminalText;
}

/** Makes external text harmless in the same way, on one line. */
export function makeLineVisible(text: string): string {
  return makeVisible(text.replaceAll(/\r?\n/g, '⏎')).replaceAll('\t', ' ');
}

/**
 * Makes a text harmless and splits it into lines, with spaces for tabs, so that a person can decide about it. Unusual
 * blanks become visible, and so does a carriage return at the end of a line, because a change of line breaks is a
 * change.
 */
export function splitVisibleLines(text: string): readonly string[] {
  return makeVisible(text.replaceAll('\r\n', '␍\n'))
    .replaceAll(ODD_BLANK, visible)
    .replaceAll('\t', '  ')
    .replace(/\n$/, '')
    .split('\n');
}

/**
 * Splits a unified diff in the same way. Where an added and a removed line look the same, their tabs and the spaces at
 * their ends become visible, as `→` and `·`.
 */
export function splitVisibleDiff(text: string): readonly string[] {
  const lines = splitVisibleLines(text);
  const marked = splitVisibleLines(markBlanks(text));
  const looks = lines.map((line) => (/^[-+]/.test(line) ? line.slice(1).trimEnd() : undefined));
  const forms = new Map<string, Set<string>>();
  for (const [index, look] of looks.entries())
    if (look !== undefined) forms.set(look, (forms.get(look) ?? new Set()).add(marked[index]!.slice(1)));
  const isAlike = (look: string | undefined) => look !== undefined && forms.get(look)!.size > 1;
  return lines.map((line, index) => (isAlike(looks[index]) ? marked[index]! : line));
}

function markBlanks(text: string): string {
  return text.replaceAll('\t', '→ ').replaceAll(/ +(?=\r?$)/gm, (blanks) => '·'.repeat(blanks.length));
}

/** Blanks that look like a space, but that other programs do not treat as one. */
const ODD_BLANK = /(?! )\p{Zs}|\u2800/gu;

/**
 * Control and format characters (bidi overrides, zero-width characters), separators, lone surrogates, and everything
 * else that terminals do not draw, assigned or not; variation selectors are kept after emoji, and hide text elsewhere.
 */
const UNSAFE = /(?<!\p{Emoji})[\uFE0E\uFE0F]|(?![\uFE0E\uFE0F])\p{DI}|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Character that joins emoji into one. Terminals disagree about the width of the result, but agree about its parts. */
const JOINER = /(?<=\p{Extended_Pictographic}(?:\uFE0F|\p{Emoji_Modifier})?)\u200D(?=\p{Extended_Pictographic})/gu;

function visible(character: string): string {
  if (character === '\n' || character === '\t') return character;
  const point = character.codePointAt(0)!;
  if (point < 0x20) return String.fromCodePoint(0x2400 + point);
  if (point === 0x7f) return '␡';
  return `<U+${point.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Characters that take two columns: East Asian wide and full-width ones, and emoji. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F1E6}-\u{1F1FF}\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;
/** Characters that take no column: combining marks and invisible ones. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u;

/** Characters of one column that bae itself writes. */
const USUAL = /^[\u00A1-\u00AC\u00AE-\u02FF\u2010-\u2027]$/;

/** Returns the width of a text in a terminal, in columns. */
export function measureWidth(text: string): number {
  let width = 0;
  for (const character of text) width += measureCharacter(character);
  return width;
}

/** Formats a whole number as `1,234`, without the tables of languages, whose loading would hold up a frame. */
export function groupDigits(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Cuts a text to a number of columns, ending with `…`. */
export function truncate(text: string, columns: number): string {
  if (measureWidth(text) <= columns) return text;
  let width = 0;
  let kept = '';
  for (const character of text) {
    width += measureCharacter(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return columns < 1 ? '' : `${kept}…`;
}

/** Cuts a text to the columns at its end, beginning with `…`. */
export function truncateStart(text: string, columns: number): string {
  let width = measureWidth(text);
  if (width <= columns) return text;
  let from = 0;
  for (const character of text) {
    if (width <= columns - 1) break;
    width -= measureCharacter(character);
    from += character.length;
  }
  return columns < 1 ? '' : `…${text.slice(from)}`;
}

/**
 * Divides a line into pieces that fit a number of columns. Every piece after the first begins with a mark, and no
 * character is lost.
 */
export function wrapLine(line: string, columns: number, mark = '  ↪ '): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let width = 0;
  for (const character of line) {
    const own = measureCharacter(character);
    if (width + own > columns && piece !== '' && piece !== mark) {
      pieces.push(piece);
      piece = mark;
      width = measureWidth(mark);
    }
    piece += character;
    width += own;
  }
  return [...pieces, piece];
}

/** Cuts or pads a text to an exact number of columns. */
export function padToWidth(text: string, columns: number): string {
  const cut = truncate(text, columns);
  return cut + ' '.repeat(Math.max(0, columns - measureWidth(cut)));
}

function measureCharacter(character: string): number {
  if (character < '\u007F') return character < ' ' ? 0 : 1;
  // Known without the tables of all characters, which would hold up the first prompt.
  if (USUAL.test(character)) return 1;
  if (NARROW.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Role of a text, which determines its colour. */
export type Paint =
  | 'bullet'
  | 'quiet'
  | 'error'
  | 'hint'
  | 'ai'
  | 'code'
  | 'debug'
  | 'strong'
  | 'heading'
  | 'emphasis'
  | 'link'
  | 'struck'
  | 'keyword'
  | 'text'
  | 'number';

/** Colours a text if colours are enabled. */
export type Painter = (paint: Paint, text: string) => string;

const ESC = '\u001B[';
const RESET = `${ESC}0m`;
/** Ends a colour within dim text. */
export const RESET_TO_DIM = `${ESC}0;2m`;

const CODES: Readonly<Record<Paint, string>> = {
  bullet: '96',
  quiet: '3;38;5;246',
  error: '31',
  hint: '33',
  ai: '38;2;135;215;255',
  code: '38;2;135;255;135',
  debug: '38;2;128;128;128',
  strong: '1',
  heading: '1;38;2;135;215;255',
  emphasis: '3',
  link: '4',
  struck: '9',
  keyword: '38;2;255;135;215',
  text: '38;2;255;215;135',
  number: '38;2;215;175;255',
};

/** @param end code after a coloured text. Default: one that ends all colours */
export function createPainter(output: { readonly color: boolean }, end = RESET): Painter {
  if (!output.color) return (_, text) => text;
  return (paint, text) => (text === '' ? '' : `${ESC}${CODES[paint]}m${text}${end}`);
}

/** Colour codes of a painter, the only codes that reach the terminal. */
const PAINTED = new RegExp(`(\\u001B\\[(?:0|0;2|${Object.values(CODES).join('|')})m)`, 'g');

/** Makes any text harmless as `makeVisible` does, but keeps the colours of a painter. */
export function makeOutputVisible(text: string): TerminalText {
  return text
    .split(PAINTED)
    .map((piece, index) => (index % 2 === 1 ? piece : makeVisible(piece)))
    .join('') as TerminalText;
}
