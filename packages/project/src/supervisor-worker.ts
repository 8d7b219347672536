// Entry point of the process between bae and a program on systems without process groups. Descriptor 3 is the pipe to
// bae: it brings the program as one line of JSON, and takes the exit code. When it closes, the program and all below it
// are ended.
import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Launch } from './platform/platform.ts';

/** The program that a supervisor starts. */
export interface SupervisedProgram extends Launch {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly mergesErrors: boolean;
  /** Command that ends a process, whose number is its last argument, and all below it. */
  readonly endTree: readonly [string, ...string[]];
}

/** Exit code for a program that could not be started, as in shells. */
const NOT_STARTED = 126;
/** Time that the command that ends a tree may take, in milliseconds. */
const PATIENCE_MS = 10_000;

const pipe = new Socket({ fd: 3, readable: true, writable: true });
let program: ChildProcess | undefined;
let endTree: SupervisedProgram['endTree'];
let text = '';
let isEnding = false;

pipe.setEncoding('utf8').on('data', (piece: string) => {
  text += piece;
  if (program === undefined && text.includes('\n')) startWanted(JSON.parse(text) as SupervisedProgram);
});
pipe.on('error', () => undefined);
pipe.on('close', endProgram);

function startWanted(wanted: SupervisedProgram): void {
  ({ endTree } = wanted);
  program = spawn(wanted.file, wanted.args, {
    cwd: wanted.folder,
    env: wanted.environment,
    stdio: [0, 1, wanted.mergesErrors ? 1 : 2],
    windowsVerbatimArguments: wanted.isQuoted,
    windowsHide: true,
  });
  program.on('error', ({ message }) => {
    process.stderr.write(`${message}\n`);
    reportExit(NOT_STARTED);
  });
  program.on('exit', (code, signal) => reportExit(code ?? 128 + constants.signals[signal!]));
}

function reportExit(code: number): void {
  // Windows would end the command that ends the tree together with this process.
  if (isEnding) return;
  pipe.end(`${code}\n`, () => process.exit());
}

function endProgram(): void {
  const id = program?.pid;
  if (id === undefined || program!.exitCode !== null || program!.signalCode !== null) process.exit();
  isEnding = true;
  const [command, ...args] = endTree;
  const ending = spawn(command, [...args, String(id)], { stdio: 'ignore', timeout: PATIENCE_MS, windowsHide: true });
  // What could not be ended with its tree is ended alone.
  const finish = (): void => {
    program!.kill('SIGKILL');
    process.exit();
  };
  ending.on('error', finish).on('exit', finish);
}
