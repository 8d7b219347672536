import type { Readable } from 'node:stream';
import { DELETIONS, EditedText, MOTIONS, NEW_LINE, ROWS } from './edited-text.ts';
import type { TypingHelp } from './keyboard.ts';
import { KeyDecoder, type Key } from './key-decoder.ts';
import { inOneFrame } from './live-area.ts';
import type { Prompt } from './piped-input.ts';
import type { Drawing } from './screen-rows.ts';
import { TextDrawing, type DrawingScreen } from './text-drawing.ts';
import { drawn, makeOutputVisible, makeVisible, measureWidth } from './terminal-text.ts';
import { readErrorText } from '../command-line/errors.ts';

/** Screen on which a line editor draws, and the input from which it reads keys. */
export interface EditorScreen extends DrawingScreen {
  readonly input: Readable & { readonly setRawMode?: (isRaw: boolean) => unknown };
  /** Calls a listener whenever the size changes. Returns a function that removes the listener. */
  readonly onResize: (listener: () => void) => () => void;
}

/** Handlers for the events of a line editor. */
export interface EditorEvents extends Pick<TypingHelp, 'edit' | 'keys'>, Required<Pick<TypingHelp, 'complete'>> {
  /**
   * Called with a text sent with Enter. `isTyped` is true if Enter arrived on its own, not in one piece with the text.
   */
  readonly onText: (text: string, isTyped: boolean) => void;
  /**
   * Called on Ctrl-C, and on Escape except at a prompt. `wasEmpty` is true if no text was discarded; while no text is
   * requested, none is.
   */
  readonly onInterrupt: (wasEmpty: boolean, key: 'ctrl-c' | 'escape') => void;
  /** Called on Ctrl-D without text, and when the input has ended. */
  readonly onEnd: () => void;
  /** Returns earlier texts, newest first. */
  readonly history: () => readonly string[];
  /** Returns the lines below the text, which may depend on it. */
  readonly footer?: ((text: string) => string) | undefined;
  /** Called with the name of each key before anything else; true if it was not for the text. */
  readonly onKey?: ((key: string) => boolean) | undefined;
  /** Returns true if Enter after a text that ends with `\\` begins a new line of it. */
  readonly isContinued?: ((text: string) => boolean) | undefined;
  /** Called after each key while no text is requested. */
  readonly onTypedAhead?: (() => void) | undefined;
  /** Writes a text, or clears the screen before it, while no text is requested. Default: as it is. */
  readonly print?: ((text: string, isCleared: boolean) => void) | undefined;
}

export const CLEAR_SCREEN = drawn`\u001B[2J\u001B[H`;
/** Bracketed pastes, and the kitty keyboard protocol, with which Shift-Enter and a lone Escape are unambiguous. */
const MODES = { on: drawn`\u001B[?2004h\u001B[>5u`, off: drawn`\u001B[<u\u001B[?2004l` };

/** Editors whose terminal is in their modes. */
const opened = new Set<LineEditor>();
/** Other programs could not be used in a terminal that stays in these modes. */
const closeAll = (): void => opened.forEach((editor) => editor.close());

