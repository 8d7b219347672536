import { CLEAR_SCREEN, LineEditor, type Prompt } from './line-editor.ts';
import { REST, type LineSource, type ReadLine } from './piped-input.ts';
import { drawn, makeOutputVisible } from './terminal-text.ts';
import type { Terminal } from './terminal.ts';

/** Lines at the end of the screen that get every key, until they close. */
export interface KeyMenu {
  /** Returns the lines, each of which fits the screen; none closes the menu. */
  render(): readonly string[];
  /**
   * Acts on a key by name, such as `down`, `3` or `ctrl-c`. `close` also closes the menu; `pass` closes it and leaves
   * the key to the text that is being typed.
   */
  press(key: string): 'stay' | 'close' | 'pass';
}

/** Line with its time of arrival, in milliseconds. */
interface TypedLine {
  readonly text: string;
  readonly at: number;
  readonly isTyped: boolean;
  /** True if it has been read before, and stands on the screen. */
  readonly isShown?: boolean;
}

/** Time within which a further line counts as pasted, in milliseconds. */
const PASTE_MS = 20;

/** Source of lines from the keyboard. */
export interface LineReader extends LineSource {
  /**
   * Reads a line that is typed from now on, because earlier input was meant for something else. Aborting ends the read.
   */
  fresh(prompt: string, signal?: AbortSignal): Promise<ReadLine>;
  /** Prints a text above the line being typed. */
  readonly printAbove: (text: string) => void;
  /** Lines that were typed while none was requested, oldest first. */
  readonly queue: { list(): readonly TypedLine[]; remove(line: { readonly text: string }): void };
  /** Shows a menu at the end of the screen, which gets the keys. A question to the person closes it. */
  openMenu(menu: KeyMenu): void;
  /** Replaces everything on the screen with a text. */
  readonly redraw: (text: string) => void;
  /** Draws prompt and footer again, whose texts may have changed, if a line is requested. */
  refresh(): void;
}

/** Support for typing at a prompt. Answers to questions have no history and no completion. */
export interface TypingHelp {
  /** Earlier lines, newest first. */
  readonly history?: { read(): readonly string[]; write(lines: readonly string[]): void };
  /** Returns possible endings of the line, and the part of it that they replace. */
  readonly complete?: (line: string) => Promise<{ readonly candidates: readonly string[]; readonly typed: string }>;
  /** Opens the text in another program. Resolves to undefined if there is none. */
  readonly edit?: (text: string) => Promise<string | undefined>;
  /** Actions of further keys by name, such as `ctrl-v` or `shift-tab`. Prompt and footer are redrawn afterwards. */
  readonly keys?: Readonly<Record<string, () => void>>;
  /** Returns the lines below the prompt, which may depend on the typed text. */
  readonly footer?: (text: string) => string;
}

/** Time after which the ages in a menu are shown anew, in milliseconds. */
const MENU_MS = 1000;
const MOST_EARLIER = 500;
/** Maximum length of the text typed ahead that may be shown, in characters: more than a line of any screen. */
const MOST_SHOWN = 1000;

