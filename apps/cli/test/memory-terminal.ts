import { PassThrough } from 'node:stream';
import { StatusLine } from '../src/terminal/status-line.ts';
import type { Output, Terminal } from '../src/terminal/terminal.ts';

/** An output that keeps what is written. */
export class MemoryOutput implements Output {
  text = '';
  readonly isTerminal: boolean;
  readonly color: boolean;
  private readonly width: number;
  private readonly height: number;

  constructor({ isTerminal = false, color = false, width = 80, height = 24 } = {}) {
    this.isTerminal = isTerminal;
    this.color = color;
    this.width = width;
    this.height = height;
  }

  columns(): number {
    return this.width;
  }

  rows(): number {
    return this.height;
  }

  write(text: string): void {
    this.text += text;
  }
}

/** A terminal in memory: what is typed goes into `input`, what is shown is in `out` and `err`. */
export class MemoryTerminal implements Terminal {
  readonly env: Terminal['env'];
  readonly cwd: string;
  readonly input = new PassThrough();
  readonly screen = new PassThrough();
  readonly inputIsTerminal: boolean;
  readonly interactive: boolean;
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
    this.out = new MemoryOutput({ isTerminal: interactive });
    this.err = new MemoryOutput({ isTerminal: interactive });
    this.status = new StatusLine(this.err);
  }

  /** The process stays where it is: all terminals in memory share it. */
  enter(): void {}

  flush(): Promise<void> {
    return Promise.resolve();
  }
}
