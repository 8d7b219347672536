import { VERBS } from '../../protocol/verbs.ts';
import { NAMED_CHARACTERS } from '../../text-size/text-size.ts';
import { matchAt, skipSpace } from '../characters.ts';
import type { TagNames } from '../names.ts';
import { canHaveBody, type Tag } from '../tag.ts';
import { parseJsonObject } from './json-calls.ts';
import { isForeignName, resolveForeignName, type BlockStart, type NamedCall } from './translate-call.ts';

type ElementContext = Pick<BlockStart, 'names' | 'findClosing'>;

/** Call that was read, with the offset after it. */
export interface ReadCall extends NamedCall {
  readonly end: number;
}

interface ArgumentSyntax {
  /** Matches the opening of an argument at an offset; its first group is the name. */
  readonly open: RegExp;
  /** Returns the tag that closes an argument of a given name. */
  readonly close: (name: string) => string;
  /** Tag after the last argument. */
  readonly end: string;
  /** Finds a closing tag. Default: a plain search in the text. */
  readonly findClosing?: BlockStart['findClosing'];
}

const INVOKE = /<((?:[\w-]+:|[|｜]{1,2}DSML[|｜]{1,2})?)invoke\s+name\s*=\s*["']([^"'<>]+)["']\s*>/y;
const FUNCTION = /<function=([\w.:-]+)>/y;
const ELEMENT = /<([A-Za-z_][\w.-]*)>/y;
const EMPTY_ELEMENT = /<([A-Za-z_][\w.-]*)((?:\s+[A-Za-z_][\w-]*\s*=\s*(?:"[^"\n]*"|'[^'\n]*'))+)\s*(\/?)>/y;
/** Matches each attribute of an opening tag. */
export const ATTRIBUTE = /([A-Za-z_][\w-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const KEY_AND_VALUE = /([\w.-]+)\s*(?=<arg_key>)/y;

const PARAMETER = /<parameter=([\w.-]+)>/y;
const PAIR = /<arg_key>\s*([\w.-]+)\s*<\/arg_key>\s*<arg_value>/y;

/** Temporary name of the arguments of several calls: no element has this name. */
const EACH = '';

/**
 * Maximum number of closing tags tried for one value, above which the element is broken: this way, every text is read
 * in linear time.
 */
const MOST_TRIES = 200;

/** Names of arguments that an element of one of the five verbs may have; with any other, it is markup. */
const ARGUMENT_NAMES =
  'target|path|file_?path|file|filename|pattern|query|regex|search|replace|content|contents|text|file_text|diff|old|new|(?:old|new)_(?:string|str|text)|offset|limit|start_line|end_line|recursive|line|page|all|max|args?|include|file_pattern|line_count|line_range|lines|files?|directory|dir_path|uri';
const VERB_ARGUMENTS = new RegExp(`^(?:${ARGUMENT_NAMES})$`, 'i');
const ARGUMENT_ELEMENTS = new RegExp(`<(?:${ARGUMENT_NAMES})>`, 'gi');

/** Reads `<invoke name="read"><parameter name="path">a.ts</parameter></invoke>` at an offset. */
export function readInvoke(text: string, at: number): ReadCall | undefined {
  const opening = matchAt(INVOKE, text, at);
  if (!opening) return undefined;
  const [, prefix = ''] = opening;
  return readArguments(text, opening, {
    open: new RegExp(`<${prefix.replaceAll('|', '\\|')}parameter\\s+name\\s*=\\s*["']([^"'<>]+)["'][^<>\\n]*>`, 'y'),
    close: () => `</${prefix}parameter>`,
    end: `</${prefix}invoke>`,
  });
}

/** Reads `<function=read>{"path":"a.ts"}</function>`, or the same with `<parameter=path>a.ts</parameter>`. */
export function readFunctionElement(text: string, at: number): ReadCall | undefined {
  const opening = matchAt(FUNCTION, text, at);
  if (!opening) return undefined;
  const [whole, name = ''] = opening;
  const end = '</function>';
  const call = readArguments(text, opening, { open: PARAMETER, close: () => '</parameter>', end });
  const close = call ? -1 : text.indexOf(end, at);
  const args = close === -1 ? undefined : parseJsonObject(text.slice(at + whole.length, close));
  return call ?? (args && { name, args, at, end: close + end.length });
}

/** Reads `read<arg_key>path</arg_key><arg_value>a.ts</arg_value>`, up to a closing tag. */
export function readKeysAndValues(text: string, at: number, end: string): ReadCall | undefined {
  const opening = matchAt(KEY_AND_VALUE, text, at);
  return opening ? readArguments(text, opening, { open: PAIR, close: () => '</arg_value>', end }) : undefined;
}

/** A line that is a name in angle brackets: `<git.diff>`, `<git.diff/>`, `<R>`. */
const BARE_NAME = /^<((?:[\w-]+\.)*([\w-]+))\s*\/?>$/;

/** Reads a line that is only the name of a tool in angle brackets, `<check>`: a tag without its colon, or an element. */
export function readBareName(line: string, names: TagNames): Tag | undefined {
  const [, written = '', name = ''] = BARE_NAME.exec(line) ?? [];
  const found = names.resolve(name) && names.resolve(written);
  return found && { ...found, written, arg: '', text: line, isSelfClosed: false };
}

/**
 * Returns true for the name of a place and its tool, and for that of `<R:>`: without its end, markup never has such a
 * name, so that only a colon is missing.
 */
export function isNeverElement({ written }: Tag): boolean {
  return written.includes('.') || written === 'R';
}

/** Returns true if a line, without surrounding blanks, begins with an element that has the name of a tool. */
export function beginsWithElement(line: string, names: TagNames): boolean {
  const name = matchAt(ELEMENT, line, 0)?.[1];
  // Shorter names are elements, or types in code; `<R>` alone on its line is how a folder is listed.
  if (name !== undefined) return line === '<R>' || (name.length >= 3 && isToolName(name, names));
  const withAttributes = matchAt(EMPTY_ELEMENT, line, 0)?.[1];
  return withAttributes !== undefined && isToolName(withAttributes, names);
}

/** Reads `<read path="a.ts"/>`, or `<write path="a.ts">text</write>`, at an offset. */
export function readElementWithAttributes(
  text: string,
  at: number,
  { names, findClosing }: ElementContext,
): ReadCall | undefined {
  const opening = matchAt(EMPTY_ELEMENT, text, at);
  if (!opening || !isToolName(opening[1]!, names)) return undefined;
  const [whole, name = '', attributes = '', slash] = opening;
  const args: [string, unknown][] = Array.from(attributes.matchAll(ATTRIBUTE), ([, key, double, single]) => [
    key!,
    unescapeXml(double ?? single ?? ''),
  ]);
  let end = at + whole.length;
  let block = false;
  let body: string | undefined;
  if (slash === '') {
    const closing = `</${name}>`;
    const verb = resolveForeignName(name, names)?.verb ?? '';
    const close = canHaveBody(verb) ? findClosing(closing, end) : text.startsWith(closing, end) ? end : -1;
    if (close !== -1) {
      const content = trimOuterBreaks(text.slice(end, close));
      const isVerb = (VERBS as readonly string[]).includes(verb);
      // The router knows whether the text of a custom tool is one, or its arguments as JSON.
      if (content.text.trim() !== '' && isVerb) args.push(['content', content.text]);
      else if (content.text.trim() !== '') body = content.text;
      block = content.isBlock;
      end = close + closing.length;
    } else if (verb === 'write') return undefined;
  }
  const call = { name, args: Object.fromEntries(args), ...(body !== undefined && { body }), block, at, end };
  return isPlausible(call, names) ? call : undefined;
}

/** Reads `<read><path>a.ts</path></read>`, `<read>{"path": "a.ts"}</read>`, or `<echo>text</echo>`, at an offset. */
export function readElementWithChildren(
  text: string,
  at: number,
  { names, findClosing }: ElementContext,
): ReadCall | undefined {
  const opening = matchAt(ELEMENT, text, at);
  if (!opening) return undefined;
  const json = readJsonElement(text, opening, { names, findClosing });
  if (json !== undefined) return json;
  const children = { open: ELEMENT, close: (key: string) => `</${key}>` };
  const call = readArguments(text, opening, { ...children, end: `</${opening[1]!}>`, findClosing });
  const result = call && { ...call, args: unwrapArguments(call.args) };
  if (result !== undefined) return isPlausible(result, names) ? result : undefined;
  return readTextElement(text, opening, { names, findClosing });
}

/** Reads `<echo>some text</echo>`, where the name is that of a tool and not of a verb, which may be markup. */
function readTextElement(
  text: string,
  opening: RegExpExecArray,
  { names, findClosing }: ElementContext,
): ReadCall | undefined {
  const [whole, name = ''] = opening;
  const verb = names.resolve(name)?.verb;
  if (verb === undefined || (VERBS as readonly string[]).includes(verb) || !isToolName(name, names)) return undefined;
  const from = opening.index + whole.length;
  const closing = `</${name}>`;
  const close = findClosing(closing, from);
  if (close === -1) return undefined;
  const { text: body, isBlock } = trimOuterBreaks(text.slice(from, close));
  if (body.trim() === '') return undefined;
  return { name, args: {}, body, block: isBlock, at: opening.index, end: close + closing.length };
}

/** Reads an element whose children are elements without attributes: `<args><path>a.ts</path></args>`. */
export function readChildElements(text: string): ReadCall | undefined {
  const opening = matchAt(ELEMENT, text, 0);
  const children = { open: ELEMENT, close: (key: string) => `</${key}>` };
  return opening ? readArguments(text, opening, { ...children, end: `</${opening[1]!}>` }) : undefined;
}

/** Some dialects wrap all arguments in one or two more elements; several files are several calls. */
function unwrapArguments(args: NamedCall['args']): NamedCall['args'] {
  const [entry, ...others] = Object.entries(args);
  const [key, value] = entry ?? [''];
  if (others.length > 0 || !/^(?:args?|arguments|parameters|files?)$/.test(key)) return args;
  const values = Array.isArray(value) ? value.map(String) : [String(value)];
  const inner = values.map((one) => readChildElements(`<args>${one.trim()}</args>`)?.args);
  if (inner.some((one) => one === undefined || Object.keys(one).length === 0)) return args;
  return inner.length === 1 ? unwrapArguments(inner[0]!) : { [EACH]: inner };
}

/** Returns a call of several files as one call for each. */
export function splitCall(call: ReadCall): readonly ReadCall[] {
  const { [EACH]: each } = call.args;
  return Array.isArray(each) ? each.map((args) => ({ ...call, args: args as NamedCall['args'] })) : [call];
}

function readJsonElement(
  text: string,
  opening: RegExpExecArray,
  { names, findClosing }: ElementContext,
): ReadCall | undefined {
  const [whole, name = ''] = opening;
  const from = opening.index + whole.length;
  if (text[skipSpace(text, from)] !== '{' || !isToolName(name, names)) return undefined;
  const closing = `</${name}>`;
  const close = findClosing(closing, from);
  const args = close === -1 ? undefined : parseJsonObject(text.slice(from, close));
  const call = args && { name, args, at: opening.index, end: close + closing.length };
  return call && isPlausible(call, names, true) ? call : undefined;
}

/**
 * Reads arguments up to the tag that ends their element; returns undefined if there is anything else between them. A
 * value is used unchanged. It ends at the first closing tag of its name that is followed by another argument or the end
 * of the element, so that it may itself contain such a tag.
 *
 * @param opening the match of the element's opening tag; its last group is the name of the tool
 */
function readArguments(
  text: string,
  opening: RegExpExecArray,
  { open, close, end, findClosing = (closing, from) => text.indexOf(closing, from) }: ArgumentSyntax,
): ReadCall | undefined {
  const args: [string, unknown][] = [];
  let block = false;
  let at = skipSpace(text, opening.index + opening[0].length);
  while (!text.startsWith(end, at)) {
    const [whole, key = ''] = matchAt(open, text, at) ?? [];
    if (whole === undefined) return undefined;
    const start = at + whole.length;
    const closing = close(key);
    let closeAt = findClosing(closing, start);
    for (let tries = 1; closeAt !== -1; tries++) {
      at = skipSpace(text, closeAt + closing.length);
      if (text.startsWith(end, at) || matchAt(open, text, at)) break;
      closeAt = tries < MOST_TRIES ? findClosing(closing, closeAt + 1) : -1;
    }
    if (closeAt === -1) return undefined;
    const value = trimOuterBreaks(text.slice(start, closeAt));
    block ||= value.isBlock;
    args.push([key, value.text]);
  }
  return { name: opening.at(-1)!, args: groupByName(args), block, at: opening.index, end: at + end.length };
}

/** Collects the values of a name that is used several times in a list. */
function groupByName(args: readonly (readonly [name: string, value: unknown])[]): Record<string, unknown> {
  const groups = Map.groupBy(args, ([name]) => name);
  return Object.fromEntries(
    Array.from(groups, ([name, [first, ...more]]) => [
      name,
      more.length === 0 ? first![1] : [first![1], ...more.map(([, value]) => value)],
    ]),
  );
}

/** Removes the line breaks that only separate a value from the tags around it. */
function trimOuterBreaks(value: string): { readonly text: string; readonly isBlock: boolean } {
  const isBlock = /^\r?\n[^]*\n[ \t]*$/.test(value);
  return { text: isBlock ? value.replace(/^\r?\n/, '').replace(/\r?\n[ \t]*$/, '') : value, isBlock };
}

/** Returns the offset of the last element of a text that may be an argument of a call; -1 if there is none. */
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

/** Returns false for markup that has the name of a tool by coincidence. */
function isPlausible({ name, args }: NamedCall, names: TagNames, canBeEmpty = false): boolean {
  const verb = resolveForeignName(name, names)?.verb;
  // Markup never has the name of a place and of a tool.
  const isVerb = verb === undefined || (!name.includes('.') && (VERBS as readonly string[]).includes(verb));
  const keys = Object.keys(args);
  return (
    (keys.length > 0 || (canBeEmpty && !isVerb)) &&
    (!isVerb || keys.every((key) => key === EACH || VERB_ARGUMENTS.test(key)))
  );
}

/** Returns a text with the entities of XML as the characters that they stand for. */
export function unescapeXml(value: string): string {
  return value.replaceAll(/&(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[\da-f]{1,6});/gi, (entity) => {
    const name = entity.slice(1, -1).toLowerCase();
    const point = name.startsWith('#x') ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return NAMED_CHARACTERS[name] ?? (point <= 0x10_ff_ff ? String.fromCodePoint(point) : entity);
  });
}
