import { constants } from 'node:os';

/** How long a command may take to end in good order once it was asked to. */
const PATIENCE_MS = 1000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Turns the signals of the process into one that code can hear. */
export interface Interrupts {
  readonly signal: AbortSignal;
  /** Exit code that says which signal ended the process, `130` for Ctrl-C; undefined when none came. */
  exitCode(): number | undefined;
}

/** Listens for requests to stop. The first one asks; a second one, or no answer in time, ends the process. */
export function listenForInterrupts(): Interrupts {
  const controller = new AbortController();
  let code: number | undefined;
  const stop = (name: (typeof SIGNALS)[number]): void => {
    if (code !== undefined) process.exit(code);
    code = 128 + constants.signals[name];
    const ended = code;
    controller.abort(new DOMException(`stopped by ${name}`, 'AbortError'));
    setTimeout(() => process.exit(ended), PATIENCE_MS).unref();
  };
  for (const name of SIGNALS) process.on(name, stop);
  return { signal: controller.signal, exitCode: () => code };
}
