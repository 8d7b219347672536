import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kindOfPath, readTextFile } from './config/disk.ts';
import { explainError } from './explain-error.ts';
import { makeVisible } from './terminal/make-visible.ts';
import type { Output } from './terminal/output.ts';

/** A file in a line of a stack, by its path or its address. */
const FILE = /(?:file:\/\/)?\/[^\s():]+(?=:\d)/g;

/**
 * Keeps an error that nothing waits for, as in a timer, from ending the process when it comes from a package of
 * resourcespaces: it is named, and everything else goes on. Any other one ends the process.
 */
export function survivePlugins(err: Output): void {
  const said = new Set<string>();
  process.on('uncaughtException', (error: unknown) => {
    const name = pluginOf(error);
    if (name === undefined) {
      err.write(explainError(error, { debug: true }));
      process.exit(1);
    }
    const line = `${name}: an error that nothing in it waits for: ${String(error).split('\n')[0]}. Everything else goes on.\n`;
    if (!said.has(line)) err.write(makeVisible(line));
    said.add(line);
  });
}

/** The package of resourcespaces whose code an error comes from; undefined when it comes from elsewhere. */
export function pluginOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const lines = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  const files = lines.flatMap((line) => line.match(FILE) ?? []);
  return files.map((file) => pluginAround(file.startsWith('file:') ? fileURLToPath(file) : file)).find(Boolean);
}

function pluginAround(path: string): string | undefined {
  const folder = dirname(path);
  if (folder === path) return undefined;
  const file = join(folder, 'package.json');
  if (kindOfPath(file) !== 'file') return pluginAround(folder);
  try {
    const { name, keywords } = JSON.parse(readTextFile(file)) as Readonly<Record<string, unknown>>;
    const isPlugin = Array.isArray(keywords) && keywords.includes('bae-resourcespace');
    return isPlugin && typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}
