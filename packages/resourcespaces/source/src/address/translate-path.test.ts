import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import { makeFileWords } from './translate-path.ts';

async function words() {
  const index = new ModuleIndex(new WorkspaceRoot(temporaryFolder({ 'lib/a.ts': '', 'notes.md': '' })));
  return makeFileWords(await index.catalog());
}

describe('the name and the tags of a file', () => {
  it.each([
    ['lib/a.ts', 'lib.a', '<R:lib.a>', '<W:lib.a>…</W>'],
    ['lib/gone.ts', 'lib.gone', '<R:lib.gone>', '<W:lib.gone>…</W>'],
    ['notes.md', 'notes.md', '@home()', '@home()'],
    ['a\nb.md', 'a\\x0ab.md', '@home()', '@home()'],
  ])('of %j are those of its module, if it is one', async (path, name, read, write) => {
    const { nameOf, tagOf } = await words();
    expect([nameOf(path), tagOf('R', path), tagOf('W', path)]).toEqual([name, read, write]);
  });
});
