import { PassThrough } from 'node:stream';
import { StatusLine } from '../src/terminal/status-line.ts';
import type { Output, Terminal } from '../src/terminal/terminal.ts';

/** A text that grows, and how to wait for a part of it. */
export class Transcript {
  #text = '';
  readonly #waiting = new Set<() => void>();

  get text(): string {
    return this.#text;
  }

  add(text: string): void {
    this.#text += text;
    for (const check of this.#waiting) check();
  }

  /** Settles as soon as a text is in it so many times. */
  shows(text: string, count = 1): Promise<void> {
    return new Promise((resolve) => {
      const check = (): void => {
        if (this.#text.split(text).length <= count) return;
        this.#waiting.delete(check);
        resolve();
      };
      this.#waiting.add(check);
      check();
    });
  }
}

/** An output that keeps what is written. */
export class MemoryOutput implements Output {
  readonly own = new Transcript();
  readonly isTerminal: boolean;
  readonly color: boolean;
  readonly #width: number;
  readonly #height: number;
  readonly #transcript: Transcript | undefined;

  constructor({ isTerminal = false, color = false, width = 80, height = 24, transcript }: MemoryOutputOptions = {}) {
    this.isTerminal = isTerminal;
    this.color = color;
    this.#width = width;
    this.#height = height;
    this.#transcript = transcript;
  }

  columns(): number {
    return this.#width;
  }

  rows(): number {
    return this.#height;
  }

  get text(): string {
    return this.own.text;
  }

  write(text: string): void {
    this.own.add(text);
    this.#transcript?.add(text);
  }
}

interface MemoryOutputOptions {
  readonly isTerminal?: boolean;
  readonly color?: boolean;
  readonly width?: number;
  readonly height?: number;
  /** Where what is written is added. */
  readonly transcript?: Transcript;
}

/** What a line editor draws on. */
class MemoryScreen extends PassThrough {
  readonly own = new Transcript();
  readonly #transcript: Transcript;

  constructor(transcript: Transcript) {
    super();
    this.#transcript = transcript;
  }

  override _transform(
    chunk: Buffer,
    encoding: BufferEncoding,
    done: (error?: Error | null, data?: unknown) => void,
  ): void {
    this.own.add(String(chunk));
    this.#transcript.add(String(chunk));
    super._transform(chunk, encoding, done);
  }
}

/** A terminal in memory: what is typed goes into `input`, what is shown is in `out` and `err`. */
export class MemoryTerminal implements Terminal {
  readonly env: Terminal['env'];
  readonly cwd: string;
  readonly input = new PassThrough();
  readonly inputIsTerminal: boolean;
  readonly interactive: boolean;
  /** Everything that a person sees: both outputs, and the line that is typed. */
  readonly transcript = new Transcript();
  readonly screen = new MemoryScreen(this.transcript);
  readonly out: MemoryOutput;
  readonly err: MemoryOutput;
  readonly status: StatusLine;

  constructor({
    cwd = '/',
    env = {},
    interactive = false,
  }: Partial<Pick<Terminal, 'cwd' | 'env' | 'interactive'>> = {}) {
    this.cwd = cwd;
    this.env = env;
    this.interactive = interactive;
    this.inputIsTerminal = interactive;
    this.out = new MemoryOutput({ isTerminal: interactive, transcript: this.transcript });
    this.err = new MemoryOutput({ isTerminal: interactive, transcript: this.transcript });
    this.status = new StatusLine(this.err);
  }

  /** The process stays where it is: all terminals in memory share it. */
  enter(): void {}

  flush(): Promise<void> {
    return Promise.resolve();
  }
}
