import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getWorkspace, provideWorkspace } from '@bae/workspace';
import { templateSpace } from './template-space.js';

/** The space in a folder of its own, with one note. */
export function inNewFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'template-'));
  mkdirSync(join(folder, 'template'));
  writeFileSync(join(folder, 'template/oslo.md'), 'Snow since Monday.\nNo wind.\n');
  const files = provideWorkspace(folder);
  const space = templateSpace(getWorkspace(new Map([[files.token, files.value]])), 'template');
  return { space, provide: [files], dispose: () => rmSync(folder, { recursive: true }) };
}

/** How the contract makes a space, always with the same content, and the samples for its tests. */
export const contract = {
  create: inNewFolder,
  samples: { existing: 'oslo', missing: 'bergen', grep: { matches: 'snow', misses: 'sun' } },
};

// `bae conformance` looks for it under the name of the space.
export { contract as template };
