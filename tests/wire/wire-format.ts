import type { WireReply } from './wire-reply.ts';

/** A message as it came over the wire, in words that all formats share. */
export interface WireMessage {
  readonly role: string;
  readonly text: string;
}

/** One streaming protocol of a model service. */
export interface WireFormat {
  /** Path of a request: `/v1/messages`. */
  readonly path: string;
  /** Server-sent events of a reply, each with its blank line. */
  events(reply: WireReply): readonly string[];
  /** An error in the middle of a stream, as one event. */
  errorEvent(message: string): string;
  /** Body of an answer with an error status. */
  errorBody(message: string): string;
  /** System prompt and messages of a request. */
  messages(body: unknown): readonly WireMessage[];
}

/** A text in pieces of so many characters, or one more where a piece would end within a pair. */
export function pieces(text: string, size = 8): readonly string[] {
  const all: string[] = [];
  for (let start = 0; start < text.length;) {
    const last = text.charCodeAt(start + size - 1);
    const end = start + size + (last >= 0xd800 && last < 0xdc00 ? 1 : 0);
    all.push(text.slice(start, end));
    start = end;
  }
  return all;
}

/** The text of a content that is a string or a list of text parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? (content as readonly { readonly text?: unknown }[]) : [];
  return parts.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}
