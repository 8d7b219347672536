import { renderFeedback } from '../feedback/render-feedback.ts';
import { UNITS_PER_TOKEN } from '../protocol/limits.ts';
import type { Media, Message } from '../protocol/model.ts';
import type { ResultStore } from '../protocol/pruner.ts';
import type { SessionSnapshot } from '../protocol/session-log.ts';
import { countUnits } from '../text-size/text-size.ts';
import { INTERRUPTED } from '../tool-router/abort.ts';
import { parsePath, type SpaceTree } from '../protocol/space-path.ts';
import { describeDetails } from '../tool-spec/effect-details.ts';
import type { Session, SessionRecorder } from './session.ts';

/** A report that is further off than this is not about the messages. */
const MOST_SCALE = 4;

/** Results up to this size stay: a handle would hardly be shorter, in units. */
const SMALL = 200;
const FRAME = /^\[(Tool output|Output) ([0-9a-f]{6}|[0-9a-f]{16})\]\n([\s\S]*?)\n\[end \2\]$/gm;
const HEADER = /^#(\d+) .*$/;
const HANDLE = /(?:full|next): <R:(result:\d+)(?::[\d-]+)?>\]?$/;

/** What a conversation begins with: the system prompt, or the messages before a restart. */
export interface ConversationStart {
  readonly messages: readonly Message[];
  /** Texts that wait for the next message. */
  readonly held?: readonly string[];
}

/** Begins or resumes a conversation; the nonce is for the frame around results that were not sent before a restart, the registry for calls that have not ended. */
export function startConversation(
  systemPrompt: string,
  snapshot: SessionSnapshot | undefined,
  { nonce, registry }: Pick<Session, 'nonce' | 'registry'>,
): ConversationStart {
  const system = { role: 'system', text: systemPrompt } as const;
  if (snapshot === undefined) return { messages: [system] };
  const messages = snapshot.messages[0]?.role === 'system' ? snapshot.messages : [system, ...snapshot.messages];
  const notes = snapshot.unfinished.map(
    ({ tag, space, verb = '' }) => `${tag} [${space}] was ${explainInterruption(registry, space, verb)}`,
  );
  const missed = renderFeedback({ nonce, items: snapshot.unsent, outputs: [], problems: [], notes });
  return { messages, held: [...snapshot.held, ...(missed === '' ? [] : [missed])] };
}

/** What to do about a call whose end is not known, by what its tool does. */
function explainInterruption(registry: SpaceTree, space: string, verb: string): string {
  const tool = verb === '' ? undefined : registry.at(parsePath(space))?.tools[verb];
  if (tool?.effect === 'read') return 'interrupted. It changes nothing: call it again.';
  if (tool?.idempotent === true)
    return 'interrupted, outcome unknown. A second call changes nothing more: call it again.';
  return tool === undefined
    ? INTERRUPTED
    : [INTERRUPTED, ...describeDetails(tool).map((one) => `It ${one}.`)].join(' ');
}

/**
 * The messages between a session and its model. Only masking changes a message that was sent, so that a provider's
 * prompt cache stays warm.
 */
export class Conversation {
  /** How many tokens the provider counts for each estimated one. */
  #scale = 1;
  readonly #recorder: SessionRecorder;
  readonly #sizes: number[] = [];
  #messages: Message[] = [];
  #held: readonly string[];

