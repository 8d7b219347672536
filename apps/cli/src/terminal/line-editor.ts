import { emitKeypressEvents } from 'node:readline';
import type { Readable } from 'node:stream';
import { EditedText, type Motion } from './edited-text.ts';
import { inOneFrame } from './live-area.ts';
import { TextDrawing, type DrawingScreen } from './text-drawing.ts';
import { drawn, makeOutputVisible, makeVisible, measureWidth } from './terminal-text.ts';

/** Key in the format of Node.js. */
interface Key {
  readonly name?: string;
  readonly sequence?: string;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
}

/** Screen on which a line editor draws, and the input from which it reads keys. */
export interface EditorScreen extends DrawingScreen {
  readonly input: Readable & { readonly setRawMode?: (isRaw: boolean) => unknown };
  /** Calls a listener whenever the size changes. Returns a function that removes the listener. */
  readonly onResize: (listener: () => void) => () => void;
}

/** Handlers for the events of a line editor. */
export interface EditorEvents {
  /**
   * Called with a text sent with Enter. `isTyped` is true if Enter arrived on its own, not in one piece with the text.
   */
  readonly onText: (text: string, isTyped: boolean) => void;
  /** Called on Ctrl-C, and on Escape while no text is requested. `wasEmpty` is true if no text was discarded. */
  readonly onInterrupt: (wasEmpty: boolean) => void;
  /** Called on Ctrl-D, or at the end of the input. */
  readonly onEnd: () => void;
  readonly complete: (line: string) => Promise<{ readonly candidates: readonly string[]; readonly typed: string }>;
  /** Returns earlier texts, newest first. */
  readonly history: () => readonly string[];
  /** Opens the text in another editor. Resolves to undefined if that fails. */
  readonly edit?: ((text: string) => Promise<string | undefined>) | undefined;
  /** Actions of further keys by name, such as `ctrl-v` or `shift-tab`. */
  readonly keys?: Readonly<Record<string, () => void>> | undefined;
  /** Returns the lines below the text, which may depend on it. */
  readonly footer?: ((text: string) => string) | undefined;
  /** Called with the name of each key before anything else; true if it was for a menu. */
  readonly onMenuKey?: ((key: string) => boolean) | undefined;
  /** Called with the text after each key while no text is requested. */
  readonly onTypedAhead?: ((text: string) => void) | undefined;
}

/** Prompt before a text; a function is called each time the prompt is drawn. */
export type Prompt = string | (() => string);

const MOTIONS: Readonly<Record<string, Motion>> = {
  left: 'left',
  right: 'right',
  up: 'up',
  down: 'down',
  home: 'lineStart',
  end: 'lineEnd',
  'ctrl-a': 'lineStart',
  'ctrl-e': 'lineEnd',
  'ctrl-b': 'left',
  'ctrl-f': 'right',
  'ctrl-p': 'up',
  'ctrl-n': 'down',
  'meta-b': 'wordLeft',
  'meta-f': 'wordRight',
  'ctrl-left': 'wordLeft',
  'ctrl-right': 'wordRight',
  'meta-left': 'wordLeft',
  'meta-right': 'wordRight',
};

const DELETIONS: Readonly<Record<string, Motion>> = {
  backspace: 'left',
  'ctrl-h': 'left',
  delete: 'right',
  'ctrl-w': 'wordLeft',
  'meta-backspace': 'wordLeft',
  'meta-d': 'wordRight',
  'ctrl-u': 'lineStart',
  'ctrl-k': 'lineEnd',
};

/** Keys that begin a new line: Shift-Enter if the terminal reports it, Alt-Enter and Ctrl-J. */
const NEW_LINE = new Set(['\u001B[13;2u', '\u001B\r', '\u001B\n', '\n']);
export const CLEAR_SCREEN = drawn`\u001B[2J\u001B[H`;
const PASTES = { on: drawn`\u001B[?2004h`, off: drawn`\u001B[?2004l` };

/** Editor for a text of one or more lines in a terminal, with history, search, completion and undo. */
export class LineEditor {
  readonly #place: EditorScreen;
  readonly #events: EditorEvents;
  readonly #edited = new EditedText();
  #prompt: Prompt = '';
  /** True while a text is requested; it is drawn only then. */
  #isAsked = false;
  /** Part of a paste that has arrived so far. */
  #pasted: string[] | undefined;
  #isClosed = false;
  /** True while another editor uses the terminal. */
  #isAway = false;
  readonly #drawing: TextDrawing;
  readonly #stopResize: () => void;
  /** Number of pieces of input so far, and the number of the piece that contained the previous key. */
  #pieces = 0;
  #pieceOfLastKey = 0;
  /** Index of the displayed earlier text; -1 for the new text, which is kept as a draft. */
  #earlier = -1;
  #draft = '';
  #search: { readonly query: string; readonly index: number; readonly before: string } | undefined;

