import type { Message } from '../protocol/model.ts';
import type { ResultStore } from '../protocol/pruner.ts';
import { UNITS_PER_TOKEN } from '../protocol/limits.ts';
import { units } from '../text-size/units.ts';
import { maskResults } from './mask-results.ts';
import type { SessionRecorder } from './session-recorder.ts';

/** What a conversation begins with: a system prompt, or what was said before a restart. */
export interface ConversationStart {
  readonly messages: readonly Message[];
  /** Texts that wait for the next message. */
  readonly held?: readonly string[];
}

/** What masking achieved. */
export interface Masking {
  /** Messages of which the results were masked. */
  readonly messages: number;
  /** Estimated tokens before and after. */
  readonly before: number;
  readonly after: number;
}

/**
 * What the model has been told and has said.
 *
 * It only grows: a message that was sent is never changed, so a provider's prompt cache stays warm. The
 * one exception is masking, which starts a new beginning.
 */
export class Conversation {
  private list: Message[] = [];
  private waiting: readonly string[];
  private readonly sizes: number[] = [];

  constructor(
    start: ConversationStart,
    private readonly recorder: SessionRecorder,
  ) {
    for (const message of start.messages) this.add(message);
    this.waiting = start.held ?? [];
  }

  get messages(): readonly Message[] {
    return this.list;
  }

  /** Estimated size of everything, in tokens. */
  get tokens(): number {
    return this.sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Keeps a text for the beginning of the next message to the model: what a cancelled turn had done. */
  async hold(text: string): Promise<void> {
    if (text === '') return;
    this.waiting = [...this.waiting, text];
    await this.recorder.record({ kind: 'held', text });
  }

  /** Adds the next message to the model: location first, then what was held back, then the text. */
  async tell(location: string, text: string): Promise<void> {
    const parts = [...this.waiting, text].filter((part) => part !== '');
    this.waiting = [];
    await this.say({ role: 'user', text: `${location}\n${parts.join('\n\n')}` });
  }

  /** Adds what the model answered. */
  heard(text: string): Promise<void> {
    return this.say({ role: 'assistant', text });
  }

  /**
   * Replaces old results by their handles, oldest first, until the conversation has at most so many
   * tokens. The newest message to the model stays whole.
   */
  mask(target: number, results: ResultStore): Masking {
    const before = this.tokens;
    const newest = this.list.findLastIndex(({ role }) => role === 'user');
    const list = [...this.list];
    let messages = 0;
    for (const [index, message] of list.entries()) {
      if (this.tokens <= target || index >= newest) break;
      if (message.role !== 'user') continue;
      const text = maskResults(message.text, results);
      if (text === message.text) continue;
      list[index] = { ...message, text };
      this.sizes[index] = tokensOf(text);
      messages++;
    }
    this.list = list;
    return { messages, before, after: this.tokens };
  }

  private async say(message: Message): Promise<void> {
    this.add(message);
    await this.recorder.record({ kind: 'message', message });
  }

  private add(message: Message): void {
    this.list.push(message);
    this.sizes.push(tokensOf(message.text));
  }
}

function tokensOf(text: string): number {
  return Math.ceil(units(text) / UNITS_PER_TOKEN);
}
