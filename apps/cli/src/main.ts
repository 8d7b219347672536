import { Console } from 'node:console';
import { COMMANDS } from './command-line/command-list.ts';
import { explainError, explainUsageError, UsageError } from './command-line/errors.ts';
import { parseArguments, type Arguments } from './command-line/options.ts';
import { listenForInterrupts, surviveStrayErrors } from './process-guards.ts';
import { createProcessTerminal, type Terminal } from './terminal/terminal.ts';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { getPathKind } from './config/disk.ts';

/** Exit codes. If a signal ends the process, the code is 128 plus its number, such as 130 for Ctrl-C. */
const FAILED = 1;
const MISUSED = 2;
const INTERRUPTED = 130;

/** Runs bae as this process: reads its arguments and ends it. */
export async function start(): Promise<never> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', endQuietly);
  const interrupts = listenForInterrupts();
  // Not by NO_COLOR, which the project's tests would inherit.
  const terminal = createProcessTerminal({ mayColor: !process.argv.includes('--no-color') });
  process.on('exit', () => terminal.status.erase());
  // Output of foreign code must not be mixed with the results that programs read from standard output.
  globalThis.console = new Console(process.stderr);
  if (!terminal.out.isTerminal) process.stdout.write = process.stderr.write.bind(process.stderr);
  surviveStrayErrors(terminal.err);
  shareModules();
  const code = await main(process.argv.slice(2), terminal, interrupts.signal);
  await terminal.flush();
  return process.exit(interrupts.exitCode() ?? code);
}

/** Ends the process without an error if a reader such as `head` closes the stream early. */
function endQuietly(error: NodeJS.ErrnoException): never {
  return process.exit(error.code === 'EPIPE' ? 0 : FAILED);
}

/** Runs one command line. Returns the exit code. */
export async function main(argv: readonly string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  let command: string | undefined;
  try {
    const names = Object.keys(COMMANDS).filter((name) => name !== 'shell');
    const args = parseArguments(argv, names);
    ({ command } = args);
    return await runCommand(args, terminal, signal);
  } catch (error) {
    if (signal.aborted) return INTERRUPTED;
    const isMisuse = error instanceof UsageError;
    const debug = argv.includes('--debug');
    terminal.err.write(isMisuse ? await explainUsageError(error, command) : explainError(error, { debug }));
    return isMisuse ? MISUSED : FAILED;
  }
}

async function runCommand(
  { command, positionals, options }: Arguments,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  if (options.version) {
    const { readVersion } = await import('./package-folder.ts');
    terminal.out.write(`${readVersion()}\n`);
    return 0;
  }
  if (options.help) {
    const { renderCommandLineHelp } = await import('./command-line/render-help.ts');
    terminal.out.write(renderCommandLineHelp(command));
    return 0;
  }
  const { resolveRoot } = await import('./config/settings.ts');
  const root = resolveRoot(options, terminal.cwd);
  if (options.cwd !== undefined) terminal.enter(root);
  const run = await COMMANDS[command]!.load();
  return run({ root, positionals, options, terminal, signal });
}

/**
 * Makes plugins import the packages of bae from the bundle of this program if both are the same copy of bae, so that
 * they share error classes and state.
 */
function shareModules(): void {
  const dist = new URL('.', import.meta.url).href;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const isOwn = context.parentURL?.startsWith(dist) === true;
      // Chunks are where the bundler has put them: to look for them takes longer than to read them.
      if (isOwn && specifier.startsWith('./'))
        return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
      const found = nextResolve(specifier, context);
      if (!specifier.startsWith('@bae/') || isOwn) return found;
      const bundled = new URL(`./${specifier.replaceAll('/', '-')}.js`, dist);
      if (getPathKind(fileURLToPath(bundled)) !== 'file') return found;
      const own = nextResolve(specifier, { ...context, parentURL: import.meta.url });
      return own.url === found.url ? { ...found, url: bundled.href } : found;
    },
  });
}
