import { fitted } from './text-width.ts';
import type { Output } from './output.ts';

const ERASE = '\r\u001B[K';

/** What the line may say something of. */
export type StatusPart = 'step' | 'index';

/**
 * The last line of a terminal, which tells what is waited for. It goes when anything else is written, and comes
 * back with the next thing to say. Where no person looks there is none.
 */
export class StatusLine {
  readonly #parts = new Map<StatusPart, string>();
  #isShown = false;
  #isLineOpen = false;
  #holds = 0;

  /** @param screen what it is drawn on: one that does not erase this line before it writes */
  constructor(private readonly screen: Pick<Output, 'isTerminal' | 'columns' | 'write'>) {}

  /** Says something of a part in the place of what was said of it. */
  say(part: StatusPart, text: string): void {
    if (this.#parts.get(part) === text && this.#isShown) return;
    this.#parts.set(part, text);
    this.#draw();
  }

  /** Has nothing to say of a part any more. */
  done(part: StatusPart): void {
    if (this.#parts.delete(part)) this.#draw();
  }

  /** Makes room for a text that is written next; stays away as long as that does not end its last line. */
  giveWay(text: string): void {
    this.#erase();
    if (text !== '') this.#isLineOpen = !text.endsWith('\n');
  }

  /** Stays away until what is returned is called: somebody types where the line would be. */
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
    if (!this.screen.isTerminal || this.#holds > 0 || this.#isLineOpen) return;
    if (this.#parts.size === 0) return this.#erase();
    const text = [...this.#parts.values()].join(' · ');
    this.screen.write(`${ERASE}${fitted(text, this.screen.columns() - 1)}`);
    this.#isShown = true;
  }

  #erase(): void {
    if (this.#isShown) this.screen.write(ERASE);
    this.#isShown = false;
  }
}
