import { spawn, spawnSync } from 'node:child_process';
import { Transcript } from './memory-terminal.ts';
import { LAUNCHER } from './run-bae.ts';

/** The tool that gives a program a real terminal. */
export const PSEUDO_TERMINAL = 'script';

/** False where bae cannot be tried at a real terminal. */
export const hasTerminal = spawnSync(PSEUDO_TERMINAL, ['--version']).status === 0;

export interface TerminalStart {
  readonly cwd: string;
  readonly args?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the built bae at a real terminal: what is typed goes in, what is on the screen comes out. */
export function openTerminal({ cwd, args = '', env = {} }: TerminalStart) {
  const command = `'${process.execPath}' '${LAUNCHER}' ${args}`;
  const child = spawn(PSEUDO_TERMINAL, ['-qec', command, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TERM: 'xterm', OLLAMA_HOST: 'http://127.0.0.1:9', ...env },
  });
  const screen = new Transcript();
  child.stdout.setEncoding('utf8').on('data', (text: string) => screen.add(text));
  const code = new Promise<number | null>((resolve) => {
    child.on('close', resolve);
  });
  return {
    code,
    screen: () => screen.text,
    type: (keys: string) => void child.stdin.write(keys),
    shows: (text: string) => screen.shows(text),
  };
}
