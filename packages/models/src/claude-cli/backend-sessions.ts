import type { Message } from '@bae/core';

/** Backend session that a conversation continues. */
export interface ResumedSession {
  readonly id: string;
  /** Messages since the last response: at least one, all from the user. */
  readonly newMessages: readonly Message[];
}

interface KeptSession {
  readonly id: string;
  /** Whole conversation so far, including the last response. */
  readonly messages: readonly Message[];
}

/** Maximum number of kept sessions; the least recently used one is dropped first. */
const MOST_SESSIONS = 32;

/**
 * Mapping of conversations to sessions of the backend.
 *
 * A session is handed out once and must be kept again after a successful response. One that was cancelled or failed is
 * therefore never reused: its backend may have received messages that the conversation does not contain.
 */
export class BackendSessions {
  #sessions: readonly KeptSession[] = [];

  /** Removes and returns the session that a conversation continues; undefined if there is none. */
  take(messages: readonly Message[]): ResumedSession | undefined {
    const session = this.#sessions.find((kept) => isContinued(kept.messages, messages));
    if (session === undefined) return undefined;
    this.#sessions = this.#sessions.filter((kept) => kept !== session);
    return { id: session.id, newMessages: messages.slice(session.messages.length) };
  }

  /** Keeps a session that has received these messages and given this response. */
  keep(id: string, messages: readonly Message[], response: string): void {
    const session: KeptSession = { id, messages: [...messages, { role: 'assistant', text: response }] };
    this.#sessions = [session, ...this.#sessions].slice(0, MOST_SESSIONS);
  }

  clear(): void {
    this.#sessions = [];
  }
}

function isContinued(kept: readonly Message[], messages: readonly Message[]): boolean {
  if (messages.length <= kept.length) return false;
  const isBeginning = kept.every(({ role, text }, index) => {
    const message = messages[index]!;
    return role === message.role && text === message.text;
  });
  return isBeginning && messages.slice(kept.length).every(({ role }) => role === 'user');
}

/** Joins the texts of one side of a conversation. */
export function joinTexts(messages: readonly Message[], side: Message['role']): string {
  const texts = messages.filter(({ role }) => role === side).map(({ text }) => text);
  return texts.join('\n\n');
}

/**
 * Maximum length of a conversation, in bytes. Linux accepts 128 KiB per argument; the rest is for the opening lines.
 */
const LONGEST_BYTES = 120 * 1024;

/**
 * Renders the prompt for a new session: the only message, or the conversation so far.
 *
 * If a conversation is too long for a command line, the oldest messages are omitted.
 */
export function renderConversation(messages: readonly Message[]): string {
  const spoken = messages.filter(({ role }) => role !== 'system');
  const only = spoken.length === 1 ? spoken[0] : undefined;
  if (only !== undefined) return only.text;
  const blocks = spoken.map(({ role, text }) => `--- ${role} ---\n${text}`);
  const newest = dropOldest(blocks);
  const left = blocks.length - newest.length;
  const gap = left === 0 ? [] : [`(${left} earlier ${left === 1 ? 'message' : 'messages'} left out)`];
  return ['The conversation so far, oldest message first. Answer the last one.', ...gap, ...newest].join('\n\n');
}

function dropOldest(blocks: readonly string[]): readonly string[] {
  let bytes = 0;
  let start = blocks.length;
  while (start > 0) {
    bytes += Buffer.byteLength(blocks[start - 1]!) + 2;
    // The last message is always kept, because without it there is nothing to respond to.
    if (bytes > LONGEST_BYTES && start < blocks.length) break;
    start--;
  }
  return blocks.slice(start);
}
