import { dirname, join } from 'node:path';
import type { FoundSymbol, TypeQuery } from './compiler-session.ts';
import type { FilePosition } from './language-protocol.ts';

/** `module.exports = X`, `module.exports = class X`, `exports = module.exports = function X`. */
const WHOLE =
  /\bmodule\s*\.\s*exports\s*=\s*(?:(?:async\s+)?(?:class|function\s*\*?)\s+)?([\p{ID_Start}$_][\p{ID_Continue}$]*)/gu;
const REQUIRED = /([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*=\s*require\s*\(\s*(['"])(\.[^'"]*)\2\s*\)/gu;

/** True when a module is this symbol as a whole: whoever requires it may give it any name. */
export async function isWholeModule({ texts }: Pick<TypeQuery, 'texts'>, { name, at }: FoundSymbol): Promise<boolean> {
  const { text } = await texts.get(at.file);
  return [...text.matchAll(WHOLE)].some(([, exported]) => exported === name);
}

/**
 * The places where what a CommonJS module is as a whole is used, each under the name that its module gives it:
 * `Koa` of `const Koa = require('../..')`. The compiler says which module is required.
 */
export async function findModuleUses(
  { session, files, texts, signal }: TypeQuery,
  { at }: FoundSymbol,
): Promise<readonly FilePosition[]> {
  const found: FilePosition[] = [];
  /** Whether a path without links is that of the module, by what is required and from where. */
  const known = new Map<string, boolean>();
  for (const file of await files.mentioning('require', signal)) {
    const { text, lines } = await texts.get(file);
    for (const match of text.matchAll(REQUIRED)) {
      const [whole, name = '', quote = '', specifier = ''] = match;
      const path = join(dirname(file), specifier);
      const inside = match.index + whole.indexOf(quote) + 1;
      const isIt =
        known.get(path) ??
        (await session.definitions({ file, position: lines.positionAt(inside) }, signal)).some(
          (place) => place.file === at.file,
        );
      known.set(path, isIt);
      if (!isIt) continue;
      const position = lines.positionAt(match.index + whole.indexOf(name));
      found.push(...(await session.references({ file, position }, signal)));
    }
  }
  return found;
}
