import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { explainError } from './command-line/errors.ts';
import { getPathKind, listAncestors, readTextFile } from './config/disk.ts';
import { makeVisible } from './terminal/terminal-text.ts';
import type { Output } from './terminal/terminal.ts';

/** Time limit for a command to end after a signal, in milliseconds. */
let patienceMs = 1000;

/** Gives a command more time to hand over its work after a signal, in milliseconds. */
export function extendPatience(ms: number): void {
  patienceMs = ms;
}
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Listens for signals. The first one aborts; a second one, or the time limit, ends the process.
 *
 * @returns a signal that aborts on any of them, and the exit code for the one that arrived: `130` for Ctrl-C
 */
export function listenForInterrupts(): { readonly signal: AbortSignal; exitCode(): number | undefined } {
  const controller = new AbortController();
  let code: number | undefined;
  const stop = (name: (typeof SIGNALS)[number]): void => {
    if (code !== undefined) process.exit(code);
    code = 128 + constants.signals[name];
    const ended = code;
    controller.abort(new DOMException(`stopped by ${name}`, 'AbortError'));
    setTimeout(() => process.exit(ended), patienceMs).unref();
  };
  for (const name of SIGNALS) process.on(name, stop);
  return { signal: controller.signal, exitCode: () => code };
}

/** Reports an uncaught error from a resourcespace package, as in a timer, instead of ending the process. */
export function surviveStrayErrors(err: Output): void {
  const reported = new Set<string>();
  process.on('uncaughtException', (error: unknown) => {
    const name = findFaultyPlugin(error);
    if (name === undefined) {
      err.write(explainError(error, { debug: true }));
      process.exit(1);
    }
    const line = `${name}: an error that nothing in it waits for: ${String(error).split('\n')[0]}. Everything else goes on.\n`;
    if (!reported.has(line)) err.write(makeVisible(line));
    reported.add(line);
  });
}

/** Path or `file:` URL in a stack. */
const FILE = /(?:file:\/\/)?\/[^\s():]+(?=:\d)/g;

/** Finds the resourcespace package whose code threw an error, if any. */
export function findFaultyPlugin(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const lines = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const files = lines.flatMap((line) => line.match(FILE) ?? []);
  return files.map((file) => findPluginAround(file.startsWith('file:') ? fileURLToPath(file) : file)).find(Boolean);
}

function findPluginAround(path: string): string | undefined {
  const manifests = listAncestors(dirname(path)).map((folder) => join(folder, 'package.json'));
  const file = manifests.find((manifest) => getPathKind(manifest) === 'file');
  if (file === undefined) return undefined;
  try {
    const { name, keywords } = JSON.parse(readTextFile(file)) as Readonly<Record<string, unknown>>;
    const isPlugin = Array.isArray(keywords) && keywords.includes('bae-resourcespace');
    return isPlugin && typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}
