import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder for a space to work in, and how to remove it with all that is in it then. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'bae-')));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