/** Editor for a text of one or more lines in a terminal, with history, search, completion and undo. */
export class LineEditor {
  readonly #place: EditorScreen;
  readonly #events: EditorEvents;
  #edited = new EditedText();
  #prompt: Prompt = '';
  /** True while a text is requested; it is drawn only then. */
  #isAsked = false;
  #isQuestion = false;
  #isClosed = false;
  /** True while another editor uses the terminal. */
  #isAway = false;
  readonly #decoder = new KeyDecoder((key) => this.#onKey(key));
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
    const { input } = place;
    input.on('data', this.#onData);
    input.on('end', this.#onInputEnd);
    this.#takeTerminal();
    this.#stopResize = place.onResize(() => this.update());
    if (opened.size === 0) process.on('exit', closeAll);
    opened.add(this);
  }

  /** Current text. */
  get text(): string {
    return this.#edited.text;
  }

  /** Requests a text. Anything typed already is kept. @param isQuestion true if Escape gives it up. Default: false */
  ask(prompt: Prompt, isQuestion = false): void {
    this.#prompt = prompt;
    this.#isAsked = true;
    this.#isQuestion = isQuestion;
    this.#drawing.forget();
    this.#draw();
  }

  /** Erases the text so far. */
  clear(): void {
    this.#edited.clear();
    this.#earlier = -1;
    this.#search = undefined;
  }

  /** Begins an empty text. Returns a function that brings back the one so far. */
  setAside(): () => void {
    const [edited, earlier, draft, search] = [this.#edited, this.#earlier, this.#draft, this.#search];
    this.#edited = new EditedText();
    this.clear();
    return () => {
      this.#edited = edited;
      this.#earlier = earlier;
      this.#draft = draft;
      this.#search = search;
    };
  }

  /** Puts a text before the one so far. */
  prepend(text: string): void {
    this.#search = undefined;
    this.#edited.prepend(text);
  }

  /** Returns the rows of the text with a prompt, for someone else to draw; undefined if there is nothing to show. */
  layOut(prompt: Prompt, area: { readonly footer: string; readonly height: number }): Drawing | undefined {
    if (this.#edited.text === '' && this.#search === undefined) return undefined;
    this.#prompt = prompt;
    return this.#drawing.layOut(this.#renderPrompt(), this.#edited, area);
  }

  /** Writes a text above the one being edited. */
  printAbove(text: string): void {
    if (!this.#isAsked) return this.#print(text);
    this.#place.screen.write(drawn`${this.#drawing.erase()}${makeOutputVisible(text)}`);
    this.#draw();
  }

  #print(text: string, isCleared = false): void {
    const { print } = this.#events;
    if (print !== undefined) print(text, isCleared);
    else this.#place.screen.write(drawn`${isCleared ? CLEAR_SCREEN : drawn``}${makeOutputVisible(text)}`);
  }

  /** Stops reading the keyboard. */
  close(): void {
    if (this.#isClosed) return;
    if (!this.#isAway) this.stopAsking();
    this.#isClosed = true;
    opened.delete(this);
    if (opened.size === 0) process.off('exit', closeAll);
    const { input } = this.#place;
    this.#stopResize();
    this.#decoder.close();
    input.off('data', this.#onData);
    input.off('end', this.#onInputEnd);
    if (!this.#isAway) this.#leaveTerminal();
  }

  #takeTerminal(): void {
    const { input, screen } = this.#place;
    input.setRawMode?.(true);
    screen.write(MODES.on);
    input.resume();
  }

  #leaveTerminal(): void {
    const { input, screen } = this.#place;
    screen.write(MODES.off);
    input.setRawMode?.(false);
    input.pause();
  }

  readonly #onData = (bytes: Buffer | string): void => {
    this.#pieces++;
    this.#decoder.push(bytes);
  };

  readonly #onInputEnd = (): void => {
    this.close();
    this.#events.onEnd();
  };

  #onKey(key: Key): void {
    if (this.#isAway) return;
    if (this.#events.onKey?.(key.name) === true) return;
    const isDone = this.#act(key);
    this.#pieceOfLastKey = this.#pieces;
    if (this.#isClosed) return;
    if (!this.#isAsked) this.#events.onTypedAhead?.();
    else if (!isDone) this.#draw();
  }

  /** Draws prompt and footer again, whose texts may have changed. */
  update(): void {
    if (this.#isAsked && !this.#isAway) this.#draw();
  }

  /** Replaces everything on the screen with a text, above the one being edited. */
  redraw(text: string): void {
    if (!this.#isAsked) return this.#print(text, true);
    this.#place.screen.write(inOneFrame(drawn`${CLEAR_SCREEN}${makeOutputVisible(text)}`));
    this.#drawing.forget();
    this.update();
  }

  /** Performs the action of a key. Returns true if nothing needs to be drawn. */
  #act({ name, text }: Key): boolean {
    if (name === 'paste') {
      this.#search = undefined;
      // Enter in a paste does not count as typed.
      this.#edited.insert(text!.replaceAll(/\r\n?/g, '\n').replace(/\n$/, ''));
      return false;
    }
    if (this.#search !== undefined && this.#actInSearch(name, text)) return false;
    const own = this.#events.keys?.[name];
    if (own !== undefined) own();
    else if (NEW_LINE.has(name)) this.#edited.insert('\n');
    else if (name === 'return') return this.#send();
    else if (name === 'ctrl-_') this.#edited.undo();
    else if (name === 'ctrl-c') return this.#interrupt(name);
    else if (name === 'escape') return this.#isAsked && !this.#isQuestion ? false : this.#interrupt(name);
    else if (name === 'ctrl-d' && this.#edited.text === '') return this.#end();
    else if (name === 'ctrl-d') this.#edited.delete('right');
    else if (name === 'ctrl-y') this.#edited.paste();
    else if (name === 'ctrl-l') this.#clearScreen();
    else if (name === 'ctrl-r') this.#search = { query: '', index: -1, before: this.#edited.text };
    else if (name === 'ctrl-g') return this.#editElsewhere();
    else if (name === 'tab') void this.#complete();
    else if (DELETIONS[name] !== undefined) this.#edited.delete(DELETIONS[name]);
    else if (MOTIONS[name] !== undefined) this.#edited.move(MOTIONS[name]);
    else if (ROWS[name] !== undefined) this.#goToRow(ROWS[name]);
    else if (text !== undefined) this.#edited.insert(text);
    return false;
  }

  /** Goes to the next row. Up in the first row and down in the last row go through earlier texts. */
  #goToRow(by: -1 | 1): void {
    const at = this.#drawing.findInRow(this.#renderPrompt(), this.#edited, by);
    if (at !== undefined) return this.#edited.moveTo(at);
    const history = this.#events.history();
    const index = this.#earlier - by;
    if (index < -1 || index >= history.length) return;
    if (this.#earlier === -1) this.#draft = this.#edited.text;
    this.#earlier = index;
    this.#edited.set(index === -1 ? this.#draft : history[index]!);
  }

  /** Handles keys during a search (Ctrl-R). Returns true for a key that belongs to the search. */
  #actInSearch(name: string, text: string | undefined): boolean {
    const { query, index, before } = this.#search!;
    const find = (wanted: string, from: number): boolean => {
      const found = this.#events.history().findIndex((one, at) => at >= from && one.includes(wanted));
      this.#search = { query: wanted, index: found === -1 ? index : found, before };
      if (found !== -1) this.#edited.set(this.#events.history()[found]!);
      return true;
    };
    if (name === 'ctrl-r') return find(query, index + 1);
    if (name === 'backspace') return find(query.slice(0, -1), 0);
    if (text !== undefined) return find(query + text, Math.max(0, index));
    this.#search = undefined;
    if (name !== 'escape' && name !== 'ctrl-c' && name !== 'ctrl-g') return false;
    this.#edited.set(before);
    return true;
  }

  #clearScreen(): void {
    if (!this.#isAsked) return this.#print('', true);
    this.#place.screen.write(CLEAR_SCREEN);
    this.#drawing.forget();
  }

  #send(): boolean {
    const { text } = this.#edited;
    if (text.endsWith('\\') && this.#events.isContinued?.(text) === true) {
      this.#edited.moveTo(text.length);
      this.#edited.delete('left');
      this.#edited.insert('\n');
      return false;
    }
    this.stopAsking();
    this.clear();
    this.#events.onText(text, this.#pieceOfLastKey !== this.#pieces);
    return true;
  }

  #interrupt(key: 'ctrl-c' | 'escape'): boolean {
    const wasAsked = this.#isAsked;
    const wasEmpty = !wasAsked || this.#edited.text === '';
    this.stopAsking();
    if (wasAsked) this.clear();
    this.#events.onInterrupt(wasEmpty, key);
    // As in a shell, the text is discarded and the next one is requested.
    if (!wasEmpty) this.ask(this.#prompt, this.#isQuestion);
    return true;
  }

  #end(): boolean {
    this.stopAsking();
    this.#events.onEnd();
    return true;
  }

  /** Requests no text any more. What is typed stays on the screen, with the cursor below it. */
  stopAsking(): void {
    if (!this.#isAsked) return;
    this.#search = undefined;
    this.#edited.moveTo(this.#edited.text.length);
    this.#drawing.draw(this.#renderPrompt(), this.#edited);
    this.#place.screen.write(drawn`\r\n`);
    this.#isAsked = false;
    this.#drawing.forget();
  }

  async #complete(): Promise<void> {
    const { text, cursor } = this.#edited;
    const { candidates, typed } = await this.#events.complete(text.slice(0, cursor)).catch((error: unknown) => {
      if (!this.#isClosed) this.printAbove(`${readErrorText(error)}\n`);
      return { candidates: [], typed: '' };
    });
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
      else this.#events.onTypedAhead?.();
    } else if (candidates.length > 1) this.printAbove(`${layOut(candidates, this.#place.columns())}\n`);
  }

  #editElsewhere(): boolean {
    const { edit } = this.#events;
    if (edit === undefined || !this.#isAsked) return true;
    this.#place.screen.write(this.#drawing.erase());
    this.#leaveTerminal();
    this.#isAway = true;
    const restore = (): void => {
      this.#isAway = false;
      if (this.#isClosed) return;
      this.#takeTerminal();
      this.#draw();
    };
    edit(this.#edited.text)
      .then((text) => this.#edited.set(text.replace(/\n$/, '')))
      .then(restore, (error: unknown) => {
        restore();
        if (!this.#isClosed) this.printAbove(`${readErrorText(error)}\n`);
      });
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
