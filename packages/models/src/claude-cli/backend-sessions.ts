import type { Message } from '@bae/core';

/** A conversation that the backend can go on with, and what it has not heard yet. */
export interface ResumedSession {
  readonly id: string;
  /** Messages since the last response; at least one, all of them the user's. */
  readonly news: readonly Message[];
}

interface KeptSession {
  readonly id: string;
  /** Everything said so far, the last response included. */
  readonly heard: readonly Message[];
}

/** Conversations remembered at once; the one not used for longest is forgotten first. */
const KEPT = 32;

/**
 * Knows which backend session has heard which conversation.
 *
 * A session is handed out once and must be kept again after a good response. One that was cancelled or
 * failed is therefore never used again: its backend may have heard what the conversation does not hold.
 */
export class BackendSessions {
  private sessions: readonly KeptSession[] = [];

  /** Takes out the session that a conversation continues; undefined when there is none. */
  take(messages: readonly Message[]): ResumedSession | undefined {
    const session = this.sessions.find(({ heard }) => continues(messages, heard));
    if (session === undefined) return undefined;
    this.sessions = this.sessions.filter((kept) => kept !== session);
    return { id: session.id, news: messages.slice(session.heard.length) };
  }

  /** Remembers that a session has heard these messages and answered with this text. */
  keep(id: string, messages: readonly Message[], response: string): void {
    const heard: readonly Message[] = [...messages, { role: 'assistant', text: response }];
    this.sessions = [{ id, heard }, ...this.sessions].slice(0, KEPT);
  }

  /** Forgets everything. */
  clear(): void {
    this.sessions = [];
  }
}

function continues(messages: readonly Message[], heard: readonly Message[]): boolean {
  if (messages.length <= heard.length) return false;
  const news = messages.slice(heard.length);
  return news.every(({ role }) => role === 'user') && heard.every((message, index) => same(message, messages[index]));
}

function same(left: Message, right: Message | undefined): boolean {
  return left.role === right?.role && left.text === right.text;
}
