import type { LanguageModelV4FilePart, LanguageModelV4FunctionTool, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Message } from '@bae/core';

/** Image, sound or file of a message. */
export type MessageMedia = NonNullable<Message['media']>[number];

/** Format of tool calls: tags in the text, or function calls of the provider. `auto` currently means `tags`. */
export type CallProtocol = 'auto' | 'tags' | 'tools';

const text = (description: string) => ({ type: 'string', description }) as const;

/** Functions offered to a model. They never change, so that the provider's cache of a conversation remains valid. */
export const NATIVE_TOOLS: LanguageModelV4FunctionTool[] = [
  {
    type: 'function',
    name: 'go',
    description: 'Enters a place and lists its tools.',
    inputSchema: {
      type: 'object',
      properties: { place: text('Its dotted name; home, back and up return') },
      required: ['place'],
    },
  },
  {
    type: 'function',
    name: 'call',
    description: 'Calls a tool of this place, or of another: place.tool.',
    inputSchema: {
      type: 'object',
      properties: {
        tool: text('read, write, edit, glob, grep, help or a listed tool'),
        arguments: { type: 'object' },
      },
      required: ['tool', 'arguments'],
    },
  },
  {
    type: 'function',
    name: 'run',
    description: 'Runs TypeScript; the tools are functions.',
    inputSchema: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
  },
  {
    type: 'function',
    name: 'read_result',
    description: 'Reads more of a result that was cut.',
    inputSchema: {
      type: 'object',
      properties: { result: text('Such as result:3'), lines: text('100-140, or -50 for the last') },
      required: ['result'],
    },
  },
];

const NATIVE_RULES = `Call tools with the functions go, call, run and read_result; write no tags. A tag that is shown is such a call: @tasks() is go({"place":"tasks"}), <Grep:TODO path=src> is call({"tool":"grep","arguments":{"pattern":"TODO","path":"src"}}), <W:a.md>text</W> is call({"tool":"write","arguments":{"target":"a.md","content":"text"}}):`;

/** Lines of the system prompt that say how tags are written and when they run. */
const TAG_RULES = /^(?:- (?:Text between tags |Tags run |Fenced tags ).*|User: Where .*\nYou: <.*)\n?/gm;
const TAG_INTRODUCTION = 'Call a tool with a tag alone on its line:';
const RUN_TAG = '<run>…</run>, alone in its message, runs';

/** Says in the system prompt how the tools are called by functions, in place of how their tags are written. */
export function adaptSystemPrompt(prompt: string): string {
  const [first = '', ...others] = prompt.split(TAG_INTRODUCTION);
  if (others.length === 0) return `${prompt}\n\n${NATIVE_RULES}`;
  const rules = others
    .join(TAG_INTRODUCTION)
    .replace(TAG_RULES, '')
    .replace(RUN_TAG, 'run, alone in its message, runs');
  return `${first}${NATIVE_RULES}${rules}`;
}

const PLACE = /^[\p{L}\p{N}_.-]+$/u;
/** The other functions, which some models name as the tool of a `call`. */
const OTHERS: ReadonlySet<string> = new Set(['go', 'run', 'read_result']);
const RESULT = /^result:\d+$/;
const LINES = /^(?:\d+(?:-\d*)?|-\d+)$/;

type Input = Readonly<Record<string, unknown>>;

/** Renders a function call as text for the parser, on separate lines. */
export function renderNativeCall(name: string, json: string): string {
  const input = parseInput(json);
  const { tool, arguments: given, ...beside } = input;
  const { place, code, result, lines } = beside;
  // Some models write the arguments beside the name of the tool.
  const args = name === 'call' ? (given ?? beside) : input;
  if (name === 'call' && typeof tool === 'string' && OTHERS.has(tool))
    return renderNativeCall(tool, JSON.stringify(args));
  if (name === 'go' && typeof place === 'string' && PLACE.test(place)) return `@${place.replace(/\(\)$/, '')}()`;
  if (name === 'run' && typeof code === 'string') return `<run>\n${code.replaceAll('</run>', '<\\/run>')}\n</run>`;
  if (name === 'read_result' && typeof result === 'string' && RESULT.test(result)) {
    return typeof lines === 'string' && LINES.test(lines) ? `<R:${result}:${lines}>` : `<R:${result}>`;
  }
  const called = name === 'call' && typeof tool === 'string' ? tool : name;
  // Nothing in a string may be interpreted as a tag.
  const call = JSON.stringify({ name: called, arguments: args }).replaceAll('<', String.raw`\u003c`);
  return `<tool_call>${call}</tool_call>`;
}

