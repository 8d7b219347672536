import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Message } from '@bae/core';

/**
 * A conversation in the form the AI SDK takes.
 *
 * Messages of blanks only are left out, because several services refuse a request that has one. Messages
 * of one side after another, as a failed turn leaves them, are one message of several parts, because
 * several services insist on taking turns.
 */
export function toPrompt(messages: readonly Message[]): LanguageModelV4Prompt {
  const prompt: LanguageModelV4Prompt = [];
  for (const { role, text } of messages) {
    if (text.trim() === '') continue;
    const before = prompt.at(-1);
    if (role === 'system') prompt.push({ role, content: text });
    else if (before?.role === role) before.content.push({ type: 'text', text });
    else prompt.push({ role, content: [{ type: 'text', text }] });
  }
  return prompt;
}
