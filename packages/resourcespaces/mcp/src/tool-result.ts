import { fileURLToPath } from 'node:url';
import { BaeError, type ToolOutput } from '@bae/core';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { locateBelow } from '@bae/workspace';

/** A call of a server's tool, for the error that the server may report. */
interface ServerCall {
  readonly server: string;
  /** The call that explains the tool. */
  readonly help: string;
}

/**
 * Converts a server's result to text; code gets the structured content, if there is any.
 *
 * @throws ServerError with the server's text if it reports an error
 */
export function toOutput(
  { content, structuredContent, isError }: CallToolResult,
  { server, help }: ServerCall,
): ToolOutput {
  if (isError === true) {
    const text = content.map(renderBlock).join('\n').trimEnd();
    throw new ServerError(text === '' ? `${server} reports an error without a text.` : text, [help]);
  }
  const output = joinBlocks(content);
  if (structuredContent === undefined || structuredContent === null) return output;
  const whole = () => structuredContent;
  return output.text === '' && output.attachments === undefined
    ? { text: JSON.stringify(structuredContent, undefined, 2), format: 'json', whole }
    : { ...output, whole };
}

/** Joins blocks to one result: texts are joined by line breaks, other blocks are attached. */
export function joinBlocks(blocks: readonly ContentBlock[]): ToolOutput {
  const parts = blocks.map((block) => toAttachment(block) ?? renderBlock(block));
  const attachments = parts.filter((part) => typeof part !== 'string');
  const text = parts.filter((part) => typeof part === 'string').join('\n');
  return attachments.length === 0 ? { text } : { text, attachments };
}

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+$/;
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

type Attachment = NonNullable<ToolOutput['attachments']>[number];

/** Converts a block to an attachment; undefined for text, and for malformed blocks. */
function toAttachment(block: ContentBlock): Attachment | undefined {
  if (block.type === 'resource_link') {
    const { uri: url, name, description } = block;
    return URL.canParse(url)
      ? { type: 'link', url, name, ...(description !== undefined && { description }) }
      : undefined;
  }
  const [type, mediaType, data, name] =
    block.type === 'resource' && 'blob' in block.resource
      ? ([
          toMediaKind(block.resource.mimeType),
          block.resource.mimeType,
          block.resource.blob,
          getFileName(block.resource.uri),
        ] as const)
      : block.type === 'image' || block.type === 'audio'
        ? ([block.type, block.mimeType, block.data, undefined] as const)
        : [];
  if (type === undefined || data === undefined || !BASE64.test(data)) return undefined;
  const known = mediaType?.split(';', 1)[0] ?? 'application/octet-stream';
  return MEDIA_TYPE.test(known) ? { type, mediaType: known, data, ...(name !== undefined && { name }) } : undefined;
}

function toMediaKind(mediaType = ''): 'image' | 'audio' | 'file' {
  return mediaType.startsWith('image/') ? 'image' : mediaType.startsWith('audio/') ? 'audio' : 'file';
}

/** Returns the last part of an address. */
function getFileName(uri: string): string | undefined {
  return /[^/]+$/.exec(uri)?.[0];
}

/** Renders a block as text: other content is described in a line. */
export function renderBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}: ${block.mimeType}, ${formatSize(block.data.length * 0.75)}]`;
    case 'resource_link':
      return `[link: ${block.name} ${block.uri}${block.description === undefined ? '' : ` -- ${block.description}`}]`;
    case 'resource':
      return 'text' in block.resource
        ? block.resource.text
        : `[file: ${block.resource.uri}, ${formatSize(block.resource.blob.length * 0.75)}]`;
    default:
      return `[${String((block as { readonly type: unknown }).type)}]`;
  }
}

function formatSize(bytes: number): string {
  return bytes < 1000 ? `${Math.round(bytes)} bytes` : `${Math.round(bytes / 1000)} kB`;
}

/** Converts a server's text to one line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Cuts a server's name of something down to letters, for a sentence written by bae. */
export function reduceToLetters(name: string): string {
  return name.slice(0, 60).replaceAll(/[^\w-]+/g, '_');
}

/**
 * Thrown when a server does not start, answer, or accept a call. The message names the server; everything else keeps
 * working.
 */
export class ServerError extends BaeError.withCode({ code: 'BAE_SERVER' }) {}

/** Maximum number of blocks whose addresses are looked at. */
const MOST_BLOCKS = 500;

/** Lists the files of a folder that a result links to or contains, as paths below the folder. */
export function listNamedFiles(blocks: readonly ContentBlock[], folder: string): readonly string[] {
  return blocks.slice(0, MOST_BLOCKS).flatMap((block) => {
    if (block.type === 'resource_link') return findFile(block.uri, folder);
    return block.type === 'resource' ? findFile(block.resource.uri, folder) : [];
  });
}

function findFile(uri: string, folder: string): readonly string[] {
  if (!/^file:/i.test(uri)) return [];
  try {
    return [locateBelow(folder, fileURLToPath(uri)) ?? []].flat();
  } catch {
    // The address of a file may be one of another machine.
    return [];
  }
}
