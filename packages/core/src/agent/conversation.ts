import { renderFeedback } from '../feedback/render-feedback.ts';
import { UNITS_PER_TOKEN } from '../protocol/limits.ts';
import type { Media, Message } from '../protocol/model.ts';
import type { ResultStore } from '../protocol/pruner.ts';
import type { SessionSnapshot } from '../protocol/session-log.ts';
import { countUnits, formatCount } from '../text-size/text-size.ts';
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
  #sizes: number[] = [];
  /** The sum of the sizes. */
  #size = 0;
  #messages: Message[] = [];
  /** How many messages, from the first on, have no results left to mask. */
  #masked = 0;
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
    return Math.round(this.#size * this.#scale);
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
    if (this.#size > 0) this.#scale = Math.min(MOST_SCALE, Math.max(1, inputTokens / this.#size));
  }

  /**
   * Makes the conversation smaller until it has at most `target` tokens: replaces old results by their handles, oldest
   * first, and where that is not enough, leaves out the oldest steps that were nothing but calls and their results.
   * Prompts and answers stay, and the newest message to the model stays whole.
   *
   * @returns how many messages were masked and steps left out, and the estimated tokens before and after
   */
  mask(target: number, results: ResultStore) {
    const before = this.tokens;
    const newest = this.#messages.findLastIndex(({ role }) => role === 'user');
    const list = [...this.#messages];
    let messages = 0;
    for (; this.tokens > target && this.#masked < newest; this.#masked++) {
      const message = list[this.#masked]!;
      if (message.role !== 'user') continue;
      const text = maskResults(message.text, results);
      if (text === message.text && message.media === undefined) continue;
      this.#replace(list, this.#masked, { role: message.role, text });
      messages++;
    }
    this.#messages = list;
    const steps = this.tokens > target ? this.#leaveOutSteps(target, newest) : 0;
    return { messages, steps, before, after: this.tokens };
  }

  /** @returns how many steps before the newest message were left out */
  #leaveOutSteps(target: number, newest: number): number {
    const list: Message[] = [];
    const sizes = this.#sizes;
    this.#sizes = [];
    let steps = 0;
    // The message that the steps followed says how many they were.
    let followed = 0;
    const note = (): void => {
      const last = list.length - 1;
      if (followed > 0) this.#replace(list, last, { ...list[last]!, text: noteLeftOut(list[last]!.text, followed) });
      followed = 0;
    };
    for (let index = 0; index < this.#messages.length; index++) {
      const [message, next] = [this.#messages[index]!, this.#messages[index + 1]];
      const isStep = message.role === 'assistant' && index + 1 < newest && next !== undefined && hasOnlyResults(next);
      if (isStep && this.tokens > target) {
        this.#size -= sizes[index]! + sizes[index + 1]!;
        index++;
        followed++;
        steps++;
      } else {
        note();
        list.push(message);
        this.#sizes.push(sizes[index]!);
      }
    }
    this.#messages = list;
    this.#masked -= 2 * steps;
    return steps;
  }

  #replace(list: Message[], index: number, message: Message): void {
    const size = estimateSize(message);
    list[index] = message;
    this.#size += size - this.#sizes[index]!;
    this.#sizes[index] = size;
  }

  async #add(message: Message): Promise<void> {
    this.#append(message);
    await this.#recorder.record({ kind: 'message', message });
  }

  #append(message: Message): void {
    const size = estimateSize(message);
    this.#messages.push(message);
    this.#sizes.push(size);
    this.#size += size;
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

const LOCATION = /^\[Location: .*\]\n/;

/** True for a message to the model in which nobody says anything: a location, and what tools returned. */
function hasOnlyResults({ text, media }: Message): boolean {
  return media === undefined && splitFrames(text.replace(LOCATION, '')).rest.trim() === '';
}

const LEFT_OUT = /\n\n\[Note\] (\d+) steps? after this (?:was|were) left out to make room\.$/;

/** A message, with the number of steps that followed it and are left out, those of before included. */
function noteLeftOut(text: string, steps: number): string {
  const all = Number(LEFT_OUT.exec(text)?.[1] ?? 0) + steps;
  const were = all === 1 ? 'was' : 'were';
  return `${text.replace(LEFT_OUT, '')}\n\n[Note] ${formatCount(all, 'step')} after this ${were} left out to make room.`;
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
