import { contentText, pieces, type WireFormat, type WireMessage } from './wire-format.ts';
import { WIRE_USAGE, type WireReply } from './wire-reply.ts';

const FINISH = { stop: 'stop', length: 'length', 'content-filter': 'content_filter' } as const;

/** OpenAI's chat completions as server-sent events, which most services and local servers speak. */
export const OPENAI_FORMAT: WireFormat = {
  path: '/v1/chat/completions',
  events({ text, finish = 'stop', chunk }: WireReply) {
    const deltas = pieces(text, chunk).map((content) => choice({ content }, null));
    const usage = {
      prompt_tokens: WIRE_USAGE.inputTokens,
      completion_tokens: WIRE_USAGE.outputTokens,
      total_tokens: WIRE_USAGE.inputTokens + WIRE_USAGE.outputTokens,
      prompt_tokens_details: { cached_tokens: WIRE_USAGE.cachedTokens },
    };
    const last = { ...frame(), choices: [], usage };
    const all = [choice({ role: 'assistant', content: '' }, null), ...deltas, choice({}, FINISH[finish]), last];
    return [...all.map(event), 'data: [DONE]\n\n'];
  },
  errorEvent: (message) => event({ error: { message, type: 'server_error', param: null, code: null } }),
  errorBody: (message) => JSON.stringify({ error: { message, type: 'server_error', param: null, code: null } }),
  messages(body) {
    const { messages } = body as { readonly messages: readonly { readonly role: string; readonly content: unknown }[] };
    return messages.map(({ role, content }): WireMessage => ({ role, text: contentText(content) }));
  },
};

function frame(): object {
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'wire' };
}

function choice(delta: object, finishReason: string | null): object {
  return { ...frame(), choices: [{ index: 0, delta, finish_reason: finishReason }] };
}

function event(data: object): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
