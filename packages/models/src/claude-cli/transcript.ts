import type { Message } from '@bae/core';

/** Linux takes at most 128 KiB as one argument of a command; the rest is for the opening lines. */
const LONGEST_BYTES = 120 * 1024;

/** The instructions of a conversation: its system messages as one text. */
export function instructionsOf(messages: readonly Message[]): string {
  return textsOf(messages, 'system').join('\n\n');
}

/** What a backend that heard everything before is told: the user's messages. */
export function newsPrompt(messages: readonly Message[]): string {
  return textsOf(messages, 'user').join('\n\n');
}

/**
 * What a backend that heard nothing yet is told: the only message, or the conversation so far.
 *
 * Of a conversation too long for a command line the oldest messages are left out.
 */
export function openingPrompt(messages: readonly Message[]): string {
  const spoken = messages.filter(({ role }) => role !== 'system');
  const only = spoken.length === 1 ? spoken[0] : undefined;
  if (only !== undefined) return only.text;
  const blocks = spoken.map(({ role, text }) => `--- ${role} ---\n${text}`);
  const shown = newest(blocks);
  const left = blocks.length - shown.length;
  const gap = left === 0 ? [] : [`(${left} earlier ${left === 1 ? 'message' : 'messages'} left out)`];
  return ['The conversation so far, oldest message first. Answer the last one.', ...gap, ...shown].join('\n\n');
}

function newest(blocks: readonly string[]): readonly string[] {
  let bytes = 0;
  let start = blocks.length;
  while (start > 0) {
    bytes += Buffer.byteLength(blocks[start - 1]!) + 2;
    // The last message is always shown: without it there is nothing to answer.
    if (bytes > LONGEST_BYTES && start < blocks.length) break;
    start--;
  }
  return blocks.slice(start);
}

function textsOf(messages: readonly Message[], role: Message['role']): readonly string[] {
  return messages.filter((message) => message.role === role).map(({ text }) => text);
}
