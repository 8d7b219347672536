import { type Program, type ProgramResult, startProgram } from './running-program.ts';

/**
 * Runs a program and waits for its end. If the signal aborts, the program is ended with everything that it has started.
 *
 * @throws the signal's reason; the system error, such as ENOENT, if the program cannot be started
 */
export async function runProgram(program: Program, signal: AbortSignal): Promise<ProgramResult> {
  signal.throwIfAborted();
  const running = await startProgram(program);
  const stop = (): void => void running.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const result = await running.ended;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return result;
}
