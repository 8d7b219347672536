import type { LineSource, ReadLine } from './piped-input.ts';

/** Source of lines from the keyboard. */
export interface LineReader extends LineSource {
  /**
   * Reads a line that is typed from now on, because earlier input was meant for something else. Aborting ends the read.
   */
  fresh(prompt: string, signal?: AbortSignal): Promise<ReadLine>;
  /** Prints a text above the line being typed. */
  readonly printAbove: (text: string) => void;
  /** Lines that were typed while none was requested, oldest first. */
  readonly queue: {
    list(): readonly { readonly text: string; readonly at: number }[];
    remove(line: { readonly text: string }): void;
  };
  /** Shows a menu at the end of the screen, which gets the keys. A question to the person closes it. */
  readonly openMenu: (menu: KeyMenu) => void;
  /** Replaces everything on the screen with a text; without control of the screen, appends it. */
  readonly redraw: (text: string) => void;
  /** Draws prompt and footer again, whose texts may have changed, if a line is requested. */
  readonly refresh: () => void;
}

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

/** Support for typing at a prompt. Answers to questions have no history and no completion. */
export interface TypingHelp {
  /** Earlier lines, newest first. */
  readonly history?: { read(): readonly string[]; write(lines: readonly string[]): void };
  /** Returns possible endings of the line, and the part of it that they replace. */
  readonly complete?: (line: string) => Promise<{ readonly candidates: readonly string[]; readonly typed: string }>;
  /** Opens the text in another program. @throws Error whose message tells the person why it is unchanged */
  readonly edit?: ((text: string) => Promise<string>) | undefined;
  /** Actions of further keys by name, such as `ctrl-v` or `shift-tab`. Prompt and footer are redrawn afterwards. */
  readonly keys?: Readonly<Record<string, () => void>> | undefined;
  /** Returns the lines below the prompt that belong to the typed text; empty if there are none. */
  readonly menu?: (text: string) => string;
  /** Returns the line below a prompt without a menu, and below a question. */
  readonly toolbar?: () => string;
}
