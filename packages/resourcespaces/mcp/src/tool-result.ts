import type { ToolOutput } from '@bae/core';
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import { ServerError } from './server-error.ts';

/**
 * What a server returned, as text; code gets the structured content where there is some.
 *
 * @throws ServerError with the server's text when it reports an error
 */
export function toOutput(server: string, { content, structuredContent, isError }: CallToolResult): ToolOutput {
  const text = content.map(renderBlock).join('\n');
  if (isError === true) throw new ServerError(text === '' ? `${server} reports an error without a text.` : text);
  if (structuredContent === undefined || structuredContent === null) return { text };
  const whole = () => structuredContent;
  return text === ''
    ? { text: JSON.stringify(structuredContent, undefined, 2), format: 'json', whole }
    : { text, whole };
}

/** A part of a result as text: what is not text is named. */
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
