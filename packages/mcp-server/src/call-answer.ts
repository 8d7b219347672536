import type { BatchReport, ResultStore, ToolDefinition, ToolResult } from '@bae/core';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';

interface ResultOptions {
  readonly results: ResultStore;
  /** Tool of the protocol with which calls that an error suggests are made. Default: `call`. */
  readonly tool?: 'look_up' | 'call';
}

/** Returns the answer to one call: its result, or bae's message about it if there is none. */
export function toResult({ calls, runs, feedback }: BatchReport, { results, tool }: ResultOptions): CallToolResult {
  const [call] = calls;
  if (call !== undefined) {
    const { ok, text, ref, media = [] } = call.result;
    if (!ok) return toErrorAnswer(rewriteHints(text, tool));
    const { content, ...rest } = toAnswer(text, ref);
    return { content: [...content, ...media.flatMap((one) => toBlock(one, results) ?? [])], ...rest };
  }
  const [, nonce = ''] = /^\[(?:Tool output|Output) (\w+)\]$/m.exec(feedback) ?? [];
  const lines = feedback.split('\n').filter((line) => nonce === '' || !line.endsWith(` ${nonce}]`));
  const text = lines.join('\n').trim();
  const [run] = runs;
  const isError = run === undefined ? /^\w*Error: |^\[Parse problem\]/m.test(feedback) : !run.ok;
  return isError ? toErrorAnswer(rewriteHints(text, tool)) : toAnswer(text, /<R:(result:\d+)/.exec(text)?.[1]);
}

/**
 * Returns text as an answer with structured content, which repeats nothing: JSON is there as data, everything else as
 * text.
 *
 * @param result handle of the whole text if this is a part of it
 */
export function toAnswer(text: string, result?: string): CallToolResult {
  const data = result === undefined ? readData(text) : undefined;
  const structuredContent = {
    ...(data === undefined ? { text } : { data }),
    ...(result !== undefined && { result }),
  };
  return { content: [{ type: 'text', text }], structuredContent };
}

export function toErrorAnswer(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Adds the handle of the session that a client without a connection has to send to go on in it. */
export function nameSession({ content, structuredContent, ...rest }: CallToolResult, session: string): CallToolResult {
  const text = `[session ${session}: send it with run or call, to keep variables and to undo]`;
  return {
    ...rest,
    content: [...content, { type: 'text', text }],
    ...(structuredContent !== undefined && { structuredContent: { ...Object(structuredContent), session } }),
  };
}

/** Writes the calls that an error suggests as calls of the protocol's tools. */
function rewriteHints(text: string, tool: ResultOptions['tool'] = 'call'): string {
  return text.replaceAll(/^Try: (?:@([\w.-]+)\(\)|(\{.*\}))/gm, (line: string, place?: string, json = '') => {
    if (place !== undefined) return `Try: see(${JSON.stringify({ place })})`;
    const { name, arguments: args } = Object(readData(json)) as {
      readonly name?: unknown;
      readonly arguments?: object;
    };
    if (typeof name !== 'string' || args === undefined) return line;
    const { target } = args as { readonly target?: unknown };
    if (name === 'read' && /^result:\d+$/.test(String(target)))
      return `Try: read_result(${JSON.stringify({ result: target })})`;
    const at = name.lastIndexOf('.');
    const address = { ...(at > 0 && { place: name.slice(0, at) }), tool: name.slice(at + 1) };
    return `Try: ${tool}(${JSON.stringify({ ...address, arguments: args })})`;
  });
}

/** A tool that fits a question. */
interface FoundTool {
  readonly place: string;
  readonly tool: Pick<ToolDefinition, 'name' | 'description'>;
}

/** Lists tools that fit a question, one per line. */
export function listFound(found: readonly FoundTool[], query: string): CallToolResult {
  const tools = found.map(({ place, tool: { name, description } }) => ({
    place,
    tool: name,
    description: description.trim().split('\n', 1)[0]!.slice(0, 100),
  }));
  const lines = tools.map(({ place, tool, description }) => `${place}  ${tool} -- ${description}`);
  const text = lines.join('\n') || `Nothing fits ${JSON.stringify(query)}. See home: see().`;
  return { content: [{ type: 'text', text }], structuredContent: { tools } };
}

/** Reads the object or list that a text is; undefined for any other text. */
function readData(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

type Media = NonNullable<ToolResult['media']>[number];

/** Converts a kept image, sound or file, stored as a data URL, for the protocol; undefined if it is no longer kept. */
function toBlock({ type, mediaType, ref, name = ref }: Media, results: ResultStore): ContentBlock | undefined {
  const kept = results.get(ref);
  if (kept === undefined) return undefined;
  const data = kept.slice(kept.indexOf('base64,') + 'base64,'.length);
  if (type !== 'file') return { type, mimeType: mediaType, data };
  const uri = `bae:${ref}/${encodeURIComponent(name)}`;
  return { type: 'resource', resource: { uri, mimeType: mediaType, blob: data } };
}
