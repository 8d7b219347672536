import type { ParsedText, ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import { describeCloser, describeLastBlock, isCommandName } from './block-shapes.ts';
import { countLineBreaks, findLineEnd, isBlank, trimBlanks } from './characters.ts';
import { describeEntry } from './entries.ts';
import { parseJsonObject, readJsonCalls } from './foreign/json-calls.ts';
import { readPythonCalls } from './foreign/python-calls.ts';
import { isForeignName, translateCall, type NamedCall } from './foreign/translate-call.ts';
import { cutRanges, isFenceEnd, readLine, type FenceLine } from './line.ts';
import { findXmlDocuments, isInDocument } from './foreign/xml-documents.ts';
import type { TagNames } from './names.ts';
import { createProblem, type CallShape } from './problems.ts';
import { completeTag, readTagHead } from './tag.ts';
import { ESCAPE, stripTerminalCodes } from './terminal-codes.ts';
import { describeShellLine, describeWholeText, type Tools } from './whole-shapes.ts';

const MOST_PROBLEMS = 10;
const LONGEST_LINE = 2000;
/** Maximum length of the text of a call that is repeated in the tag that is offered, in characters. */
const LONGEST_BODY = 300;
/** Matches lines that contain a tag, end like a function call, or begin a fence, JSON or a tag in other brackets. */
const MAY_MATTER = /<|[)}\]`][*"';.:]{0,3}\s*$|^\s*(?:`{3}|~{3}|@|[A-Z][a-z]*:|\*{0,2}Action Input)/;
const WORD_TAG = /^<([A-Za-z_][\w-]*(?:\.[\w-]+)*):(?=[^\s/])([^<>]*)>/;
const ODD_TAG = /^<([^\s<>:]{1,100}):{1,2}([^<>]*)>(?:<\/[^<>]*>)?$/;
const URI_SCHEME = /^(?:https?|ftp|file|mailto|tel|urn|data|ssh|git|wss?|javascript|about|blob|irc)$/i;
const ELEMENT = /^<([A-Za-z_][\w.-]*)(?:\s[^<>]*)?(?:\/>|>(.*)<\/\1>)$/;
/** `<R src/a.ts>`, `<grep -rn TODO src>`, `<ls>`, `<source()>`. */
const SPACED_TAG = /^<([A-Za-z_][\w-]*(?:\.[\w-]+)*)(?:\(\)|((?:\s+[^<>]*)?))>$/;
const SHELL_FLAGS = /^(?:-{1,2}[\w-]+\s+)+/;
/** `R: src/a.ts` and `[Grep:TODO]`. */
const BARE_TAG = /^(\[?)([A-Z]|Grep|Read|Write|Edit|Glob):\s?([^\s\]]+)\]?$/;
/** `<run lang="ts">`, which does not begin a block. */
const RUN_WITH_ATTRIBUTES = /^<run\s[^>]*>/i;
/** Elements and keys with which other frameworks name a tool. */
const NAMED_ELEMENT =
  /^<(?:function_call|use_tool|tool_use|tool|call|action|name)(?:\s+(?:name|tool)\s*=\s*["']([\w.-]+)["'][^<>]*>|>\s*([\w.-]+)\s*<)/;
const NAMED_JSON = /^\{.*"(?:tool|function|action|tool_name)"\s*:\s*"([\w.-]+)"/;
const NAMED_TOKEN = /^<[|｜][^>]*[|｜]>(?:\w*<[|｜][^>]*[|｜]>)?\s*([\w.-]+)/;
/** Words of shells and other frameworks for tools that a place may have. */
const SHELL_WORDS: Readonly<Record<string, string>> = {
  rm: 'delete',
  remove: 'delete',
  del: 'delete',
  mv: 'move',
  rename: 'move',
  touch: 'write',
  replace: 'edit',
  tree: 'read',
};
const ENTER_WORDS: ReadonlySet<string> = new Set(['cd', 'go', 'enter', 'open', 'goto', 'space']);
const CALL = /^(@?)(?:await )?([A-Za-z_][\w.]*)\((.*)\);?$/;
/** List marks, quotes, emphasis, brackets or a backtick before a tag. */
const MARKS = /^(?:(?:[-*+]|\d+[.)])\s+|>\s*)*(?:[*_]{1,3}|`{1,2}|["'([{«“])?(?=<)/;
/** `path=src, limit: "5"`; every value ends before a blank or a comma. */
const OPTIONS = /^(?:[\w-]+\s*[=:]\s*(?:"[^"]*"|'[^']*'|[^\s,"']+)(?:[\s,]+|$))+$/;
const PAIR = /([\w-]+)\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^\s,"']+))/g;
/** What a person might write behind a tag: a full stop, or a remark. */
const REMARK = /^(?:[.,;:!]+|\s*\(.*\)[.,;]?|\s+(?:#|\/\/|--|[–—]|<!--)\s.*)$/;
const MARKS_BEHIND = /(?:[*_`]{0,3}|["')\]}»”])[.,;:!]?$/;

/**
 * Finds the lines of a text without calls that were probably meant as calls, outside fences: tags with unknown names,
 * tags that share their line with something else, and function calls.
 *
 * @param hidden the offsets of the start and end of each part that is not prose, in order
 * @param parseInner parses the content of a fence, in which there is no other
 */
export function findCallShapes(
  text: string,
  names: TagNames,
  {
    hidden,
    parseInner,
  }: {
    readonly hidden: readonly (readonly [start: number, end: number])[];
    readonly parseInner: ((text: string) => ParsedText) | undefined;
  },
): readonly ParseProblem[] {
  const whole = parseInner && describeWholeText(cutRanges(text, hidden), toolsOf(names));
  if (whole)
    return [
      createProblem(
        'looks-like-call',
        1 + countLineBreaks(text.slice(0, text.indexOf(whole.text))),
        whole.text,
        locate(whole, names),
      ),
    ];
  const problems: ParseProblem[] = [];
  let documents: ReturnType<typeof findXmlDocuments> | undefined;
  let fence: FenceLine | undefined;
  let number = 0;
  let part = 0;
  for (let start = 0, end = 0; start < text.length && problems.length < MOST_PROBLEMS; start = end + 1) {
    end = findLineEnd(text, start);
    number++;
    while (part < hidden.length && hidden[part]![1] <= start) part++;
    const isHidden = part < hidden.length && hidden[part]![0] <= start;
    if (isHidden || end - start > LONGEST_LINE) continue;
    const raw = text.slice(start, end);
    if (!MAY_MATTER.test(raw) && !raw.includes(ESCAPE)) continue;
    const line = trimBlanks(stripTerminalCodes(raw).detected);
    const content = readLine(line, names);
    if (fence) {
      if (isFenceEnd(content, fence)) fence = undefined;
    } else if (content?.kind === 'fence') fence = content;
    else if (content?.kind !== 'escaped' && line !== '') {
      const shape = DESCRIPTIONS.map((describe) => describe(line, names)).find((found) => found !== undefined);
      // What a document of XML holds is markup, but a tag of this protocol is not.
      const isMarkup = () =>
        /^<[\w.-]+[\s/>]/.test(line) &&
        isInDocument((documents ??= findXmlDocuments(text, names)), start + raw.indexOf('<'));
      if (shape && !isMarkup()) problems.push(createProblem('looks-like-call', number, line, locate(shape, names)));
    }
  }
  const isAnswered = problems.length > 0 || hidden.length > 0 || !parseInner;
  return isAnswered ? problems : findLastBlock(text, names, parseInner);
}

function toolsOf(names: TagNames): Tools {
  return {
    names,
    format: (call) => formatAsTag(call, names),
    describeWord: (word, argument) => describeUnknownWord(word, argument, names),
  };
}

function findLastBlock(
  text: string,
  names: TagNames,
  parseInner: (text: string) => ParsedText,
): readonly ParseProblem[] {
  const shape = describeLastBlock(text, {
    ...toolsOf(names),
    readCalls: (code) => {
      const { calls, problems, prose } = parseInner(code);
      const [call] = problems.length === 0 && prose === '' ? calls : [];
      if (call) return [formatCallAsTag(call)];
      const python = readPythonCalls(code) ?? [];
      return python.every(({ name }) => isForeignName(name, names))
        ? python.flatMap((one) => formatAsTag(one, names) ?? [])
        : [];
    },
  });
  if (!shape) return [];
  const line = 1 + countLineBreaks(text.slice(0, shape.at));
  return [createProblem('looks-like-call', line, shape.text, locate(shape, names))];
}

/** Makes the suggested tag work where the text was written. */
function locate({ fact, tag }: CallShape, names: TagNames): CallShape {
  return { fact, tag: tag && names.qualify(tag) };
}

/** Describes `<Foo:bar>`, `<Grep:TODO> path=src` and `<tasks/>`. */
function describeWordTag(line: string, names: TagNames): CallShape | undefined {
  const [tag = '', word = '', arg = ''] = WORD_TAG.exec(line) ?? [];
  const rest = trimBlanks(line, tag.length);
  if (tag !== '' && !URI_SCHEME.test(word)) {
    const known = names.resolve(word);
    const options = known && readOptions(rest);
    if (options !== undefined) return { fact: 'has text behind it', tag: `${tag.slice(0, -1)} ${options}>` };
    if (known && rest.endsWith(`</${word}>`)) return { fact: 'has text that it does not take', tag };
    const name = arg.trim().split(/\s/, 1)[0]!;
    if (known?.verb === 'edit' && /^[^<]+>$/.test(rest))
      return { fact: 'has a > in it', tag: `<${word}:${name} old="…" new="…">` };
    if (!known && (rest === '' || rest.endsWith(`</${word}>`))) return describeUnknownWord(word, arg, names);
  }
  const [, element, content = ''] = ELEMENT.exec(line) ?? [];
  if (element === undefined) return undefined;
  const isTool = isForeignName(element, names);
  if (!isTool && names.isPlace(element)) return { fact: 'is not a tag', tag: `@${element}()` };
  const fields = isTool ? parseJsonObject(content) : undefined;
  const given = fields && formatAsTag({ name: element, args: fields }, names);
  if (given !== undefined) return { fact: 'is not a tag', tag: given };
  if (!isTool) return undefined;
  const bare = line.endsWith('/>') && !line.includes('=') ? formatAsTag({ name: element, args: {} }, names) : undefined;
  return { fact: 'is not a tag', tag: bare ?? makeTag(element, names, isShortText(content) ? content : '…') };
}

/** Describes `<tasks:>`, `<tasks/R:7>` and `<tasks().R:7>`: a known name with something around it. */
function describeOddTag(line: string, names: TagNames): CallShape | undefined {
  const [, written = '', arg = ''] = ODD_TAG.exec(line) ?? [];
  const name = written
    .replaceAll(/\(\)/g, '')
    .replaceAll(/[/\\#]|::/g, '.')
    .replaceAll(/^[^\p{L}_]+|\W+$/gu, '');
  if (name === '') return undefined;
  const parts = [name, name.slice(name.lastIndexOf('.') + 1), name.split('.', 1)[0]!];
  const known = parts.find((one) => names.resolve(one) !== undefined);
  if (known !== undefined) return { fact: 'is not a tag', tag: `<${known}:${arg}>` };
  const values = arg === '' ? [] : [arg];
  const tag = formatAsTag({ name, args: {}, values }, names);
  if (tag !== undefined) return { fact: 'is not a tag', tag };
  const place = parts.find((one) => names.isPlace(one));
  return place === undefined ? undefined : { fact: 'is not how a place is entered', tag: `@${place}()` };
}

/** Describes `<cat:a.ts>`, `<rm:a.ts>` and `<cd:source>`: words that other programs use for a tool. */
function describeUnknownWord(word: string, arg: string, names: TagNames): CallShape {
  const tag = formatAsTag({ name: word, args: {}, values: [arg] }, names);
  if (tag !== undefined) return { fact: 'is not a tag', tag };
  if (ENTER_WORDS.has(word) && names.isPlace(arg)) return { fact: 'is not how a place is entered', tag: `@${arg}()` };
  if (names.isPlace(word)) return { fact: 'is not how a place is entered', tag: `@${word}()` };
  const isCommand = isCommandName(word.slice(word.lastIndexOf('.') + 1));
  if (isCommand && arg !== '' && names.resolve('exec') === undefined) return describeShellLine(arg, toolsOf(names));
  const tool = isCommand ? 'exec' : Object.hasOwn(SHELL_WORDS, word) ? SHELL_WORDS[word]! : '';
  if (tool === '' || names.resolve(tool) === undefined) return { fact: 'names no tool' };
  const value = tool === 'move' ? arg.replace(/\s+(?:to=)?(?=\S+$)/, ' to=') : arg;
  return { fact: 'names no tool', tag: formatAsTag({ name: tool, args: {}, values: [value] }, names) };
}

/** Describes `<R src/a.ts>`, `<ls>`, `<help>` and `<source()>`. */
function describeSpacedTag(line: string, names: TagNames): CallShape | undefined {
  const [, name = '', rest] = SPACED_TAG.exec(line) ?? [];
  if (name === '') return undefined;
  if (rest === undefined) return names.isPlace(name) ? { fact: 'is not a tag', tag: `@${name}()` } : undefined;
  const isTool = name.includes('.') && isForeignName(name, names);
  if (rest === '' && !isTool && names.isPlace(name)) return { fact: 'is not a tag', tag: `@${name}()` };
  if (rest === '' && name === 'help') return { fact: 'is not a tag', tag: '<help:>' };
  if (!isForeignName(name, names)) return undefined;
  const value = rest.trim().replace(SHELL_FLAGS, '');
  const listing = value === '' ? formatAsTag({ name, args: {} }, names) : undefined;
  if (OPTIONS.test(value)) {
    const args = Object.fromEntries(Array.from(value.matchAll(PAIR), ([, key, a, b, c]) => [key, a ?? b ?? c]));
    return { fact: 'is not a tag', tag: formatAsTag({ name, args }, names) ?? `<${name}:… ${value}>` };
  }
  return { fact: 'is not a tag', tag: listing ?? makeTag(name, names, value === '' ? '…' : value) };
}

/** Describes `R: src/a.ts`, `[R:src/a.ts]`, and `<run lang="ts">`. */
function describeBareTag(line: string, names: TagNames): CallShape | undefined {
  if (RUN_WITH_ATTRIBUTES.test(line)) return { fact: 'has attributes, and begins no block', tag: '<run>' };
  const [, bracket, name = '', arg = ''] = BARE_TAG.exec(line) ?? [];
  if (name === '' || names.resolve(name) === undefined) return undefined;
  // Without brackets, only text that looks like a path counts: `R: yes` is a reply.
  if (bracket === '' && !/[./*]/.test(arg)) return undefined;
  return { fact: 'is not a tag', tag: makeTag(name, names, arg) };
}

/** Describes a call in the notation of another framework that names one of our tools. */
function describeForeignCall(line: string, names: TagNames): CallShape | undefined {
  const match = NAMED_ELEMENT.exec(line) ?? NAMED_JSON.exec(line) ?? NAMED_TOKEN.exec(line);
  const name = match?.[1] ?? match?.[2] ?? '';
  if (name === '' || !isForeignName(name, names)) return undefined;
  const { tool, function: called, action, tool_name: named, ...args } = parseJsonObject(line) ?? {};
  const isKnown = [tool, called, action, named].some((one) => one === name);
  return {
    fact: 'is not a call here',
    tag: (isKnown ? formatAsTag({ name, args }, names) : undefined) ?? makeTag(name, names),
  };
}

/** Describes `- <R:a>`, `**<R:a>**` and `Let me look: <R:a>`. */
function describeMarkedTag(line: string, names: TagNames): CallShape | undefined {
  const marks = MARKS.exec(line)?.[0] ?? '';
  const end = marks === '' ? line.length : line.length - (MARKS_BEHIND.exec(line)?.[0].length ?? 0);
  if (line.charAt(end - 1) !== '>') return undefined;
  let before = '';
  for (let at = line.indexOf('<'); at !== -1; at = line.indexOf('<', at + 1)) {
    const head = readTagHead(line, at, names);
    const close = head?.verb === 'grep' ? end - 1 : head?.argEnd;
    if (!head || close === undefined || close === -1) continue;
    const tag = completeTag(line, head, close);
    // A tag may also include its text and closing tag.
    const isWhole = close === end - 1 || line.slice(close + 1, end).endsWith(`</${head.written}>`);
    const isPlain = at > 0 && isBlank(line.charCodeAt(at - 1)) && close === line.length - 1;
    if (isWhole && (at === marks.length ? marks !== '' : isPlain)) {
      return { fact: 'is read only alone on its line', tag: before + tag.text };
    }
    // Other tags of the line run on one line with it.
    if (head.verb === 'read' || head.verb === 'glob') before += `${tag.text} `;
  }
  return undefined;
}

/** Describes `<R:a>.`, `<R:a> (to see it)` and `<R:a> # read it`. */
function describeTrailedTag(line: string, names: TagNames): CallShape | undefined {
  const head = line.startsWith('<') ? readTagHead(line, 0, names) : undefined;
  const close = head?.verb === 'grep' ? line.lastIndexOf('>') : head?.argEnd;
  if (!head || close === undefined || close === -1 || !REMARK.test(line.slice(close + 1))) return undefined;
  return { fact: 'is read only alone on its line', tag: completeTag(line, head, close).text };
}

/** Describes `read("a.ts")`, `tasks()`, and `@billing()` for an unknown place. */
function describeCall(line: string, names: TagNames): CallShape | undefined {
  const [, at = '', name = ''] = CALL.exec(line) ?? [];
  if (name === '') return undefined;
  if (at !== '') return line === `@${name}()` ? { fact: 'names no place', tag: '@nav()' } : undefined;
  const tool = name.replace(/^home\./, '');
  if (!isForeignName(tool, names)) {
    return names.isPlace(name) ? { fact: 'is not how a place is entered', tag: `@${name}()` } : undefined;
  }
  const [call] = readPythonCalls(line.replace(/^(?:await )?(?:home\.)?/, '').replace(/;$/, '')) ?? [];
  const [, path] = /\(\s*([\w@./*-]+)\s*\);?$/.exec(line) ?? [];
  return { fact: 'is not a tag', tag: (call && formatAsTag(call, names)) ?? makeTag(tool, names, path) };
}

/** What may stand around a call that was meant for somebody else: a code span, `print(…)`, `Call: …`, `result = …`. */
const FRAMES: readonly RegExp[] = [
  /^`([^`]+)`$/,
  /^print\((.+)\);?$/,
  /^\[(.+\(.*\))\]$/,
  /^\*{1,3}([^*]+\(.*\))\*{1,3}$/,
  /^(?:(?:const|let|var)\s+)?[A-Za-z_$][\w$]*\s*=\s*((?:await )?[\w.]+\(.*\);?)$/,
  /^(?:>\s*|\{\{|<<)?([A-Za-z_][\w.]*\(.*\))(?:\}\}|>>)?$/,
  /^(?:tool[ _]?call|call|tool|calling|execute|use|invoke):?\s+([A-Za-z_][\w.]*\(.*\));?$/i,
];

/** Describes `print(read("a.ts"))`, `` `read("a.ts")` `` and `Call: read("a.ts")`. */
function describeFramedCall(line: string, names: TagNames): CallShape | undefined {
  for (const frame of FRAMES) {
    const inner = frame.exec(line)?.[1];
    const shape = inner === undefined || inner === line ? undefined : describeCall(inner, names);
    if (shape && shape.tag !== '@nav()') return shape;
  }
  return undefined;
}

/** `read {"path":"a.ts"}`, `TOOL_CALL: {…}`, `[tool: read path="a.ts"]`, `[read: a.ts]`. */
const LABELLED_JSON = /^(?:(?:tool[ _]?call|call|tool):?\s*)?(?:([A-Za-z_][\w.-]*)\s*:?\s*)?(\{.*\}|\[.*\])$/i;
const IN_BRACKETS = /^\[{1,2}(?:tool(?:[ _]call)?:\s*)?([A-Za-z_][\w.-]*)(?::\s*|\s+(?=\w+=))([^\]]+)\]{1,2}$/;
const ACTION_INPUT = /^\*{0,2}Action Input\*{0,2}:/;
const UNKNOWN_LIST = /^\[\s*([A-Za-z_]\w*)\(\s*(?:[A-Za-z_]\w*\s*=.*|["'].*["']\s*)?\)\s*\]$/;

function describeLabelledCall(line: string, names: TagNames): CallShape | undefined {
  const [, name = '', json = ''] = LABELLED_JSON.exec(line) ?? [];
  const args = json === '' ? undefined : parseJsonObject(json);
  const calls = json !== '' && json !== line && name === '' ? readJsonCalls(json, 0) : undefined;
  const call = calls?.[0] ?? (args && isForeignName(name, names) ? { name, args } : undefined);
  if (call) return { fact: 'is not a tag', tag: formatAsTag(call, names) };
  const [, inBrackets = '', value = ''] = IN_BRACKETS.exec(line) ?? [];
  if (inBrackets !== '' && isForeignName(inBrackets, names) && (/[./*"]/.test(value) || line.startsWith('[['))) {
    const python = readPythonCalls(`${inBrackets}(${value.trim().replaceAll(/\s+(?=\w+=)/g, ', ')})`)?.[0];
    return {
      fact: 'is not a tag',
      tag: (python && formatAsTag(python, names)) ?? makeTag(inBrackets, names, value.trim()),
    };
  }
  const listed = UNKNOWN_LIST.exec(line)?.[1];
  const isUnknown = listed !== undefined && !isForeignName(listed, names);
  return isUnknown || ACTION_INPUT.test(line) ? { fact: 'names no tool here' } : undefined;
}

const DESCRIPTIONS = [
  describeEntry,
  describeCloser,
  describeWordTag,
  describeOddTag,
  describeSpacedTag,
  describeMarkedTag,
  describeTrailedTag,
  describeCall,
  describeBareTag,
  describeForeignCall,
  describeLabelledCall,
  describeFramedCall,
] as const;

/**
 * Formats a call as a tag with its named arguments; returns undefined if no tool has its name, or its argument is
 * missing.
 */
function formatAsTag(call: Omit<NamedCall, 'at'>, names: TagNames): string | undefined {
  const [translated] = translateCall({ at: 0, ...call }, names, 1) ?? [];
  if (!translated || 'code' in translated) return undefined;
  return formatCallAsTag(translated);
}

function formatCallAsTag({ verb, tag, kwargs = {}, body }: ToolCall): string {
  if (verb === 'go') return tag;
  const named = Object.entries(kwargs).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  const opening = `${tag.slice(0, -1)}${named.join('')}>`;
  if (body === undefined) return opening;
  const closing = `</${tag.slice(1, tag.indexOf(':'))}>`;
  if (body.length > LONGEST_BODY || body.includes('</')) return `${opening}…${closing}`;
  return body.includes('\n') ? `${opening}\n${body}\n${closing}` : `${opening}${body}${closing}`;
}

function makeTag(name: string, names: TagNames, value = '…'): string {
  return formatAsTag({ name, args: {}, values: [value] }, names) ?? `<${name}:${value}>`;
}

/** Returns true for text that can be put in a tag. */
function isShortText(text: string): boolean {
  return text !== '' && text.length <= 100 && !/[<>\n]/.test(text);
}

/** Reads options after a tag, without the brackets around them; returns undefined for other text. */
function readOptions(rest: string): string | undefined {
  if (rest.startsWith('[')) return rest.endsWith(']') ? rest.slice(1, -1).trim() : undefined;
  return OPTIONS.test(rest) ? rest : undefined;
}
