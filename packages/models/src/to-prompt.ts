import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Message } from '@bae/core';

/**
 * A conversation in the form the AI SDK takes.
 *
 * Messages of blanks only are left out, because several services refuse a request that has one.
 */
export function toPrompt(messages: readonly Message[]): LanguageModelV4Prompt {
  return messages.filter(({ text }) => text.trim() !== '').map(toPromptMessage);
}

function toPromptMessage({ role, text }: Message): LanguageModelV4Prompt[number] {
  if (role === 'system') return { role, content: text };
  return { role, content: [{ type: 'text', text }] };
}
