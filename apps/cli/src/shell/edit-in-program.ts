import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findProgram, prepareProgram } from '@bae/project';
import { makeTemporaryFolder, readTextFile, writeUserFile } from '../config/disk.ts';

/**
 * Opens a text in the user's editor, `VISUAL` or `EDITOR`, which has the terminal until it exits.
 *
 * @returns the text as it was saved
 * @throws Error if no editor is set, or if it is missing or failed
 */
export async function editInProgram(text: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  const [program, ...args] = (env['VISUAL'] ?? env['EDITOR'] ?? '').split(' ').filter((word) => word !== '');
  if (program === undefined) throw new Error('Ctrl-G opens the editor in EDITOR or VISUAL, and neither is set.');
  const { path, remove } = makeTemporaryFolder();
  try {
    const file = join(path, 'text.md');
    writeUserFile(file, text);
    const found = await findProgram(program, { folder: process.cwd() });
    if (found === undefined) throw new Error(`Ctrl-G: there is no program ${program}; EDITOR or VISUAL names it.`);
    const { isQuoted, ...launch } = prepareProgram(found, [...args, file]);
    const child = spawn(launch.file, launch.args, { stdio: 'inherit', windowsVerbatimArguments: isQuoted });
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    if (code !== 0) throw new Error(`${program} ended with ${code ?? signal}; the text is unchanged.`);
    return readTextFile(file);
  } finally {
    remove();
  }
}
