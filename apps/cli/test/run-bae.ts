import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How to start bae. */
export interface BaeStart {
  readonly cwd: string;
  /** All that is typed or piped in; without it the input stays open. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node itself. */
  readonly node?: readonly string[];
}

/** What came of it. */
export interface BaeEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A started bae: its process, its output so far, and its end. */
export interface RunningBae {
  readonly child: ChildProcess;
  out(): string;
  /** Settles as soon as standard output has this text. */
  printed(text: string): Promise<void>;
  readonly end: Promise<BaeEnd>;
}

export const LAUNCHER = fileURLToPath(new URL('../bin/bae.mjs', import.meta.url));

/** Starts the built bae in an environment without any key, and far from any Ollama. */
export function startBae(args: readonly string[], { cwd, input, env = {}, node = [] }: BaeStart): RunningBae {
  const child = spawn(process.execPath, [...node, LAUNCHER, ...args], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, OLLAMA_HOST: 'http://127.0.0.1:9', ...env },
  });
  let out = '';
  let err = '';
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    for (const look of waiting) look();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.on('error', () => undefined);
  if (input !== undefined) child.stdin.end(input);
  const end = new Promise<BaeEnd>((resolve) => {
    child.on('close', (code) => resolve({ code, out, err }));
  });
  const printed = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => void (out.includes(text) && resolve());
      waiting.add(look);
      look();
    });
  return { child, out: () => out, printed, end };
}

/** Runs the built bae to its end. */
export function runBae(args: readonly string[], start: BaeStart): Promise<BaeEnd> {
  return startBae(args, { input: '', ...start }).end;
}
