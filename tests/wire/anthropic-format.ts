import { contentText, pieces, type WireFormat, type WireMessage } from './wire-format.ts';
import { WIRE_USAGE, type WireReply } from './wire-reply.ts';

const STOP = { stop: 'end_turn', length: 'max_tokens', 'content-filter': 'refusal' } as const;

/** Anthropic's messages as server-sent events. */
export const ANTHROPIC_FORMAT: WireFormat = {
  path: '/v1/messages',
  events({ text, finish = 'stop', chunk }: WireReply) {
    const deltas = pieces(text, chunk).map((piece) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: piece } }),
    );
    return [
      event('message_start', { message: message() }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('ping', {}),
      ...deltas,
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: STOP[finish], stop_sequence: null },
        usage: { output_tokens: WIRE_USAGE.outputTokens },
      }),
      event('message_stop', {}),
    ];
  },
  errorEvent: (message) => event('error', { error: { type: 'overloaded_error', message } }),
  errorBody: (message) => JSON.stringify({ type: 'error', error: { type: 'api_error', message } }),
  messages(body) {
    const request = body as { readonly system?: unknown; readonly messages: readonly RequestMessage[] };
    const system = contentText(request.system);
    const first: readonly WireMessage[] = system === '' ? [] : [{ role: 'system', text: system }];
    return [...first, ...request.messages.map(({ role, content }) => ({ role, text: contentText(content) }))];
  },
};

interface RequestMessage {
  readonly role: string;
  readonly content: unknown;
}

function message(): object {
  const { inputTokens, cachedTokens } = WIRE_USAGE;
  const usage = {
    input_tokens: inputTokens - cachedTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation_input_tokens: 0,
    output_tokens: 1,
  };
  const empty = { content: [], stop_reason: null, stop_sequence: null };
  return { id: 'msg_1', type: 'message', role: 'assistant', model: 'wire', ...empty, usage };
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
