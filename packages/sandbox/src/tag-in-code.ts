import { codeName } from '@bae/core/pipeline';
import { codePath } from './code-path.ts';
import type { KnownNames } from './missing-name.ts';

/** A line that is a tag, or begins with one, as far as it can be told from code. */
const TAG = /^\s*<([A-Za-z][\w.-]*)(:[^<>]*)?>/;
/** Tools that have a tag with a letter. */
const LETTERS: Readonly<Record<string, string>> = { r: 'read', w: 'write', e: 'edit', g: 'glob' };
const MOVES = new Set(['home', 'back', 'up', 'nav']);

/**
 * What to write in place of a tag, where code with one could not be read; undefined when there is none.
 *
 * @param line where it could not be read, from 1: the tag is there, or nothing stands between the two
 */
export function tagInCode(code: string, line: number, known: KnownNames): string | undefined {
  const last =
    code
      .split('\n')
      .slice(0, line)
      .findLast((one) => one.trim() !== '') ?? '';
  const [, tag, rest] = TAG.exec(last.slice(0, 500)) ?? [];
  if (tag === undefined) return undefined;
  const call = callFor(tag, rest?.slice(1).trim() ?? '', known);
  if (call !== undefined) return `Tags do not work in code: write await ${call}`;
  return rest === undefined ? undefined : 'Tags do not work in code: write them outside of the run block.';
}

function callFor(tag: string, argument: string, { names, spaces }: KnownNames): string | undefined {
  const place = spaces.find(({ name }) => name === (argument === '' ? tag : argument));
  const name = codeName(LETTERS[tag.toLowerCase()] ?? (tag.toLowerCase() === 'grep' ? 'grep' : tag));
  if (place !== undefined && (argument === '' || name === 'read')) return `${codePath(place.name)}()`;
  if (MOVES.has(name) && argument === '') return `${name}()`;
  if (!names.includes(name)) return undefined;
  if (argument === '' || isSplit(name, argument)) return `${name}(…)`;
  const specs = spaces.flatMap(({ tools }) => tools).filter((tool) => codeName(tool.name) === name);
  const hasBody = specs.some(({ params }) => params.some(({ body }) => body));
  return `${name}(${JSON.stringify(argument)}${hasBody ? ', …' : ''})`;
}

/** True for what may be more than one argument: text in quotes, keywords, a pattern and where to look for it. */
function isSplit(name: string, argument: string): boolean {
  return /["'=]/.test(argument) || (name === 'grep' && /\s/.test(argument));
}