  constructor({ messages, held = [] }: ConversationStart, recorder: SessionRecorder) {
    this.#recorder = recorder;
    for (const message of messages) this.#append(message);
    this.#held = held;
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Estimated size of everything, in tokens. */
  get tokens(): number {
    return Math.round(this.#sizes.reduce((sum, size) => sum + size, 0) * this.#scale);
  }

  /** Keeps a text for the beginning of the next message to the model: what a cancelled turn had done. */
  async hold(text: string): Promise<void> {
    if (text === '') return;
    this.#held = [...this.#held, text];
    await this.#recorder.record({ kind: 'held', text });
  }

  /** Adds the next message to the model: location, held texts, then the text. */
  async addUserMessage(location: string, text: string, media: readonly Media[] = []): Promise<void> {
    const parts = [...this.#held, text].filter((part) => part !== '');
    this.#held = [];
    const message = { role: 'user', text: `${location}\n${parts.join('\n\n')}` } as const;
    await this.#add(media.length === 0 ? message : { ...message, media });
  }

  addResponse(text: string): Promise<void> {
    return this.#add({ role: 'assistant', text });
  }

  /** Takes what the provider counted for all messages so far, where that is more than the estimate. */
  noteReportedTokens(inputTokens: number): void {
    const estimated = this.#sizes.reduce((sum, size) => sum + size, 0);
    if (estimated > 0) this.#scale = Math.min(MOST_SCALE, Math.max(1, inputTokens / estimated));
  }

  /**
   * Replaces old results by their handles, oldest first, until the conversation has at most `target` tokens. The newest
   * message to the model stays whole.
   *
   * @returns the number of messages that were changed, and the estimated tokens before and after
   */
  mask(target: number, results: ResultStore) {
    const before = this.tokens;
    const newest = this.#messages.findLastIndex(({ role }) => role === 'user');
    const list = [...this.#messages];
    let messages = 0;
    for (const [index, message] of list.entries()) {
      if (this.tokens <= target || index >= newest) break;
      if (message.role !== 'user') continue;
      const text = maskResults(message.text, results);
      if (text === message.text && message.media === undefined) continue;
      list[index] = { role: message.role, text };
      this.#sizes[index] = estimateSize({ text });
      messages++;
    }
    this.#messages = list;
    return { messages, before, after: this.tokens };
  }

  async #add(message: Message): Promise<void> {
    this.#append(message);
    await this.#recorder.record({ kind: 'message', message });
  }

  #append(message: Message): void {
    this.#messages.push(message);
    this.#sizes.push(estimateSize(message));
  }
}

/** Tokens of an image, about; and bytes of other media that are one token. */
const IMAGE_TOKENS = 1600;
const MEDIA_BYTES_PER_TOKEN = 50;

function estimateSize({ text, media = [] }: Pick<Message, 'text' | 'media'>): number {
  const sizes = media.map(({ type, bytes }) => (type === 'image' ? IMAGE_TOKENS : bytes / MEDIA_BYTES_PER_TOKEN));
  return Math.ceil(sizes.reduce((sum, size) => sum + size, countUnits(text) / UNITS_PER_TOKEN));
}

/** Splits a message to the model into what tools have returned and everything else: the words of the user and of bae. */
export function splitFrames(message: string): { readonly results: readonly string[]; readonly rest: string } {
  const results = Array.from(message.matchAll(FRAME), ([, , , body = '']) => body);
  return { results, rest: message.replaceAll(FRAME, '') };
}

/** Replaces the results in a message to the model by their header lines and handles; all outside the frames stays. */
export function maskResults(message: string, results: ResultStore): string {
  return message.replace(FRAME, (...match: string[]) => {
    const [, kind = '', nonce = '', body = ''] = match;
    const masked =
      kind === 'Output'
        ? body.split('\n---\n').map((part) => maskText(part, results))
        : splitResults(body).map((part) =>
            part.replace(/\n([^]*)$/, (_, text: string) => `\n${maskText(text, results)}`),
          );
    return `[${kind} ${nonce}]\n${masked.join('\n---\n')}\n[end ${nonce}]`;
  });
}

/** The results of a frame; a separator counts only before the header of the next number. */
function splitResults(body: string): readonly string[] {
  const parts: string[] = [];
  for (const piece of body.split('\n---\n')) {
    const header = HEADER.exec(piece.split('\n', 1)[0] ?? '');
    if (parts.length === 0 || header?.[1] === String(parts.length + 1)) parts.push(piece);
    else parts.push(`${parts.pop()}\n---\n${piece}`);
  }
  return parts;
}

function maskText(text: string, results: ResultStore): string {
  if (countUnits(text) <= SMALL) return text;
  const ref = HANDLE.exec(text)?.[1] ?? results.keep(text);
  return `(masked: ${text.split('\n').length} lines; full: <R:${ref}>)`;
}
