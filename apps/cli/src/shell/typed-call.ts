import { findNearestName } from '@bae/core';
import { toCodeName } from '@bae/core/pipeline';
import { collectNames } from '../space-outline.ts';
import { classifyText, listTools, MOVES, wrapCode, type ShellInput, type ShellPlace } from './shell-input.ts';

/** Name of a place or tool in code notation, followed by an opening bracket. */
const HEAD = /^(?:await\s+)?@?([A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*)\(/;

/**
 * Interprets a line that begins like a call in code: `source()`, `read("a.ts")`, `write("a.txt", "hello")`. Such a line
 * is a call or an explained mistake, never a question. Returns undefined for other lines.
 */
export function interpretCall(typed: string, place: ShellPlace): ShellInput | undefined {
  // A place is entered for the one call: source().read("x") is source.read("x").
  const line = typed.replace(/^((?:await\s+)?@?[\w.-]+)\(\)\.(?=[A-Za-z_][\w.-]*\()/, (whole, name: string) =>
    findCallee(name.replace(/^(?:await\s+)?@?/, ''), place)?.kind === 'space' ? `${name}.` : whole,
  );
  const [head = '', name] = HEAD.exec(line) ?? [];
  if (name === undefined) return undefined;
  const known = findCallee(name, place);
  const end = findClosing(line, head.length);
  if (end === undefined)
    return known && { kind: 'mistake', text: `the call is not closed: close its brackets and quotes, ${name}(…).` };
  const argument = line.slice(head.length, end).trim();
  const rest = line.slice(end + 1).replace(/^\s*;\s*$/, '');
  // A sentence that begins with a name and continues with words.
  if (/^\s+[\p{L}\d]/u.test(rest) || (rest !== '' && known === undefined)) return undefined;
  if (rest !== '') return wrapCode(line);
  if (known === undefined)
    return explainUnknown(name, place, argument === '' ? '' : ` To run it as code: /code ${line}`);
  if (known.kind === 'space') {
    if (argument === '') return { kind: 'tags', text: `@${known.path}()` };
    return { kind: 'mistake', text: `${name}() takes no arguments: it goes to the place ${known.path}.` };
  }
  return toTag(name, argument, place) ?? wrapCode(`${toCodePath(name)}(${writeNamed(argument)})`);
}

/**
 * Interprets several lines that begin with a call or a command, as they are pasted: each of them has to be one. Undefined
 * for other texts.
 *
 * @param interpretCommand interprets a line that begins with a slash
 */
export function interpretCalls(
  text: string,
  place: ShellPlace,
  interpretCommand: (line: string, place: ShellPlace) => ShellInput | undefined,
): ShellInput | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return undefined;
  const read = (line: string) => (line.startsWith('/') ? interpretCommand(line, place) : interpretCall(line, place));
  const inputs = lines.map((line) => read(line.trim()));
  const [first] = inputs;
  const other = inputs.findIndex((input) => input === undefined);
  if (other === -1)
    return (
      inputs.find((input) => input?.kind === 'mistake') ?? { kind: 'several', inputs: inputs as readonly ShellInput[] }
    );
  // The text of a command may go on in further lines.
  if ((first?.kind !== 'tags' && first?.kind !== 'code') || lines[0]!.startsWith('/')) return undefined;
  const problem = `nothing ran: line 1 is a call, and line ${other + 1} is none. Send them one by one, or all as code: /code …`;
  return { kind: 'mistake', text: problem };
}

/** Explains how to run `let x = read("a.ts")`, which only code can do; undefined for other lines. */
export function explainAssignment(line: string, place: ShellPlace): ShellInput | undefined {
  const [head = ''] = /^(?:const|let|var)\s[^=]*=\s*/.exec(line) ?? [];
  const kind = head === '' ? undefined : interpretCall(line.slice(head.length), place)?.kind;
  if (kind !== 'tags' && kind !== 'code') return undefined;
  return { kind: 'mistake', text: `this is code. To run it: /code ${line}` };
}

/** Returns the index of the bracket that closes the one before `from`; brackets in strings are not counted. */
function findClosing(text: string, from: number): number | undefined {
  let depth = 1;
  let quote: string | undefined;
  for (let at = from; at < text.length; at++) {
    const sign = text[at]!;
    if (quote !== undefined) {
      if (sign === '\\') at++;
      else if (sign === quote) quote = undefined;
    } else if (`"'\``.includes(sign)) quote = sign;
    else if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign) && --depth === 0) return at;
  }
  return undefined;
}