  constructor(place: EditorScreen, events: EditorEvents) {
    this.#place = place;
    this.#events = events;
    this.#drawing = new TextDrawing(place);
    const { input, screen } = place;
    // Runs before the keys of the piece are reported.
    input.prependListener('data', this.#onPiece);
    emitKeypressEvents(input);
    input.setRawMode?.(true);
    screen.write(PASTES.on);
    input.on('keypress', this.#onKey);
    input.on('end', this.#onEnd);
    input.resume();
    this.#stopResize = place.onResize(() => this.update());
  }

  /** Current text. */
  get text(): string {
    return this.#edited.text;
  }

  /** Requests a text. Anything typed already is kept. */
  ask(prompt: Prompt): void {
    this.#prompt = prompt;
    this.#isAsked = true;
    this.#drawing.forget();
    this.#draw();
  }

  /** Erases the text so far. */
  clear(): void {
    this.#edited.clear();
    this.#earlier = -1;
    this.#search = undefined;
  }

  /** Writes a text above the one being edited. */
  printAbove(text: string): void {
    if (!this.#isAsked) return void this.#place.screen.write(makeOutputVisible(text));
    this.#place.screen.write(drawn`${this.#drawing.erase()}${makeOutputVisible(text)}`);
    this.#draw();
  }

  /** Stops reading the keyboard. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { input, screen } = this.#place;
    this.#stopResize();
    input.off('data', this.#onPiece);
    input.off('keypress', this.#onKey);
    input.off('end', this.#onEnd);
    screen.write(PASTES.off);
    input.setRawMode?.(false);
    input.pause();
  }

  readonly #onPiece = (): void => void this.#pieces++;

  readonly #onEnd = (): void => this.#events.onEnd();

  readonly #onKey = (character: string | undefined, key: Key): void => {
    if (this.#isAway) return;
    if (this.#pasted === undefined && this.#events.onMenuKey?.(nameKey(key)) === true) return;
    const isDone = this.#act(character, key);
    this.#pieceOfLastKey = this.#pieces;
    if (this.#isClosed) return;
    if (!this.#isAsked) this.#events.onTypedAhead?.(this.#edited.text);
    else if (!isDone) this.#draw();
  };

  /** Draws prompt and footer again, whose texts may have changed. */
  update(): void {
    if (this.#isAsked && !this.#isAway) this.#draw();
  }

  /** Replaces everything on the screen with a text, above the one being edited. */
  redraw(text: string): void {
    this.#place.screen.write(inOneFrame(drawn`${CLEAR_SCREEN}${makeOutputVisible(text)}`));
    this.#drawing.forget();
    this.update();
  }

  /** Performs the action of a key. Returns true if nothing needs to be drawn. */
  #act(character: string | undefined, key: Key): boolean {
    const { name = '', sequence = '' } = key;
    if (name === 'paste-start') this.#pasted = [];
    else if (name === 'paste-end') {
      // Enter in a paste does not count as typed.
      this.#edited.insert((this.#pasted ?? []).join('').replaceAll(/\r\n?/g, '\n').replace(/\n$/, ''));
      this.#pasted = undefined;
      return false;
    }
    if (this.#pasted !== undefined) {
      if (name !== 'paste-start') this.#pasted.push(sequence);
      return true;
    }
    if (this.#search !== undefined && this.#actInSearch(character, key)) return false;
    const named = nameKey(key);
    const own = this.#events.keys?.[named];
    if (own !== undefined) own();
    else if (NEW_LINE.has(sequence)) this.#edited.insert('\n');
    else if (name === 'return') return this.#send();
    else if (sequence === '\u001F') this.#edited.undo();
    else if (named === 'ctrl-c') return this.#interrupt();
    else if (named === 'ctrl-d' && this.#edited.text === '') return this.#end();
    else if (named === 'ctrl-d') this.#edited.delete('right');
    else if (named === 'ctrl-y') this.#edited.paste();
    else if (named === 'ctrl-l') this.#clearScreen();
    else if (named === 'ctrl-r') this.#search = { query: '', index: -1, before: this.#edited.text };
    else if (named === 'ctrl-g') return this.#editElsewhere();
    else if (name === 'escape' && !this.#isAsked) this.#events.onInterrupt(true);
    else if (named === 'tab') void this.#complete();
    else if (DELETIONS[named] !== undefined) this.#edited.delete(DELETIONS[named]);
    else if (MOTIONS[named] !== undefined) this.#move(MOTIONS[named]);
    else if (character !== undefined && isWritten(character) && key.ctrl !== true && key.meta !== true) {
      this.#edited.insert(character);
    }
    return false;
  }

  /** Moves the cursor. Up in the first line and down in the last line go through earlier texts. */
  #move(to: Motion): void {
    if (this.#edited.move(to) || (to !== 'up' && to !== 'down')) return;
    const history = this.#events.history();
    const index = this.#earlier + (to === 'up' ? 1 : -1);
    if (index < -1 || index >= history.length) return;
    if (this.#earlier === -1) this.#draft = this.#edited.text;
    this.#earlier = index;
    this.#edited.set(index === -1 ? this.#draft : history[index]!);
  }

  /** Handles keys during a search (Ctrl-R). Returns true for a key that belongs to the search. */
  #actInSearch(character: string | undefined, { name = '', ctrl }: Key): boolean {
    const { query, index, before } = this.#search!;
    const find = (wanted: string, from: number): boolean => {
      const found = this.#events.history().findIndex((text, at) => at >= from && text.includes(wanted));
      this.#search = { query: wanted, index: found === -1 ? index : found, before };
      if (found !== -1) this.#edited.set(this.#events.history()[found]!);
      return true;
    };
    if (ctrl === true && name === 'r') return find(query, index + 1);
    if (name === 'backspace') return find(query.slice(0, -1), 0);
    if (character !== undefined && isWritten(character) && ctrl !== true)
      return find(query + character, Math.max(0, index));
    this.#search = undefined;
    if (name !== 'escape' && !(ctrl === true && (name === 'c' || name === 'g'))) return false;
    this.#edited.set(before);
    return true;
  }

  #clearScreen(): void {
    this.#place.screen.write(CLEAR_SCREEN);
    this.#drawing.forget();
  }

  #send(): boolean {
    const { text } = this.#edited;
    this.#finish();
    this.clear();
    this.#events.onText(text, this.#pieceOfLastKey !== this.#pieces);
    return true;
  }

  #interrupt(): boolean {
    const wasEmpty = this.#edited.text === '';
    const wasAsked = this.#isAsked;
    this.#finish();
    this.clear();
    this.#events.onInterrupt(wasEmpty);
    // As in a shell, the text is discarded and the next one is requested.
    if (wasAsked && !wasEmpty) this.ask(this.#prompt);
    return true;
  }

  #end(): boolean {
    this.#events.onEnd();
    return true;
  }

  /** Leaves the text on the screen, with the cursor below it. */
  #finish(): void {
    if (!this.#isAsked) return;
    const { text, cursor } = this.#edited;
    if (cursor < text.length || this.#search !== undefined) {
      this.#search = undefined;
      while (this.#edited.move('down'));
      this.#edited.move('lineEnd');
      this.#draw();
    }
    this.#drawing.draw(this.#renderPrompt(), this.#edited);
    this.#place.screen.write(drawn`\r\n`);
    this.#isAsked = false;
    this.#drawing.forget();
  }

  async #complete(): Promise<void> {
    const { text, cursor } = this.#edited;
    const { candidates, typed } = await this.#events.complete(text.slice(0, cursor));
    if (this.#edited.text !== text || this.#edited.cursor !== cursor || this.#isClosed) return;
    const [first = ''] = candidates;
    const common = candidates.reduce((prefix, one) => {
      let length = 0;
      while (length < prefix.length && prefix[length] === one[length]) length++;
      return prefix.slice(0, length);
    }, first);
    if (common.length > typed.length) {
      this.#edited.insert(common.slice(typed.length));
      if (this.#isAsked) this.#draw();
    } else if (candidates.length > 1) this.printAbove(`${layOut(candidates, this.#place.columns())}\n`);
  }

  #editElsewhere(): boolean {
    const { edit } = this.#events;
    if (edit === undefined || !this.#isAsked) return true;
    const { input, screen } = this.#place;
    this.#isAway = true;
    screen.write(drawn`${this.#drawing.erase()}${PASTES.off}`);
    input.setRawMode?.(false);
    const restore = (text: string | undefined): void => {
      this.#isAway = false;
      if (this.#isClosed) return;
      input.setRawMode?.(true);
      screen.write(PASTES.on);
      if (text !== undefined) this.#edited.set(text.replace(/\n$/, ''));
      this.#draw();
    };
    edit(this.#edited.text).then(restore, () => restore(undefined));
    return true;
  }

  #draw(): void {
    this.#drawing.draw(this.#renderPrompt(), this.#edited, this.#events.footer?.(this.#edited.text));
  }

  #renderPrompt(): string {
    if (this.#search !== undefined) return `search ${this.#search.query}: `;
    return typeof this.#prompt === 'string' ? this.#prompt : this.#prompt();
  }
}

/** Returns names such as `ctrl-v`, `meta-left`, `shift-tab` and `tab`. */
function nameKey({ name = '', ctrl, meta, shift }: Key): string {
  if (ctrl === true) return `ctrl-${name}`;
  if (meta === true) return `meta-${name}`;
  return shift === true && name === 'tab' ? 'shift-tab' : name;
}

/** Returns true for a printable character, and false for the code of a key that has no function here. */
function isWritten(character: string): boolean {
  return character !== '' && !/^\p{Cc}/u.test(character);
}

/** Arranges names in columns. */
function layOut(names: readonly string[], columns: number): string {
  const width = Math.max(...names.map((name) => measureWidth(makeVisible(name)))) + 2;
  const perRow = Math.max(1, Math.floor(columns / width));
  const rows = Array.from({ length: Math.ceil(names.length / perRow) }, (_, row) =>
    names.slice(row * perRow, (row + 1) * perRow),
  );
  return rows
    .map((row) =>
      row
        .map((name) => makeVisible(name) + ' '.repeat(width - measureWidth(makeVisible(name))))
        .join('')
        .trimEnd(),
    )
    .join('\n');
}
