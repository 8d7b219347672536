import { Console } from 'node:console';
import { parseArguments, type Arguments } from './arguments/parse-arguments.ts';
import { UsageError } from './arguments/usage-error.ts';
import { COMMANDS } from './commands/command-list.ts';
import { listenForInterrupts } from './interrupts.ts';
import { survivePlugins } from './stray-errors.ts';
import { processTerminal } from './terminal/process-terminal.ts';
import type { Terminal } from './terminal/terminal.ts';

/** Exit codes; besides them 128 + the number of a signal, 130 for Ctrl-C. */
const FAILED = 1;
const MISUSED = 2;
const INTERRUPTED = 130;

/** Runs bae as this process: reads its arguments and ends it. */
export async function start(): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endQuietly);
  const interrupts = listenForInterrupts();
  const terminal = processTerminal();
  process.on('exit', () => terminal.status.giveWay(''));
  // What foreign code prints must not come between what programs read from standard output.
  globalThis.console = new Console(process.stderr);
  if (!terminal.out.isTerminal) process.stdout.write = process.stderr.write.bind(process.stderr);
  survivePlugins(terminal.err);
  const code = await main(process.argv.slice(2), terminal, interrupts.signal);
  await terminal.flush();
  return process.exit(interrupts.exitCode() ?? code);
}

/**
 * Runs one command line to its end.
 *
 * @returns the exit code
 */
export async function main(argv: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  try {
    const args = parseArguments(
      argv,
      Object.keys(COMMANDS).filter((name) => name !== 'shell'),
    );
    return await runCommand(args, terminal, signal);
  } catch (error) {
    return reportFailure(error, { terminal, signal, debug: argv.includes('--debug') });
  }
}

async function runCommand(
  { command, positionals, options }: Arguments,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  if (options.version) {
    const { readVersion } = await import('./commands/read-version.ts');
    terminal.out.write(`${readVersion()}\n`);
    return 0;
  }
  if (options.help) {
    const { renderHelp } = await import('./commands/render-help.ts');
    terminal.out.write(renderHelp(command));
    return 0;
  }
  if (options.cwd !== undefined) {
    const { workingFolder } = await import('./config/settings.ts');
    terminal.enter(workingFolder(options, terminal.cwd));
  }
  const run = await COMMANDS[command]!.load();
  return run({ positionals, options, terminal: withColor(terminal, options), signal });
}

function withColor(terminal: Terminal, { noColor }: { readonly noColor: boolean }): Terminal {
  if (!noColor) return terminal;
  const { out, err } = terminal;
  return { ...terminal, out: { ...out, color: false }, err: { ...err, color: false } };
}

async function reportFailure(
  error: unknown,
  { terminal, signal, debug }: { readonly terminal: Terminal; readonly signal: AbortSignal; readonly debug: boolean },
): Promise<number> {
  if (signal.aborted) return INTERRUPTED;
  if (error instanceof UsageError) {
    const { explainUsageError } = await import('./arguments/explain-usage-error.ts');
    terminal.err.write(await explainUsageError(error));
    return MISUSED;
  }
  const { explainError } = await import('./explain-error.ts');
  terminal.err.write(explainError(error, { debug }));
  return FAILED;
}

/** Whoever reads has had enough, as `head` does: that is no failure. */
function endQuietly(error: NodeJS.ErrnoException): never {
  return process.exit(error.code === 'EPIPE' ? 0 : FAILED);
}
