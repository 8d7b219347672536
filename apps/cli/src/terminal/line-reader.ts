import { CLEAR_SCREEN, LineEditor } from './line-editor.ts';
import type { KeyMenu, LineReader, TypingHelp } from './keyboard.ts';
import { REST, type Prompt, type ReadLine } from './piped-input.ts';
import { openPlainReader } from './plain-reader.ts';
import { measureShown, type Drawing } from './screen-rows.ts';
import { drawn, makeLineVisible, makeOutputVisible, makeVisible, truncate, truncateStart } from './terminal-text.ts';
import type { Terminal } from './terminal.ts';

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

/** Time after which the ages in a menu are shown anew, in milliseconds. */
const MENU_MS = 1000;
const MOST_EARLIER = 500;
/** Maximum share of the screen for text that is typed ahead. */
const TYPED_SHARE = 0.3;
/** Maximum length of the waiting lines that may be shown, in characters: more than a line of any screen. */
const MOST_SHOWN = 1000;
const QUEUED = 'queued: ';
const LEAVING = 'leaving when this has ended; any other key stays.';
/** Time without a key after which a question does not take the rest of a text for its answer, in milliseconds. */
const PAUSE_MS = 300;

/** Opens a reader of texts from the keyboard, with editing, history and completion. */
export function openLineReader(
  terminal: Pick<Terminal, 'env' | 'input' | 'screen' | 'status' | 'out'>,
  help: () => TypingHelp = () => ({}),
): LineReader {
  if (terminal.env['TERM'] === 'dumb') return openPlainReader(terminal);
  const { input, screen, status, out } = terminal;
  const typedAhead: TypedLine[] = [];
  let editor: LineEditor | undefined;
  let isClosed = false;
  let history: string[] | undefined;
  /** Prompt of the last line that was no rest of another one. */
  let lastPrompt: Prompt = '';
  /** True while a question waits for its answer. */
  let isAsking = false;
  /** True if further lines belong to the requested one. */
  let isInRest = false;
  /** True after Ctrl-D while no line was requested: the next request ends. */
  let isLeaving = false;
  /** True after Ctrl-C at an empty prompt, until another key. */
  let wasInterrupted = false;
  /** Time of the last key. */
  let lastKey = -Infinity;
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

  /** Lays out what is typed while no line is requested, below the lines that wait. */
  const layOutTypedAhead = (): Drawing | undefined => {
    const columns = out.columns() - 1;
    const waitingLines = typedAhead.map((line) => makeLineVisible(line.text)).join(' ⏎ ');
    const above = [
      ...(waitingLines === ''
        ? []
        : [`${QUEUED}${truncateStart(waitingLines.slice(-MOST_SHOWN), columns - QUEUED.length)}`]),
      ...(isLeaving ? [truncate(LEAVING, columns)] : []),
    ].map(makeVisible);
    const footer = help().menu?.(editor?.text ?? '') ?? '';
    const height = Math.floor(out.rows() * TYPED_SHARE) + (footer === '' ? 0 : footer.split('\n').length);
    const typed = editor?.layOut(lastPrompt, { footer, height });
    if (typed !== undefined) return { ...typed, rows: [...above, ...typed.rows], row: above.length + typed.row };
    return above.length === 0 ? undefined : { rows: above, row: above.length - 1, column: measureShown(above.at(-1)!) };
  };

  const showTypedAhead = (): void => status.showInput(layOutTypedAhead);

  const giveUp = (): void => settle({ kind: 'end' });

  const onText = (text: string, isTyped: boolean): void => {
    const at = performance.now();
    if (waiting === undefined) {
      if (!reader.onAhead(text)) typedAhead.push({ text, at, isTyped });
      return;
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
  const onKey = (key: string): boolean => {
    lastKey = performance.now();
    if (key !== 'ctrl-c') wasInterrupted = false;
    if (key !== 'ctrl-d') isLeaving = false;
    if (menu === undefined) return false;
    const outcome = menu.press(key);
    if (outcome !== 'stay') closeMenu();
    if (outcome !== 'pass') showMenu();
    return outcome !== 'pass';
  };

  /** Makes lines that wait a part of the text that is being typed. */
  const takeBack = (): void => {
    const lines = typedAhead.splice(0).map(({ text }) => text);
    if (lines.length === 0) return;
    editor?.prepend(`${lines.join('\n')}${editor.text === '' ? '' : '\n'}`);
  };

  const onInterrupt = (wasEmpty: boolean, key: string): void => {
    if (waiting !== undefined && !wasEmpty) return;
    const isRepeated = wasInterrupted;
    wasInterrupted = waiting !== undefined && !isAsking;
    if (waiting !== undefined) settle({ kind: 'interrupt', isRepeated });
    else reader.onInterrupt(key === 'escape');
    takeBack();
    showTypedAhead();
  };

  const onEnd = (): void => {
    if (waiting !== undefined) return giveUp();
    isLeaving = true;
    showTypedAhead();
  };

  const open = (): LineEditor | undefined => {
    if (isClosed || input.destroyed || input.readableEnded) return undefined;
    if (editor !== undefined) return editor;
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
          return help().keys;
        },
        footer: (text) => (isAsking ? '' : renderMenuLines() || help().menu?.(text)) || (help().toolbar?.() ?? ''),
        onKey,
        isContinued: (text) => !isAsking && !isInRest && reader.isContinued(text),
        onTypedAhead: showTypedAhead,
        print: (text, isCleared) => printAboveStatus(text, isCleared),
      },
    ));
  };

  const printAboveStatus = (text: string, isCleared = false): void => {
    status.giveWay(text, () => {
      screen.write(drawn`${isCleared ? CLEAR_SCREEN : drawn``}${makeOutputVisible(text)}`);
    });
  };

  /** @param restore called before the line is passed on */
  const wait = (prompt: Prompt, restore?: () => void): Promise<ReadLine> => {
    const opened = open();
    if (opened === undefined) return Promise.resolve({ kind: 'end' });
    status.showInput(undefined);
    const release = status.hold();
    return new Promise((resolve) => {
      waiting = (line) => {
        opened.stopAsking();
        restore?.();
        release();
        showTypedAhead();
        resolve(line);
      };
      opened.ask(prompt, isAsking);
    });
  };

  /** True while a person is in the middle of typing something. */
  const isTyping = (): boolean => (editor?.text ?? '') !== '' && performance.now() - lastKey < PAUSE_MS;

  const reader: LineReader = {
    onInterrupt: () => undefined,
    onAhead: () => false,
    isContinued: () => false,
    async next(prompt) {
      isInRest = prompt === REST;
      if (!isInRest) lastPrompt = prompt;
      const typed = typedAhead.shift();
      if (typed === undefined && isLeaving) {
        isLeaving = false;
        showTypedAhead();
        return { kind: 'end' };
      }
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
      if (isAborted(signal)) return { kind: 'end' };
      // What a person goes on typing is no answer.
      while (isTyping() && !isAborted(signal)) await new Promise((resolve) => void setTimeout(resolve, PAUSE_MS / 2));
      if (isAborted(signal)) return { kind: 'end' };
      closeMenu();
      signal?.addEventListener('abort', giveUp, { once: true });
      isAsking = true;
      const takeUp = open()?.setAside();
      try {
        return await wait(prompt, () => {
          isAsking = false;
          takeUp?.();
        });
      } finally {
        isAsking = false;
        signal?.removeEventListener('abort', giveUp);
      }
    },
    printAbove(text) {
      const shown = `${text}\n`;
      if (editor !== undefined && waiting !== undefined) editor.printAbove(shown);
      else printAboveStatus(shown);
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
      if (editor === undefined) printAboveStatus(text, true);
      else editor.redraw(text);
    },
    refresh: () => editor?.update(),
    close() {
      closeMenu();
      giveUp();
      isClosed = true;
      editor?.close();
      editor = undefined;
      status.showInput(undefined);
    },
  };
  return reader;
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