function parseInput(json: string): Input {
  try {
    const value: unknown = JSON.parse(json === '' ? '{}' : json);
    return typeof value === 'object' && value !== null ? (value as Input) : {};
  } catch {
    return {};
  }
}

const CALL =
  /^(?:@(?<place>[\p{L}\p{N}_.-]+)\(\)|<tool_call>(?<call>\{.*\})<\/tool_call>|<run>\n(?<code>[^]*?)\n<\/run>|<R:(?<result>result:\d+)(?::(?<lines>[\d-]+))?>)$/gmu;

/** Splits a response into its text and the function calls in it. */
function splitResponse(response: string) {
  const calls: { readonly toolName: string; readonly input: Input }[] = [];
  const prose = response.replace(CALL, (...match: unknown[]) => {
    const { place, call, code, result, lines } = match.at(-1) as Readonly<Record<string, string | undefined>>;
    if (place !== undefined) calls.push({ toolName: 'go', input: { place } });
    else if (code !== undefined) calls.push({ toolName: 'run', input: { code } });
    else if (result !== undefined) calls.push({ toolName: 'read_result', input: { result, ...(lines && { lines }) } });
    else {
      const { name, arguments: args } = JSON.parse(call ?? '{}') as { name?: string; arguments?: Input };
      calls.push({ toolName: 'call', input: { tool: name ?? '', arguments: args ?? {} } });
    }
    return '';
  });
  return { prose: prose.trim(), calls };
}

const FRAME = /\[(?:Tool output|Output) (\w+)\]\n([^]*?)\n\[end \1\]/;

/** Header of a result that is an error. */
const FAILED = /^#\d+ .*\] (?!ok$)\w+$/m;
const SKIPPED = /^\[Note\] \d+ <run> blocks? .*$/m;
const NOT_RUN =
  'Not run, because other calls were made in the same message. Call run again, on its own, if it is needed.';

/**
 * Extracts the results from a message to the model, one for each call if they can be distinguished, and the text around
 * them. Code that came with other calls has no result.
 */
function takeResults(message: string, names: readonly string[]) {
  const isMixed = names.includes('run') && names.some((name) => name !== 'run');
  const count = isMixed ? names.filter((name) => name !== 'run').length : names.length;
  const [frame = '', , body = ''] = FRAME.exec(message) ?? [];
  const parts = body.split(/\n---\n(?=#\d+ )|\n---\n/);
  const isOneEach = parts.length === count;
  const results = isOneEach
    ? parts.map((part) => (FAILED.test(part.split('\n', 1)[0]!) ? suggestFunctions(part) : part))
    : [frame, ...Array<string>(count - 1).fill('(see the first result)')];
  if (frame === '')
    return { results: names.map(() => '(not run; see the next message)'), rest: suggestFunctions(message) };
  const rest = suggestFunctions(message.replace(frame, ''))
    .replace(isMixed ? SKIPPED : '', '')
    .trim();
  const each = results[Symbol.iterator]();
  return { results: names.map((name) => (isMixed && name === 'run' ? NOT_RUN : String(each.next().value))), rest };
}

/**
 * Converts a conversation with its calls and results to the format of the provider. Identifiers of calls are derived
 * from their positions, so that a message is the same in every request.
 */
export function toToolPrompt(messages: readonly Message[], isTagged = true): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  for (let index = 0; index < messages.length; index++) {
    const { role, text: content, media = [] } = messages[index]!;
    if (content.trim() === '') continue;
    if (role === 'system') prompt.push({ role, content: adaptSystemPrompt(content) });
    else if (role === 'user') addUserParts(prompt, content, toFileParts(media, isTagged));
    else {
      const { prose, calls } = splitResponse(content);
      const ids = calls.map((_, place) => `call_${index}_${place}`);
      prompt.push({
        role: 'assistant',
        content: [
          ...(prose === '' && calls.length > 0 ? [] : [{ type: 'text' as const, text: prose || content }]),
          ...calls.map((call, place) => ({ type: 'tool-call' as const, toolCallId: ids[place]!, ...call })),
        ],
      });
      if (calls.length === 0) continue;
      const next = messages[index + 1];
      const names = calls.map(({ toolName }) => toolName);
      const { results, rest } = takeResults(next?.role === 'user' ? next.text : '', names);
      prompt.push({
        role: 'tool',
        content: calls.map(({ toolName }, place) => ({
          type: 'tool-result' as const,
          toolCallId: ids[place]!,
          toolName,
          output: { type: 'text' as const, value: results[place]! },
        })),
      });
      if (next?.role !== 'user') continue;
      index++;
      const parts = toFileParts(next.media ?? [], isTagged);
      if (rest !== '' || parts.length > 0) addUserParts(prompt, rest, parts);
    }
  }
  return prompt;
}

function addUserParts(prompt: LanguageModelV4Prompt, text: string, files: readonly LanguageModelV4FilePart[]): void {
  const content = [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...files];
  const before = prompt.at(-1);
  if (before?.role === 'user') before.content.push(...content);
  else prompt.push({ role: 'user', content });
}

function toFileParts(media: readonly MessageMedia[], isTagged: boolean): readonly LanguageModelV4FilePart[] {
  return media.map((one) => toFilePart(one, isTagged));
}

/**
 * Converts an image, a sound or a file to the format of the AI SDK.
 *
 * @param isTagged true for the generation of models whose data has a named kind
 */
export function toFilePart({ mediaType, name, data = '' }: MessageMedia, isTagged: boolean): LanguageModelV4FilePart {
  const content = (isTagged ? { type: 'data', data } : data) as LanguageModelV4FilePart['data'];
  return { type: 'file', mediaType, data: content, ...(name !== undefined && { filename: name }) };
}

/** A tag without a body, with its name and argument. */
const TAG = /^<([\p{L}\p{N}_.-]+):([^<>\n]*)>$/u;
const OPTION = /\s+([\w-]+)=(?:"([^"]*)"|'([^']*)'|(\S+))/g;
const RESULT_ADDRESS = /^(result:\d+)(?::([\d-]+))?$/;
const PLACE_CALL = /^@?([\p{L}_][\p{L}\p{N}_.-]*)\(\)$/u;
const VERBS: Readonly<Record<string, string>> = { R: 'read', W: 'write', E: 'edit', G: 'glob', Grep: 'grep' };

