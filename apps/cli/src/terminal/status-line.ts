import { truncate } from './terminal-text.ts';

const ERASE = '\r\u001B[K';

/** An output whose `write` does not erase this line first. */
interface Screen {
  readonly isTerminal: boolean;
  columns(): number;
  write(text: string): void;
}

export type StatusPart = 'step' | 'index';

/**
 * The last line of a terminal, which shows what bae is waiting for. It disappears when anything else is written, and
 * returns with the next change.
 */
export class StatusLine {
  readonly #screen: Screen;
  readonly #parts = new Map<StatusPart, string>();
  #isShown = false;
  #isLineOpen = false;
  #holds = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  set(part: StatusPart, text: string): void {
    if (this.#parts.get(part) === text && this.#isShown) return;
    this.#parts.set(part, text);
    this.#draw();
  }

  clear(part: StatusPart): void {
    if (this.#parts.delete(part)) this.#draw();
  }

  /** Erases the line before a text is written; it stays hidden until the written line has ended. */
  giveWay(text: string): void {
    this.#erase();
    if (text !== '') this.#isLineOpen = !text.endsWith('\n');
  }

  /** Hides the line, because a person types there, until the returned function is called. */
  hold(): () => void {
    this.#holds++;
    this.#erase();
    let isHeld = true;
    return () => {
      if (isHeld) this.#holds--;
      isHeld = false;
    };
  }

  #draw(): void {
    if (!this.#screen.isTerminal || this.#holds > 0 || this.#isLineOpen) return;
    if (this.#parts.size === 0) return this.#erase();
    const text = [...this.#parts.values()].join(' · ');
    this.#screen.write(`${ERASE}${truncate(text, this.#screen.columns() - 1)}`);
    this.#isShown = true;
  }

  #erase(): void {
    if (this.#isShown) this.#screen.write(ERASE);
    this.#isShown = false;
  }
}