/** Opens a reader of texts from the keyboard, with editing, history and completion. */
export function openLineReader(
  terminal: Pick<Terminal, 'input' | 'screen' | 'status' | 'out'>,
  help: () => TypingHelp = () => ({}),
): LineReader {
  const { input, screen, status, out } = terminal;
  const typedAhead: TypedLine[] = [];
  let editor: LineEditor | undefined;
  let history: string[] | undefined;
  /** True while a question waits for its answer. */
  let isAsking = false;
  let waiting: ((result: ReadLine) => void) | undefined;
  /** Time of arrival of the last returned line. */
  let last = -Infinity;
  let untyped = 0;
  let menu: KeyMenu | undefined;
  let menuTimer: NodeJS.Timeout | undefined;

  const settle = (result: ReadLine): void => {
    const resolve = waiting;
    waiting = undefined;
    resolve?.(result);
  };

  /** Keeps lines typed at a prompt in the history, but not answers to questions or bodies. */
  const remember = (text: string): void => {
    if (text.trim() === '' || text === history?.[0]) return;
    history = [text, ...(history ?? [])].slice(0, MOST_EARLIER);
    help().history?.write(history);
  };

  /** Shows text that was typed while no line was requested in the status line until it is read. */
  const showTypedAhead = (text = editor?.text ?? ''): void => {
    const typed = [...typedAhead.map((line) => line.text), text].join(' ⏎ ');
    if (typed === '') status.clear('typed');
    else status.set('typed', typed.slice(-MOST_SHOWN));
  };

  const giveUp = (): void => settle({ kind: 'end' });

  const onText = (text: string, isTyped: boolean): void => {
    const at = performance.now();
    if (waiting === undefined) {
      if (reader.onAhead(text)) return showTypedAhead('');
      typedAhead.push({ text, at, isTyped });
      return showTypedAhead('');
    }
    last = at;
    if (!isTyped) untyped++;
    settle({ kind: 'line', text });
  };

  const closeMenu = (): void => {
    clearInterval(menuTimer);
    menu = undefined;
    status.clear('menu');
  };

  /** Returns the lines of the open menu; none if there is none. */
  const renderMenuLines = (): string => {
    const lines = menu?.render() ?? [];
    // What it lists has ended.
    if (menu !== undefined && lines.length === 0) closeMenu();
    return lines.join('\n');
  };

  const showMenu = (): void => {
    if (waiting === undefined && menu !== undefined) status.set('menu', () => renderMenuLines());
    else editor?.update();
  };

  /** Returns true if the key was for the menu. */
  const onMenuKey = (key: string): boolean => {
    if (menu === undefined) return false;
    const outcome = menu.press(key);
    if (outcome !== 'stay') closeMenu();
    if (outcome !== 'pass') showMenu();
    return outcome !== 'pass';
  };

  const onInterrupt = (wasEmpty: boolean): void => {
    typedAhead.length = 0;
    status.clear('typed');
    if (waiting === undefined) reader.onInterrupt();
    else if (wasEmpty) settle({ kind: 'interrupt' });
  };

  /** Ctrl-D closes the line editor but not the keyboard, so it can be reopened. */
  const onEnd = (): void => {
    const wasWaiting = waiting !== undefined;
    close();
    if (wasWaiting) screen.write(drawn`\n`);
    giveUp();
  };

  const close = (): void => {
    editor?.close();
    editor = undefined;
  };

  const open = (): LineEditor | undefined => {
    if (editor !== undefined || input.destroyed || input.readableEnded) return editor;
    history ??= [...(help().history?.read() ?? [])];
    return (editor = new LineEditor(
      { input, screen, columns: () => out.columns(), rows: () => out.rows(), onResize: (call) => out.onResize(call) },
      {
        onText,
        onInterrupt,
        onEnd,
        complete: async (line) =>
          (isAsking ? undefined : await help().complete?.(line)) ?? { candidates: [], typed: '' },
        history: () => (isAsking ? [] : (history ?? [])),
        edit: help().edit,
        get keys() {
          return isAsking ? undefined : help().keys;
        },
        footer: (text) => (isAsking ? '' : renderMenuLines() || (help().footer?.(text) ?? '')),
        onMenuKey,
        onTypedAhead: showTypedAhead,
      },
    ));
  };

  const wait = (prompt: Prompt): Promise<ReadLine> => {
    const opened = open();
    if (opened === undefined) return Promise.resolve({ kind: 'end' });
    status.clear('typed');
    const release = status.hold();
    return new Promise((resolve) => {
      waiting = (line) => {
        release();
        resolve(line);
      };
      opened.ask(prompt);
    });
  };

  const reader: LineReader = {
    onInterrupt: () => undefined,
    onAhead: () => false,
    async next(prompt) {
      const typed = typedAhead.shift();
      const line: ReadLine = typed === undefined ? await wait(prompt) : { kind: 'line', text: typed.text };
      if (line.kind === 'line' && prompt !== REST) remember(line.text);
      if (typed === undefined) return line;
      // It stands on the screen like a line that was typed at the prompt.
      if (typed.isShown !== true) out.write(`${typeof prompt === 'string' ? prompt : prompt()}${typed.text}\n`);
      last = typed.at;
      if (!typed.isTyped) untyped++;
      showTypedAhead();
      return line;
    },
    hasMore: async () => typedAhead.length > 0,
    get isPasted() {
      const [next] = typedAhead;
      if (next !== undefined) return next.at - last < PASTE_MS;
      return (editor?.text ?? '') !== '' && performance.now() - last < PASTE_MS;
    },
    get untyped() {
      return untyped;
    },
    // Lines counted once are counted again, so that at worst one question too many is asked.
    unread: (texts) =>
      void typedAhead.unshift(...texts.map((text) => ({ text, at: last, isTyped: false, isShown: true }))),
    async fresh(prompt, signal) {
      if (signal?.aborted === true) return { kind: 'end' };
      closeMenu();
      open()?.clear();
      signal?.addEventListener('abort', giveUp, { once: true });
      isAsking = true;
      try {
        return await wait(prompt);
      } finally {
        isAsking = false;
        signal?.removeEventListener('abort', giveUp);
      }
    },
    printAbove(text) {
      const shown = `${text}\n`;
      if (editor !== undefined && waiting !== undefined) editor.printAbove(shown);
      else status.giveWay(shown, () => screen.write(makeOutputVisible(shown)));
    },
    queue: {
      list: () => typedAhead.filter(({ isShown }) => isShown !== true),
      remove(line) {
        const at = typedAhead.findIndex((one) => one === line);
        if (at >= 0) typedAhead.splice(at, 1);
        showTypedAhead();
      },
    },
    openMenu(opened) {
      closeMenu();
      menu = opened;
      menuTimer = setInterval(showMenu, MENU_MS).unref();
      showMenu();
    },
    redraw(text) {
      status.erase();
      if (editor === undefined) screen.write(drawn`${CLEAR_SCREEN}${makeOutputVisible(text)}`);
      else editor.redraw(text);
    },
    refresh: () => editor?.update(),
    close() {
      closeMenu();
      close();
      giveUp();
    },
  };
  return reader;
}
