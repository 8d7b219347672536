import { resolve } from 'node:path';
import { ConfigurationError } from '@bae/core';
import { UsageError } from '../arguments/usage-error.ts';
import { kindOfPath, readTextFile } from '../config/disk.ts';
import { workingFolder } from '../config/settings.ts';
import { readAll } from '../terminal/read-all.ts';
import type { CommandContext } from './command.ts';

/**
 * The text that a command is to work on: of the file it names, or of standard input for `-`.
 *
 * @param command name of the command, for messages
 * @throws UsageError without exactly one file; ConfigurationError when it cannot be read
 */
export async function inputText(context: CommandContext, command: string): Promise<string> {
  const { positionals, options, terminal, signal } = context;
  const [file, ...more] = positionals;
  if (file === undefined)
    throw new UsageError(`bae ${command} needs a file: bae ${command} FILE, or - for standard input.`, { command });
  if (more.length > 0) throw new UsageError(`bae ${command} takes one file; got ${positionals.length}.`, { command });
  if (file === '-') return readAll(terminal.input, signal);
  const path = resolve(workingFolder(options, terminal.cwd), file);
  const kind = kindOfPath(path);
  if (kind === 'nothing')
    throw new ConfigurationError(`${file}: there is no such file.`, [`bae ${command} - reads standard input`]);
  if (kind === 'folder') throw new ConfigurationError(`${file}: it is a folder.`, ['name a file in it']);
  return readable(path, file);
}

function readable(path: string, file: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    throw new ConfigurationError(`${file}: cannot be read: ${(error as Error).message}.`, [], error);
  }
}
