declare const harmless: unique symbol;

/**
 * A text in which nothing moves the cursor, changes what is shown or hides something, but codes of our own. Terminals
 * take nothing else, and only the functions of this file make it.
 */
export type TerminalText = string & { readonly [harmless]: true };

/** Our own codes, written out, around texts and numbers: `` drawn`\r${text}\u001B[K` ``. */
export function drawn(codes: TemplateStringsArray, ...values: readonly (TerminalText | number)[]): TerminalText {
  return String.raw({ raw: codes }, ...values) as TerminalText;
}

/** Harmless texts as one. */
export function joinHarmless(texts: readonly TerminalText[], between: TerminalText = drawn``): TerminalText {
  return texts.join(between) as TerminalText;
}

/** A part of a harmless text. */
export function sliceText(text: TerminalText, from: number): TerminalText {
  return text.slice(from) as TerminalText;
}

/**
 * Makes a text from outside harmless to a terminal: control and invisible characters become visible, `␛` or
 * `<U+202E>`. Line breaks and tabs stay.
 */
export function makeVisible(text: string): TerminalText {
  return text.replaceAll('\r\n', '\n').replaceAll(JOINER, '').replaceAll(UNSAFE, visible) as TerminalText;
}

/** The same, on one line. */
export function makeLineVisible(text: string): string {
  return makeVisible(text.replaceAll(/\r?\n/g, '⏎')).replaceAll('\t', ' ');
}

/**
 * The same, as lines, with spaces for tabs: for what a person decides about. Blanks that are not what they look like are
 * visible, and so is a carriage return at the end of a line: a change of line breaks is a change.
 */
export function splitVisibleLines(text: string): readonly string[] {
  return makeVisible(text.replaceAll('\r\n', '␍\n'))
    .replaceAll(ODD_BLANK, visible)
    .replaceAll('\t', '  ')
    .replace(/\n$/, '')
    .split('\n');
}

/** Blanks that another program does not take for one. */
const ODD_BLANK = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800]/g;

/**
 * Control and format characters (bidi overrides, zero-width ones), separators, invisible fillers, lone surrogates, and
 * selectors of variants, which can hide a text, where they are not those of an emoji.
 */
const UNSAFE =
  /\u034F|[\u180B-\u180F\uFE00-\uFE0D\u{E0100}-\u{E01EF}]|(?<!\p{Emoji})[\uFE0E\uFE0F]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115F\u1160\u3164\uFFA0]|\u17B4|\u17B5/gu;

/** What makes one emoji of several: terminals disagree about its width, and agree about those of its parts. */
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
/** Characters that take none: combining marks and invisible ones. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u;

/** Columns that a text takes in a terminal. */
export function measureWidth(text: string): number {
  let width = 0;
  for (const character of text) width += measureCharacter(character);
  return width;
}

/** Cuts a text to some columns, with `…` at the end. */
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

/** Divides a line so that every piece fits some columns; those after the first begin with a mark. No character is lost. */
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

/** Cuts or pads a text to exactly some columns. */
export function padToWidth(text: string, columns: number): string {
  const cut = truncate(text, columns);
  return cut + ' '.repeat(Math.max(0, columns - measureWidth(cut)));
}

function measureCharacter(character: string): number {
  if (character < '\u007F') return character < ' ' ? 0 : 1;
  if (NARROW.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** The role of a text, which decides its colour. */
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
  | 'keyword'
  | 'text'
  | 'number';

/** Colours a text where colours are wanted. */
export type Painter = (paint: Paint, text: string) => string;

const ESC = '\u001B[';
const RESET = `${ESC}0m`;

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
  keyword: '38;2;255;135;215',
  text: '38;2;255;215;135',
  number: '38;2;215;175;255',
};

export function createPainter(output: { readonly color: boolean }): Painter {
  if (!output.color) return (_, text) => text;
  return (paint, text) => (text === '' ? '' : `${ESC}${CODES[paint]}m${text}${RESET}`);
}

/** The colours of a painter, and nothing else that a terminal would obey. */
const PAINTED = new RegExp(`(\\u001B\\[(?:0|${Object.values(CODES).join('|')})m)`, 'g');

/** Makes a text for a terminal harmless as `makeVisible` does, whoever wrote it; the colours of a painter stay. */
export function makeOutputVisible(text: string): TerminalText {
  return text
    .split(PAINTED)
    .map((piece, index) => (index % 2 === 1 ? piece : makeVisible(piece)))
    .join('') as TerminalText;
}
