import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../test/scratch-folder.ts';
import { editInProgram } from './shell-io.ts';

/** A program that appends its arguments to the file that is the last of them. */
function createEditor(code: number): string {
  const file = join(scratchFolder().path, 'editor.sh');
  writeFileSync(file, `#!/bin/sh\nfor last; do :; done\nprintf ' and %s' "$1" >> "$last"\nexit ${code}\n`);
  chmodSync(file, 0o755);
  return file;
}

describe('editInProgram', () => {
  it('gives the text as the editor has saved it', async () => {
    expect(await editInProgram('one', { EDITOR: `${createEditor(0)} two` })).toBe('one and two');
    expect(await editInProgram('one', { EDITOR: 'false', VISUAL: `${createEditor(0)} three` })).toBe('one and three');
  });

  it.each<[string, () => string | undefined, string]>([
    ['fails', () => createEditor(1), 'editor.sh ended with 1; the text is unchanged.'],
    ['is missing', () => '/no/such/editor', 'Ctrl-G: there is no program /no/such/editor; EDITOR or VISUAL names it.'],
    ['is not set', () => undefined, 'Ctrl-G opens the editor in EDITOR or VISUAL, and neither is set.'],
  ])('tells why the text is unchanged when the editor %s', async (_name, create, reason) => {
    await expect(editInProgram('one', { EDITOR: create() })).rejects.toThrow(reason);
  });
});
