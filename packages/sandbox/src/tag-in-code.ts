import { codeName } from '@bae/core/pipeline';
import { MOVES } from './call-table.ts';
import { codeMember, codePath } from './code-path.ts';
import type { KnownNames } from './missing-name.ts';

/** A line that is a tag, or begins with one, as far as it can be told from code. */
const TAG = /^\s*<([A-Za-z][\w.-]*)(:[^<>]*)?>/;
/** Tools that have tags of their own, by letter or by name, in any case. */
const LETTERS: Readonly<Record<string, string>> = { r: 'read', w: 'write', e: 'edit', g: 'glob' };
const VERBS = new Set([...Object.values(LETTERS), 'grep']);

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
  const at = tag.lastIndexOf('.');
  const name = toolOf(tag.slice(at + 1));
  const meant = spaces.find((space) => space.name === (argument === '' ? tag : argument));
  if (meant !== undefined && (argument === '' || name === 'read')) return `${codePath(meant.name)}()`;
  if (MOVES.includes(name) && argument === '') return `${name}()`;
  const [place] = at === -1 ? [] : spaces.filter((space) => space.name === tag.slice(0, at));
  const written = place === undefined ? codeName(name) : codePath(place.name) + codeMember(name);
  const tools = (place === undefined ? spaces : [place]).flatMap((space) => space.tools);
  const specs = tools.filter((tool) => tool.name === name);
  const isPlace = spaces.some((space) => codeName(space.name) === written);
  const isKnown = place !== undefined || (at === -1 && names.includes(written) && !isPlace);
  if (!isKnown || (place !== undefined && specs.length === 0)) return undefined;
  if (argument === '' || isSplit(name, argument)) return `${written}(…)`;
  const hasBody = specs.some(({ params }) => params.some(({ body }) => body));
  return `${written}(${JSON.stringify(argument)}${hasBody ? ', …' : ''})`;
}

function toolOf(tag: string): string {
  const lower = tag.toLowerCase();
  return LETTERS[lower] ?? (VERBS.has(lower) ? lower : tag);
}

/** True for what may be more than one argument: text in quotes, keywords, a pattern and where to look for it. */
function isSplit(name: string, argument: string): boolean {
  return /["'=]/.test(argument) || (name === 'grep' && /\s/.test(argument));
}
