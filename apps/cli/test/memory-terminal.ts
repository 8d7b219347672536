import { PassThrough } from 'node:stream';
import { createBeforeWrite, createStatusLine, type Output, type Terminal } from '../src/terminal/terminal.ts';

/** A growing text, with a way to wait for a part of it. */
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

  /** Resolves as soon as it contains a text so many times. */
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

interface MemoryOutputOptions {
  readonly isTerminal?: boolean;
  readonly color?: boolean;
  readonly width?: number;
  readonly height?: number;
  /** Gets a copy of what is written. */
  readonly transcript?: Transcript;
}

/** An output that keeps what is written. */
export class MemoryOutput extends Transcript implements Output {
  readonly isTerminal: boolean;
  readonly color: boolean;
  readonly columns: () => number;
  readonly rows: () => number;
  readonly write: (text: string) => void;
  readonly beforeWrite: (call: () => void) => void;
  /** It keeps its size. */
  readonly onResize = () => () => undefined;

  constructor({ isTerminal = false, color = false, width = 80, height = 24, transcript }: MemoryOutputOptions = {}) {
    super();
    this.isTerminal = isTerminal;
    this.color = color;
    this.columns = () => width;
    this.rows = () => height;
    const before = createBeforeWrite();
    this.beforeWrite = before.add;
    this.write = (text) => {
      before.run();
      this.add(text);
      transcript?.add(text);
    };
  }
}

class MemoryScreen extends PassThrough {
  readonly own = new Transcript();

  constructor(transcript: Transcript) {
    super({
      transform: (chunk: Buffer, _encoding, done) => {
        this.own.add(String(chunk));
        transcript.add(String(chunk));
        done(null, chunk);
      },
    });
  }
}

export type MemoryTerminal = ReturnType<typeof openMemoryTerminal>;

/** A terminal in memory: what is typed goes into `input`, what is shown is in `out` and `err`. */
export function openMemoryTerminal({
  cwd = '/',
  env = {},
  interactive = false,
}: Partial<Pick<Terminal, 'cwd' | 'env' | 'interactive'>> = {}) {
  /** Everything that a person sees: both outputs, and the line that is typed. */
  const transcript = new Transcript();
  const out = new MemoryOutput({ isTerminal: interactive, transcript });
  const err = new MemoryOutput({ isTerminal: interactive, transcript });
  const [input, screen, status] = [new PassThrough(), new MemoryScreen(transcript), createStatusLine(err)];
  const links = { cwd, scheme: 'vscode' };
  const terminal = {
    cwd,
    links,
    env,
    interactive,
    inputIsTerminal: interactive,
    transcript,
    out,
    err,
    input,
    screen,
    status,
  };
  // All terminals in memory share the process.
  return { ...terminal, enter: () => undefined, flush: () => Promise.resolve() } satisfies Terminal;
}
