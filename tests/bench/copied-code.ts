import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import type { MeasuredCode } from './measured-code.ts';

const MODULES = '**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}';
const NOT_COPIED = new Set(['.git', 'node_modules']);

/** A copy of a project, so that nothing is changed in the project itself. */
export async function copiedCode(project: string): Promise<MeasuredCode> {
  const folder = mkdtempSync(join(tmpdir(), 'bae-bench-copy-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    cpSync(project, folder, { recursive: true, filter: (path) => !NOT_COPIED.has(basename(path)) });
    const files = await new WorkspaceRoot(folder).stamps({ pattern: MODULES, stamped: () => false });
    const paths = [...files.keys()].filter((path) => !/\.d(?:\.[^./]+)?\.[cm]?ts$/.test(path)).toSorted();
    if (paths.length === 0) throw new Error(`${project} has no modules`);
    return { folder, paths, [Symbol.dispose]: remove };
  } catch (error) {
    remove();
    throw error;
  }
}
