import { BaeError, ParameterError, type ToolContext } from '@bae/core';
import { parseGlob } from '@bae/workspace';
import { splitCommand } from '../command-words.ts';
import type { Script } from './script.ts';

/** A command of a script that runs alone. */
export interface ScriptPart {
  /** 1 for the first. */
  readonly number: number;
  /** As it is written in the script. */
  readonly text: string;
  readonly words: readonly [string, ...string[]];
}

/** Words of a shell by which a command decides how those after it run, or that belong to a longer construct. */
const LASTING = new Set(
  '. ! alias case cd do done elif else esac eval exec exit export fi for function if popd pushd read return set shift source then trap ulimit umask unalias unset until while'.split(
    ' ',
  ),
);

/**
 * Splits a script into the commands that `&&` joins, if each of them can run alone: without any other syntax of a shell,
 * and without one like `cd` that the others depend on. Returns none for everything else.
 */
export function splitIntoParts(text: string): readonly string[] {
  const found = [...text.matchAll(PART)];
  const isWhole = found.map(([part]) => part).join('') === text;
  const parts = found.map(([, part = '']) => part.trim());
  return isWhole && parts.length > 1 && parts.every(canRunAlone) ? parts : [];
}

/** Matches a command with the operator behind it; an operator in quotes is a part of the command. */
const PART = /((?:'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|[^&'"\\])+)(?:&&|$)/gy;

function canRunAlone(text: string): boolean {
  const program = readPartWords(text)?.find((word) => !VARIABLE.test(word));
  return program !== undefined && !LASTING.has(program);
}

const VARIABLE = /^\w+=/;

/** Matches the variables before the program of a command. */
const VARIABLES = /^(?:\w+=(?:'[^']*'|"[^"]*"|[^\s'"])*\s+)+/;

/** Reads the words of a command; undefined if a shell would read more in it than words. */
function readPartWords(text: string): readonly [string, ...string[]] | undefined {
  try {
    const [first, ...others] = splitCommand(text, '');
    // The rest would be a comment.
    return first === undefined || [first, ...others].some((word) => word.startsWith('#'))
      ? undefined
      : [first, ...others];
  } catch (error) {
    if (BaeError.is(error)) return undefined;
    throw error;
  }
}

/**
 * Finds a part of a script by its number, its text or its first words.
 *
 * @throws ParameterError if the script has no parts, or not this one
 */
export function findPart(script: Script, wanted: string): ScriptPart {
  const { name, parts = [], matched = [] } = script;
  const found = parts.flatMap((text, index) => {
    const begins = [text, text.replace(VARIABLES, '')].some((one) => `${one} `.startsWith(`${wanted} `));
    const isMeant = wanted === String(index + 1) || begins;
    return isMeant ? [{ number: index + 1, text, words: readPartWords(text)! }] : [];
  });
  const [part] = found;
  if (part !== undefined && (found.length === 1 || part.text === wanted)) return part;
  if (parts.length === 0) {
    const fact = `'${name}' has no parts that can run alone: it is not a list of commands joined by && and nothing else.`;
    throw new ParameterError(
      fact,
      [...matched.slice(0, 3), name].map((one) => `<run_script:${one}>`),
    );
  }
  const fact = found.length > 1 ? `several parts of '${name}' begin with` : `'${name}' has no part`;
  throw new ParameterError(`${fact} '${wanted}'. Parts: ${renderParts(parts)}.`, [
    `<run_script:${name} part=${part?.number ?? 1}>`,
  ]);
}

/**
 * Finds what the words behind a target of make are for. Make reads them itself: other targets and variables are meant
 * for it, everything else for the command of the target, which make would never pass on, and `-q` would run nothing.
 *
 * @returns the command of the target, which gets the words; undefined if make gets them
 * @throws ParameterError if the words are for a command that cannot run alone
 */
export function findPartOfWords(
  { name, command, line, steps }: Script,
  words: readonly string[],
  targets: readonly string[],
): ScriptPart | undefined {
  const others = words.filter((word) => !targets.includes(word) && !FOR_MAKE.test(word));
  if (command[0] !== 'make' || others.length === 0) return undefined;
  const own = line === undefined || line.includes('$') || !canRunAlone(line) ? undefined : readPartWords(line);
  if (own !== undefined) return { number: 1, text: line!, words: own };
  const runs = (steps[0]?.text ?? '').slice(0, MOST_SHOWN);
  const fact = `make reads what follows '${name}' itself and gives it to no command`;
  throw new ParameterError(`${fact}: ${others.join(' ')}. '${name}' runs ${runs}`, [`<run_script:${name}>`]);
}

/** Matches variables that are set for make, and how many jobs it runs. */
const FOR_MAKE = /^(?:[A-Za-z_]\w*[:+?]?=|-j\d*$)/;

/** Length of the longest text of a target that an error shows, in characters. */
const MOST_SHOWN = 120;

/** Returns true for a path, or a name of a test, that is sent as the part of a script without parts: an argument is meant. */
export function isArgumentOf({ parts = [], matched = [] }: Script, wanted: string): boolean {
  return parts.length === 0 && matched.length === 0 && /^[\w:@-]*[./][\w./:@-]*$|^[\w.-]+::/.test(wanted);
}

/** Renders `1 xo, 2 ava`. */
function renderParts(parts: readonly string[]): string {
  return parts.map((text, index) => `${index + 1} ${text}`).join(', ');
}

/** Says which parts a script has, and which others it runs by a pattern, as they stand behind it in a list. */
export function describeParts({ parts = [], matched = [] }: Script): string {
  return [
    ...(parts.length === 0 ? [] : [`, parts 1-${parts.length}`]),
    ...(matched.length === 0 ? [] : [`, runs ${matched.join(', ')}`]),
  ].join('');
}

/** Says how one part of a script is run, if one has parts. */
export function describeFirstPart(
  scripts: readonly Script[],
  tag: ToolContext['tag'] = (text) => text,
): readonly string[] {
  const split = scripts.find(({ parts }) => parts !== undefined);
  return split === undefined ? [] : [`One part of ${split.name} alone: ${tag(`<run_script:${split.name} part=1>`)}.`];
}

/** Programs that run scripts whose names match the patterns among their arguments. */
const PATTERN_RUNNERS = /^(?:npm-run-all2?|run-[sp])$/;

/** Matches a command up to the next operator of a shell that is not in quotes. */
const COMMAND = /(?:'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|[^&|;'"\\\n])+/g;

/** Lists the scripts that a script runs by patterns: `pnpm run "/^test:/"`, `run-s test:*`, `concurrently npm:test:*`. */
export async function listMatched(text: string, names: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const [command] of text.matchAll(COMMAND)) {
    const words = readPartWords(command) ?? [''];
    const at = words.findIndex((word) => !/^(?:\w+=.*|npx|pnpx|exec|-.*)$/.test(word));
    const [program = '', ...args] = words.slice(at);
    for (const arg of args) {
      const matches = await readPattern(program, arg);
      for (const name of matches === undefined ? [] : names.filter(matches)) found.add(name);
    }
  }
  return [...found];
}

/** Reads a pattern of names of scripts in the way of the program that is given it; undefined for everything else. */
async function readPattern(program: string, arg: string): Promise<((name: string) => boolean) | undefined> {
  // Words behind the name are for the script.
  const [first = ''] = arg.split(' ', 1);
  if (program === 'pnpm') return readExpression(first);
  const glob = PATTERN_RUNNERS.test(program)
    ? first
    : program === 'concurrently'
      ? /^(?:npm|pnpm|yarn|bun|node):(.+)$/.exec(first)?.[1]?.replaceAll('*', '**')
      : undefined;
  if (glob === undefined || !/[*{]/.test(glob) || /^[-/]|\.\./.test(glob)) return undefined;
  // A colon separates the parts of these names as a slash does those of a path.
  const parsed = await parseGlob(glob.replaceAll(':', '/')).catch(() => undefined);
  if (parsed === undefined) return undefined;
  const { base, matches } = parsed;
  const prefix = base === '' ? '' : `${base}/`;
  return (name) => {
    const path = name.replaceAll(':', '/');
    return path.startsWith(prefix) && matches(path.slice(prefix.length));
  };
}

/** Reads an expression between slashes, if it is a simple one, which takes no time to speak of: `/^test:/`. */
function readExpression(word: string): ((name: string) => boolean) | undefined {
  const [, source] = /^\/(\^?[\w:-]*(?:\([\w:|-]*\))?[\w:-]*(?:\.[*+])?[\w:-]*\$?)\/$/.exec(word) ?? [];
  if (source === undefined || source === '') return undefined;
  const expression = new RegExp(source);
  return (name) => expression.test(name);
}
