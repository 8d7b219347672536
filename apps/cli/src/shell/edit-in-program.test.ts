import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../test/scratch-folder.ts';
import { editInProgram } from './edit-in-program.ts';

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

  it('gives nothing when the editor fails, is missing, or is not set', async () => {
    expect(await editInProgram('one', { EDITOR: createEditor(1) })).toBeUndefined();
    await expect(editInProgram('one', { EDITOR: '/no/such/editor' })).rejects.toThrow('ENOENT');
    expect(await editInProgram('one', {})).toBeUndefined();
  });
});
