import type { Message } from '../protocol/message.ts';

/**
 * What the model has been told and has said.
 *
 * It only grows: a message that was sent is never changed, so a provider's prompt cache stays warm.
 */
export class Conversation {
  private readonly list: Message[];
  private waiting: string[] = [];

  constructor(systemPrompt: string) {
    this.list = [{ role: 'system', text: systemPrompt }];
  }

  get messages(): readonly Message[] {
    return this.list;
  }

  /** Keeps a text for the beginning of the next message to the model: what a cancelled turn had done. */
  hold(text: string): void {
    this.waiting.push(text);
  }

  /** Adds the next message to the model: location first, then what was held back, then the text. */
  tell(location: string, text: string): void {
    const parts = [...this.waiting, text].filter((part) => part !== '');
    this.waiting = [];
    this.list.push({ role: 'user', text: `${location}\n${parts.join('\n\n')}` });
  }

  /** Adds what the model answered. */
  heard(text: string): void {
    this.list.push({ role: 'assistant', text });
  }
}
