import { StringDecoder } from 'node:string_decoder';

/** Key that was pressed, or text that was pasted. */
export interface Key {
  /** Name such as `a`, `escape`, `ctrl-v`, `meta-left` or `shift-tab`; `paste` for pasted text. */
  readonly name: string;
  /** Text that the key writes. Default: none */
  readonly text?: string;
}

/** Time after which a lone Escape is a key and not the start of a code, in milliseconds. */
const ESCAPE_MS = 30;
const ESCAPE = '\u001B';
const PASTE = { begin: '\u001B[200~', end: '\u001B[201~' };

/** Codes of keys after Escape, with their parameters and their last character. */
const CODE = /\[[<=>?]?([\d;:]*)[ -#%-/]*([$@-Z\\-~])/y;
const SHORT_CODE = /O(\d?)([A-Za-z])/y;
const CONSOLE_CODE = /\[\[./y;
/** Start of a code, whose rest has not arrived yet. */
const INCOMPLETE = /(?:\[\[?|\[[<=>?]?[\d;:]*[ -/]*|O\d?)?$/y;

const LETTERS: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  Z: 'shift-tab',
  M: 'return',
};

const NUMBERS: Readonly<Record<string, string>> = { 1: 'home', 3: 'delete', 4: 'end', 7: 'home', 8: 'end' };

/** Characters that are keys and no text. */
const CONTROLS: Readonly<Record<string, string>> = {
  '\r': 'return',
  '\t': 'tab',
  '\u007F': 'backspace',
  '\u001B': 'escape',
};

/** Codes of keys without a character in the kitty protocol; those of the number pad begin at another one. */
const OTHER_KEY = /[\uE000-\uF8FF]/;
const PAD_START = 57_399;
const PAD = [
  ...Array.from('0123456789./*-+'),
  'return',
  '=',
  ',',
  'left',
  'right',
  'up',
  'down',
  '',
  '',
  'home',
  'end',
  '',
  'delete',
];

/**
 * Turns the input of a terminal into keys: characters, the codes of xterm and of the Linux console, those of the kitty
 * keyboard protocol, and bracketed pastes.
 */
export class KeyDecoder {
  readonly #onKey: (key: Key) => void;
  readonly #utf8 = new StringDecoder('utf8');
  /** Input that is not a whole key yet. */
  #rest = '';
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(onKey: (key: Key) => void) {
    this.#onKey = onKey;
  }

  push(bytes: Buffer | string): void {
    clearTimeout(this.#timer);
    const input = this.#rest + (typeof bytes === 'string' ? bytes : this.#utf8.write(bytes));
    this.#rest = '';
    let at = 0;
    while (at < input.length && !this.#isClosed) {
      const taken = takeKey(input, at);
      if (taken === undefined) return this.#wait(input.slice(at));
      at += taken.length;
      if (taken.key !== undefined) this.#onKey(taken.key);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #wait(rest: string): void {
    this.#rest = rest;
    if (rest.replaceAll(ESCAPE, '') !== '') return;
    const take = (): void => {
      if (this.#isClosed || this.#rest !== rest) return;
      this.#rest = '';
      for (const _ of rest) this.#onKey({ name: 'escape' });
    };
    // If the process itself was delayed, input that has arrived is read first.
    this.#timer = setTimeout(() => setImmediate(take), ESCAPE_MS);
  }
}

interface Taken {
  readonly length: number;
  /** Undefined for a code without a function here. */
  readonly key?: Key | undefined;
}

/** Returns the key at a place of the input; undefined if its end has not arrived. */
function takeKey(input: string, at: number): Taken | undefined {
  if (input[at] !== ESCAPE) return takeCharacter(input, at);
  if (input.startsWith(PASTE.begin, at)) {
    const start = at + PASTE.begin.length;
    const end = input.indexOf(PASTE.end, start);
    if (end === -1) return undefined;
    return { length: end + PASTE.end.length - at, key: { name: 'paste', text: input.slice(start, end) } };
  }
  // Some terminals put another Escape before a code for Alt.
  const isDouble = input[at + 1] === ESCAPE;
  const from = isDouble ? at + 2 : at + 1;
  const code = [CONSOLE_CODE, CODE, SHORT_CODE].map((pattern) => matchFrom(pattern, input, from)).find(Boolean);
  if (code) return { length: from - at + code[0].length, key: readKeyCode(code, isDouble) };
  if (matchFrom(INCOMPLETE, input, from) !== null) return undefined;
  if (isDouble) return { length: 1, key: { name: 'escape' } };
  const { length, key } = takeCharacter(input, at + 1);
  const { name } = key!;
  return { length: length + 1, key: { name: name.startsWith('ctrl-') ? name : `meta-${name.toLowerCase()}` } };
}

function matchFrom(pattern: RegExp, input: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(input);
}

function takeCharacter(input: string, at: number): Taken {
  const character = String.fromCodePoint(input.codePointAt(at)!);
  return { length: character.length, key: readCharacter(character) };
}

function readCharacter(character: string): Key {
  const control = CONTROLS[character];
  if (control !== undefined) return { name: control };
  if (character < ' ') return { name: `ctrl-${String.fromCharCode(character.charCodeAt(0) + 64).toLowerCase()}` };
  return /^\p{Cc}/u.test(character) ? { name: '' } : { name: character, text: character };
}

/** Returns the key of a code such as `ESC [ 1 ; 5 D` or `ESC [ 99 ; 5 u`. */
function readKeyCode([, parameters = '', last = '']: readonly string[], isMeta: boolean): Key | undefined {
  const [first = '', modifier = '', third = ''] = parameters.split(';');
  // `ESC O 5 D` has only a modifier.
  const bits = Number.parseInt(modifier === '' && /^[A-H]$/.test(last) ? first : modifier, 10);
  const state = Number.isNaN(bits) ? 0 : bits - 1;
  const held: Held = {
    isShift: (state & 1) > 0,
    isMeta: isMeta || (state & 10) > 0,
    isControl: (state & 4) > 0,
  };
  if (last === 'u') return readUnicode(first, held);
  if (last !== '~') return holding(LETTERS[last], held);
  // xterm reports other keys so if it is set up for that.
  return first === '27' && third !== '' ? readUnicode(third, held) : holding(NUMBERS[first], held);
}

interface Held {
  readonly isShift: boolean;
  readonly isMeta: boolean;
  readonly isControl: boolean;
}

/** @param codes code point of a key and, after colons, with Shift and on an English keyboard */
function readUnicode(codes: string, held: Held): Key | undefined {
  const [own = NaN, shifted, english] = codes.split(':').map((code) => Number.parseInt(code, 10));
  if (!(own <= 0x10_ff_ff)) return undefined;
  const pad = PAD[own - PAD_START];
  const name = pad ?? readCharacter(String.fromCodePoint(own)).name;
  if (OTHER_KEY.test(name)) return undefined;
  if (!/^.$/u.test(name)) return holding(name, held);
  if (!held.isControl && !held.isMeta) {
    const upper = Number.isNaN(shifted ?? NaN) ? name.toUpperCase() : String.fromCodePoint(shifted!);
    const text = held.isShift ? upper : name;
    return { name: text, text };
  }
  // Shortcuts are at the same keys on every keyboard.
  const key = own > 0x7f && english !== undefined ? String.fromCodePoint(english) : name;
  return holding(key.toLowerCase(), held);
}

function holding(name: string | undefined, { isShift, isMeta, isControl }: Held): Key | undefined {
  if (name === undefined || name === '') return undefined;
  // Terminals differ in the name of the key that takes back.
  if (isControl) return { name: name === '/' || name === '-' ? 'ctrl-_' : `ctrl-${name}` };
  if (isMeta) return { name: `meta-${name}` };
  return { name: isShift && (name === 'tab' || name === 'return') ? `shift-${name}` : name };
}