/** Sentences of a problem that tell to write a tag, with the tag. */
const ADVICE =
  /\b(?:Write a tag instead, for example|Write|Type|Send) (<[\p{L}\p{N}_.-]+:[^<>\n]*>|@[\w.-]+\(\)|\{"name":.*\})(?: alone on its line)?/gu;

/** Writes the calls that a message suggests as calls of the functions that the model has. */
function suggestFunctions(message: string): string {
  return message
    .split('\n')
    .map((line) => {
      const hint = /^(\s*Try: )(.+)$/.exec(line);
      if (hint) return suggestEach(hint[1]!, hint[2]!);
      if (!line.startsWith('[Parse problem] ')) return line;
      return line.replace(ADVICE, (sentence, call: string) => {
        const written = toFunctionCall(call);
        return written === undefined ? sentence : `Use ${written}`;
      });
    })
    .join('\n');
}

/** Several places are one line, from which one is chosen. */
function suggestEach(start: string, hint: string): string {
  const parts = /^\S+\(\)(?:, \S+\(\))+$/.test(hint) ? hint.split(', ') : [hint];
  return parts.map((part) => start + (toFunctionCall(part) ?? part)).join('\n');
}

function toFunctionCall(call: string): string | undefined {
  const place = PLACE_CALL.exec(call)?.[1];
  if (place !== undefined) return `go(${JSON.stringify({ place })})`;
  if (call.startsWith('{"name":')) return fromJson(call);
  const [, name, argument = ''] = TAG.exec(call) ?? [];
  if (name === undefined) return undefined;
  const [, result, lines] = RESULT_ADDRESS.exec(argument) ?? [];
  if (result !== undefined) return `read_result(${JSON.stringify({ result, lines })})`;
  const options = Array.from(argument.matchAll(OPTION), ([, key = '', double, single, bare]) => [
    key,
    double ?? single ?? bare,
  ]);
  const target = argument.replaceAll(OPTION, '').trim();
  const tool = name.replace(/[^.]+$/, (last) => VERBS[last] ?? last);
  const args = { ...(target !== '' && { target }), ...Object.fromEntries(options) } as object;
  return `call(${JSON.stringify({ tool, arguments: args })})`;
}

function fromJson(json: string): string | undefined {
  try {
    const { name, arguments: args = {} } = JSON.parse(json) as {
      readonly name?: unknown;
      readonly arguments?: unknown;
    };
    return `call(${JSON.stringify({ tool: name, arguments: args })})`;
  } catch {
    return undefined;
  }
}
