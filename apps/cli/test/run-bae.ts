import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { main } from '../src/main.ts';
import { openMemoryTerminal, Transcript } from './memory-terminal.ts';

interface BaeStart {
  readonly cwd: string;
  /** All that is typed or piped in. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** The exit code and the output. */
interface BaeEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** No key, and no Ollama. */
function createEnvironment({ cwd, env = {} }: BaeStart): Readonly<Record<string, string>> {
  return { PATH: process.env['PATH'] ?? '', HOME: cwd, OLLAMA_HOST: 'http://127.0.0.1:9', ...env };
}

/** Starts bae in this process, with the real files of a folder. Its input stays open. */
export function openBae(
  args: readonly string[],
  { interactive = false, ...start }: BaeStart & { readonly interactive?: boolean },
) {
  const terminal = openMemoryTerminal({ cwd: start.cwd, env: createEnvironment(start), interactive });
  const { transcript, out, err, input } = terminal;
  return {
    terminal,
    type: (text: string) => void input.write(text),
    /** Resolves as soon as the screen has shown a text so many times. */
    shows: (text: string, count?: number) => transcript.shows(text, count),
    screen: () => transcript.text,
    end: main(args, terminal, new AbortController().signal).then((code): BaeEnd => ({
      code,
      out: out.text,
      err: err.text,
    })),
  };
}

/** Runs bae in this process to its end. */
export function runBae(args: readonly string[], start: BaeStart): Promise<BaeEnd> {
  const bae = openBae(args, start);
  bae.terminal.input.end(start.input ?? '');
  return bae.end;
}

export const LAUNCHER = fileURLToPath(new URL('../bin/bae.mjs', import.meta.url));

interface ProgramStart extends BaeStart {
  /** Options of Node itself. */
  readonly node?: readonly string[];
}

/** Starts the built program. Without an input, that stays open. */
export function startProgram(args: readonly string[], { node = [], ...start }: ProgramStart) {
  const child = spawn(process.execPath, [...node, LAUNCHER, ...args], {
    cwd: start.cwd,
    env: createEnvironment(start),
  });
  const out = new Transcript();
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.add(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.on('error', () => undefined);
  if (start.input !== undefined) child.stdin.end(start.input);
  const end = new Promise<BaeEnd>((resolve) => {
    child.on('close', (code) => resolve({ code, out: out.text, err }));
  });
  return { child, out: () => out.text, printed: (text: string) => out.shows(text), end };
}

/** Runs the built program to its end. */
export function runProgram(args: readonly string[], start: ProgramStart): Promise<BaeEnd> {
  return startProgram(args, { input: '', ...start }).end;
}
