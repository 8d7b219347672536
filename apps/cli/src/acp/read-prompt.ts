import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ContentBlock } from '@agentclientprotocol/sdk';
import type { Agent } from '@bae/core';

type Attachments = NonNullable<NonNullable<Parameters<Agent['ask']>[1]>['attachments']>;

/** Converts a prompt of an editor to text and images. Attachments are named, with their text if the editor sends it. */
export function readPromptBlocks(blocks: readonly ContentBlock[]): {
  readonly text: string;
  readonly attachments: Attachments;
  /** Parts of the text that the user did not write. */
  readonly quoted: readonly string[];
} {
  const attachments = blocks.flatMap((block) =>
    block.type === 'image' ? [{ type: 'image' as const, mediaType: block.mimeType, data: block.data }] : [],
  );
  const texts = blocks.map(readBlock).filter((text) => text !== '');
  const text = texts.length === 0 && attachments.length > 0 ? 'Look at this.' : texts.join('\n\n');
  const quoted = blocks.flatMap((block) =>
    block.type === 'resource' && 'text' in block.resource ? [block.resource.text] : [],
  );
  return { text, attachments, quoted };
}

function readBlock(block: ContentBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'image') return '';
  if (block.type === 'resource_link') return `Attached: ${toPath(block.uri)}`;
  if (block.type === 'resource' && 'text' in block.resource)
    return `Attached: ${toPath(block.resource.uri)}\n\n${block.resource.text}`;
  return `(attached: ${block.type}, which cannot be read here)`;
}

function toPath(uri: string): string {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
  } catch {
    return basename(uri);
  }
}
