import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { findProgram, prepareProgram } from '@bae/project';
import { makeTemporaryFolder, readTextFile, writeUserFile } from '../config/disk.ts';

/**
 * Opens a text in the user's editor, `VISUAL` or `EDITOR`, which has the terminal until it exits.
 *
 * @returns the text as it was saved; undefined if no editor is set or the editor failed
 */
export async function editInProgram(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const [program, ...args] = (env['VISUAL'] ?? env['EDITOR'] ?? '').split(' ').filter((word) => word !== '');
  if (program === undefined) return undefined;
  const { path, remove } = makeTemporaryFolder();
  try {
    const file = join(path, 'text.md');
    writeUserFile(file, text);
    const found = await findProgram(program, { folder: process.cwd() });
    if (found === undefined) throw new Error(`spawn ${program} ENOENT`);
    const { isQuoted, ...launch } = prepareProgram(found, [...args, file]);
    const child = spawn(launch.file, launch.args, { stdio: 'inherit', windowsVerbatimArguments: isQuoted });
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0 ? readTextFile(file) : undefined;
  } finally {
    remove();
  }
}
