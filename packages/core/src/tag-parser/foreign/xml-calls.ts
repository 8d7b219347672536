import { matchAt, skipSpace } from '../characters.ts';
import type { TagNames } from '../names.ts';
import { canHaveBody } from '../tag.ts';
import { parseJsonObject } from './json-calls.ts';
import { isForeignName, resolveForeignName, type NamedCall } from './translate-call.ts';

/** A place in a text: an offset, and the number of its line, from 1. */
export interface TextPlace {
  readonly text: string;
  readonly at: number;
  readonly line: number;
}

/** A call that was read, and the offset behind it. */
export interface ReadCall {
  readonly call: NamedCall;
  readonly end: number;
}

/** Finds a closing tag from an offset on; -1 when there is none. */
export type FindClosing = (closing: string, from: number) => number;

/** How the arguments of one element are written. */
interface ArgumentSyntax {
  /** Matches what opens an argument at an offset; its first group is the name. */
  readonly open: RegExp;
  /** What closes the argument of a name. */
  readonly close: (name: string) => string;
  /** The tag behind the last argument. */
  readonly end: string;
}

const INVOKE = /<((?:[\w-]+:)?)invoke\s+name\s*=\s*["']([^"'<>]+)["']\s*>/y;
const FUNCTION = /<function=([\w.:-]+)>/y;
const ELEMENT = /<([A-Za-z_][\w.-]*)>/y;
const EMPTY_ELEMENT = /<([A-Za-z_][\w.-]*)((?:\s+[A-Za-z_][\w-]*\s*=\s*(?:"[^"\n]*"|'[^'\n]*'))+)\s*(\/?)>/y;
const ATTRIBUTE = /([A-Za-z_][\w-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const KEY_AND_VALUE = /([\w.-]+)\s*<arg_key>/y;

const PARAMETERS: ArgumentSyntax = {
  open: /<parameter=([\w.-]+)>/y,
  close: () => '</parameter>',
  end: '</function>',
};
const CHILDREN: Omit<ArgumentSyntax, 'end'> = { open: ELEMENT, close: (name) => `</${name}>` };
const PAIRS: Omit<ArgumentSyntax, 'end'> = {
  open: /<arg_key>\s*([\w.-]+)\s*<\/arg_key>\s*<arg_value>/y,
  close: () => '</arg_value>',
};

const ENTITIES = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Closing tags inside one value: more of them make the element broken, so that every text is read in linear time. */
const MOST_TRIES = 200;

/** Names of arguments that an element of one of the five verbs may have; any other makes it markup. */
const ARGUMENT_NAMES =
  'target|path|file_?path|file|filename|pattern|query|regex|search|replace|content|contents|text|file_text|diff|old|new|(?:old|new)_(?:string|str|text)|offset|limit|start_line|end_line|recursive|line|page|all|max|args?|include|file_pattern|line_count|directory|dir_path|uri';
const VERB_ARGUMENTS = new RegExp(`^(?:${ARGUMENT_NAMES})$`, 'i');
const ARGUMENT_ELEMENTS = new RegExp(`<(?:${ARGUMENT_NAMES})>`, 'gi');

/** Reads `<invoke name="read"><parameter name="path">a.ts</parameter></invoke>` at an offset. */
export function readInvoke({ text, at, line }: TextPlace): ReadCall | undefined {
  const opening = matchAt(INVOKE, text, at);
  if (!opening) return undefined;
  const prefix = opening[1]!;
  const syntax: ArgumentSyntax = {
    open: new RegExp(`<${prefix}parameter\\s+name\\s*=\\s*["']([^"'<>]+)["'][^<>\\n]*>`, 'y'),
    close: () => `</${prefix}parameter>`,
    end: `</${prefix}invoke>`,
  };
  return readArguments({ text, at: at + opening[0].length, line }, opening[2]!, syntax);
}

/** Reads `<function=read>{"path":"a.ts"}</function>`, or the same with `<parameter=path>a.ts</parameter>`. */
export function readFunctionElement({ text, at, line }: TextPlace): ReadCall | undefined {
  const opening = matchAt(FUNCTION, text, at);
  if (!opening) return undefined;
  const start = at + opening[0].length;
  const call = { name: opening[1]!, line };
  const withParameters = readArguments({ text, at: start, line }, call.name, PARAMETERS);
  if (withParameters) return withParameters;
  const close = text.indexOf('</function>', start);
  const args = close === -1 ? undefined : parseJsonObject(text.slice(start, close));
  return args && { call: { ...call, args }, end: close + '</function>'.length };
}

/** Reads `read<arg_key>path</arg_key><arg_value>a.ts</arg_value>`, up to a closing tag. */
export function readKeysAndValues({ text, at, line }: TextPlace, end: string): ReadCall | undefined {
  const opening = matchAt(KEY_AND_VALUE, text, at);
  if (!opening) return undefined;
  const name = opening[1]!;
  return readArguments({ text, at: at + opening[0].length - '<arg_key>'.length, line }, name, { ...PAIRS, end });
}

/** What the line of an element is: a call in one element, or the start of one over several lines. */
export type ElementStart = 'attributes' | 'children';

/** Reads whether a line, without the blanks around it, begins with an element that has the name of a tool. */
export function classifyElement(line: string, names: TagNames): ElementStart | undefined {
  const name = (matchAt(ELEMENT, line, 0) ?? matchAt(EMPTY_ELEMENT, line, 0))?.[1];
  if (name === undefined || name.length < 3 || !isToolName(name, names)) return undefined;
  return line.charAt(name.length + 1) === '>' ? 'children' : 'attributes';
}

/** Reads `<read path="a.ts"/>`, or `<write path="a.ts">text</write>`, at an offset. */
export function readElementWithAttributes(
  { text, at, line }: TextPlace,
  names: TagNames,
  findClosing: FindClosing,
): ReadCall | undefined {
  const opening = matchAt(EMPTY_ELEMENT, text, at);
  if (!opening || !isToolName(opening[1]!, names)) return undefined;
  const [whole, name = '', attributes = '', slash] = opening;
  const args: [string, unknown][] = Array.from(attributes.matchAll(ATTRIBUTE), ([, key, double, single]) => [
    key!,
    unescapeXml(double ?? single ?? ''),
  ]);
  let end = at + whole.length;
  let isBlock = false;
  if (slash === '') {
    const closing = `</${name}>`;
    const verb = resolveForeignName(name, names)?.verb ?? '';
    const close = canHaveBody(verb) ? findClosing(closing, end) : text.startsWith(closing, end) ? end : -1;
    if (close !== -1) {
      const content = trimOuterBreaks(text.slice(end, close));
      if (content.text.trim() !== '') args.push(['content', content.text]);
      isBlock = content.isBlock;
      end = close + closing.length;
    } else if (verb === 'write') return undefined;
  }
  return isPlausible(name, args, names)
    ? { call: { name, args: Object.fromEntries(args), block: isBlock, line }, end }
    : undefined;
}

/** Reads `<read><path>a.ts</path></read>` at an offset. */
export function readElementWithChildren({ text, at, line }: TextPlace, names: TagNames): ReadCall | undefined {
  const opening = matchAt(ELEMENT, text, at);
  if (!opening) return undefined;
  const name = opening[1]!;
  const result = readArguments({ text, at: at + opening[0].length, line }, name, { ...CHILDREN, end: `</${name}>` });
  if (!result) return undefined;
  // Some dialects have all arguments in one more element.
  const [[key, value] = [], ...others] = Object.entries(result.call.args);
  const inner =
    others.length === 0 && /^(?:args?|arguments|parameters)$/.test(key ?? '')
      ? readArguments({ text: `${String(value)}</args>`, at: 0, line }, name, { ...CHILDREN, end: '</args>' })
      : undefined;
  const { call } = inner ?? result;
  return isPlausible(name, Object.entries(call.args), names) ? { call, end: result.end } : undefined;
}

/**
 * Reads arguments up to the tag that ends their element; undefined when something else stands between them.
 *
 * A value is taken as it is. It ends at the first closing tag of its name that another argument or the end of the
 * element follows, so that it may hold such a tag itself.
 */
function readArguments(
  { text, at: from, line }: TextPlace,
  name: string,
  { open, close, end }: ArgumentSyntax,
): ReadCall | undefined {
  const args: [string, unknown][] = [];
  let isBlock = false;
  let at = skipSpace(text, from);
  while (!text.startsWith(end, at)) {
    const opening = matchAt(open, text, at);
    if (!opening) return undefined;
    const start = at + opening[0].length;
    const closing = close(opening[1]!);
    let closeAt = text.indexOf(closing, start);
    for (let tries = 1; closeAt !== -1; tries++) {
      at = skipSpace(text, closeAt + closing.length);
      if (text.startsWith(end, at) || matchAt(open, text, at)) break;
      closeAt = tries < MOST_TRIES ? text.indexOf(closing, closeAt + 1) : -1;
    }
    if (closeAt === -1) return undefined;
    const value = trimOuterBreaks(text.slice(start, closeAt));
    isBlock ||= value.isBlock;
    args.push([opening[1]!, value.text]);
  }
  return { call: { name, line, args: Object.fromEntries(args), block: isBlock }, end: at + end.length };
}

/** Takes away the line breaks that only set a value apart from the tags around it. */
function trimOuterBreaks(value: string): { readonly text: string; readonly isBlock: boolean } {
  const isBlock = /^\r?\n[^]*\n[ \t]*$/.test(value);
  return { text: isBlock ? value.replace(/^\r?\n/, '').replace(/\r?\n[ \t]*$/, '') : value, isBlock };
}

/** Offset of the last element of a text that may be an argument of a call; -1 when there is none. */
export function findLastArgument(text: string): number {
  let last = -1;
  for (const { index } of text.matchAll(ARGUMENT_ELEMENTS)) last = index;
  return last;
}

function isToolName(name: string, names: TagNames): boolean {
  if (!isForeignName(name, names)) return false;
  const verb = resolveForeignName(name, names)?.verb;
  return verb !== name.toLowerCase() || name === verb || name === verb.charAt(0).toUpperCase() + verb.slice(1);
}

/** False for markup that has the name of a tool by chance. */
function isPlausible(name: string, args: readonly (readonly [string, unknown])[], names: TagNames): boolean {
  const verb = resolveForeignName(name, names)?.verb;
  const isVerb = verb === undefined || ['read', 'write', 'edit', 'glob', 'grep'].includes(verb);
  return args.length > 0 && (!isVerb || args.every(([key]) => VERB_ARGUMENTS.test(key)));
}

function unescapeXml(value: string): string {
  return value.replaceAll(/&(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/gi, (entity) => {
    const name = entity.slice(1, -1).toLowerCase();
    const point = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return ENTITIES.get(name) ?? (point <= 0x10_ff_ff ? String.fromCodePoint(point) : entity);
  });
}