type Callee = { readonly kind: 'tool' } | { readonly kind: 'space'; readonly path: string };

function findCallee(name: string, place: ShellPlace): Callee | undefined {
  if (MOVES.includes(name)) return { kind: 'space', path: name };
  const names = name.split('.');
  const tool = names.at(-1)!;
  const path = names.slice(0, -1);
  const tools =
    path.length === 0
      ? ['help', ...listTools(place)]
      : path.join('.') === 'home'
        ? Object.keys(place.tree.home.tools)
        : Object.keys(place.tree.at(resolvePath(path, place) ?? path)?.tools ?? {});
  if (tools.some((one) => one === tool || toCodeName(one) === tool)) return { kind: 'tool' };
  const space = resolvePath(names, place);
  return space && { kind: 'space', path: space.join('.') };
}

/** Resolves a name to a path from home: root spaces first, then below this location and its ancestors. */
function resolvePath(names: readonly string[], { tree, location }: ShellPlace): readonly string[] | undefined {
  const bases = [[], ...location.map((_, index) => location.slice(0, location.length - index))];
  const base = bases.find((path) => tree.at([...path, ...names]) !== undefined);
  return base && [...base, ...names];
}

/** Bare values that are not strings. */
const LITERAL = /^(?:-?[\d.]+|true|false|null|undefined)$/;

/** Converts a call with one string, quoted or bare such as `a.ts`, to the tag that a model would write. */
function toTag(name: string, argument: string, place: ShellPlace): ShellInput | undefined {
  const isBare = /^[\w./*@-]+$/.test(argument) && !LITERAL.test(argument);
  const text = argument === '' || isBare ? argument : parseString(argument);
  // These characters are special in a tag but not in code.
  if (text === undefined || /[\s<>="']/.test(text)) return undefined;
  const input = classifyText(`<${name}:${text}>`, place);
  return input.kind === 'tags' ? input : undefined;
}

/** Named argument at the end of a call: `path: "src"`. */
const NAMED = /(?:^|,\s*)([A-Za-z_]\w*)\s*:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|-?\d[\d.]*|true|false)\s*$/;

/** Writes named arguments, as signatures show them, as the object that code needs. */
function writeNamed(argument: string): string {
  const named: string[] = [];
  let rest = argument;
  for (let match = NAMED.exec(rest); match !== null; match = NAMED.exec(rest)) {
    named.unshift(`${match[1]}: ${match[2]}`);
    rest = rest.slice(0, match.index);
  }
  if (named.length === 0) return argument;
  return [...(rest.trim() === '' ? [] : [rest]), `{ ${named.join(', ')} }`].join(', ');
}

/** Returns the value of `"…"` or `'…'`; undefined for anything else. */
function parseString(text: string): string | undefined {
  const single = /^'([^'\\]*)'$/.exec(text)?.[1];
  if (single !== undefined) return single;
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function toCodePath(name: string): string {
  return name.split('.').map(toCodeName).join('.');
}

function explainUnknown(name: string, place: ShellPlace, code: string): ShellInput {
  const { tree } = place;
  const [tool = '', ...above] = name.split('.').toReversed();
  const path = above.toReversed();
  const prefix = path.length === 0 ? '' : `${path.join('.')}.`;
  const tools = path.length === 0 ? listTools(place) : Object.keys(tree.at(path)?.tools ?? {});
  const nearTool = findNearestName(tool, tools);
  if (nearTool !== undefined)
    return { kind: 'mistake', text: `no tool '${name}'. Did you mean ${prefix}${nearTool}(…)?${code}` };
  const near =
    findNearestName(name, collectNames(tree).spaces) ?? findNearestName(path[0] ?? '', collectNames(tree).spaces);
  const hint = near === undefined ? `See what there is: nav()${code === '' ? '' : '.'}` : `Did you mean ${near}()?`;
  return { kind: 'mistake', text: `no tool or space '${name}' here. ${hint}${code}` };
}
