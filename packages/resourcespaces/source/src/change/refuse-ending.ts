import { ResourceError } from '@bae/core';
import { showPath } from '@bae/workspace';
import { complaint } from '../address/address-problem.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import { codeFileName } from '../modules/name-modules.ts';

/** Files that are no code; a module may be called after what it reads, but hardly after these. */
const DATA = /^(.+)\.(jsonc?|mdx?|yml|txt)$/s;
/** Settings that are changed by key. */
const SETTINGS = /^(?:package|(?:ts|js)config(?:\..+)?)$/;

/**
 * Refuses a new module that is called after a file: its last name is the ending of one.
 *
 * @throws ResourceError with the address that was meant
 */
export function refuseEnding(name: string, catalog: CodeCatalog): void {
  const code = codeFileName(name);
  if (code !== undefined) {
    const { stem, ending } = code;
    const isThere = (catalog.module(stem) ?? catalog.moduleMeant(stem)) !== undefined;
    const tag = isThere ? `<R:${showPath(stem)}>` : `<W:${showPath(stem)}>…</W>`;
    throw refused(name, `'${showPath(name)}' ends in .${ending}, and modules are named without ending`, [tag]);
  }
  const [, stem = '', ending = ''] = DATA.exec(name) ?? [];
  if (ending === '') return;
  const tag = ending === 'json' && SETTINGS.test(stem) ? `<source.config.R:${showPath(stem)}>` : '@home()';
  throw refused(name, `'${showPath(name)}' is the name of a file that is no code, and write makes modules`, [tag]);
}

function refused(name: string, fact: string, hints: readonly string[]): ResourceError {
  return new ResourceError(complaint({ address: name, verb: 'write' }, fact, { expected: 'a new module' }), hints);
}
