// The handler of `bae mcp serve --http` with the tools that the conformance suite of the protocol wants as a space of the
// agent: `node suite-server.ts` prints its address. Calls by the names of the suite are calls of the tool `call`: everything
// behind that is bae's.
import { setTimeout as delay } from 'node:timers/promises';
import { allowAll, createAgent, defineResourcespace, tool, type ToolContext } from '@bae/core';
import { ClientConsent, serveAgent, serveHttp } from '@bae/mcp-server';
import { z } from 'zod';
import { openWithToken } from './with-token.ts';

type Question = Parameters<ToolContext['ask']>[0];

const TOKEN = 'secret of the tests';

/** Asks the person, and says what came. */
const ask = (text: string, fields: Question['fields']) => async (_: unknown, context: ToolContext) => {
  const replies = await context.ask({ text, fields });
  return replies === undefined ? 'declined' : `accepted: ${JSON.stringify(replies)}`;
};
const text = { type: 'string' } as const;

const IMAGE = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
const SOUND = { type: 'audio', mediaType: 'audio/wav', data: 'UklGRiQAAABXQVZF' } as const;
const FILE = {
  type: 'file',
  mediaType: 'application/octet-stream',
  name: 'a.bin',
  data: new Uint8Array([0, 255, 1]),
} as const;

const fixtures = defineResourcespace({
  name: 'fixtures',
  description: 'What the suite calls.',
  tools: {
    test_simple_text: tool('Text.', {}, () => 'This is a simple text response for testing.'),
    test_image_content: tool('An image.', {}, () => ({ text: '', attachments: [IMAGE] })),
    test_audio_content: tool('A sound.', {}, () => ({ text: '', attachments: [SOUND] })),
    test_multiple_content_types: tool('Several.', {}, () => ({
      text: 'Multiple content types test:',
      attachments: [IMAGE, FILE],
    })),
    test_embedded_resource: tool('A file.', {}, () => ({ text: '', attachments: [FILE] })),
    test_error_handling: tool('An error.', {}, () => {
      throw new Error('This tool intentionally returns an error for testing');
    }),
    test_tool_with_progress: tool('Progress.', {}, async (_, { progress }) => {
      for (const done of [0, 50, 100]) {
        progress(done, 100);
        await delay(150);
      }
      return 'done';
    }),
    test_elicitation: tool('A question.', { message: z.string() }, ({ message }, context) =>
      ask(message, {
        username: { ...text, description: "User's response" },
        email: { ...text, description: "User's email address" },
      })(undefined, context),
    ),
    test_elicitation_sep1034_defaults: tool(
      'A question with defaults.',
      {},
      ask('Who are you?', {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', oneOf: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      }),
    ),
    test_input_required_result_elicitation: tool('A question.', {}, ask('What is your name?', { name: text })),
    test_input_required_result_request_state: tool('A question.', {}, async (_, context) => {
      const replies = await context.ask({ text: 'Please confirm', fields: { ok: { type: 'boolean' } } });
      return `state-ok ${JSON.stringify(replies)}`;
    }),
    test_input_required_result_tampered_state: tool(
      'A question.',
      {},
      ask('Please confirm', { ok: { type: 'boolean' } }),
    ),
    test_input_required_result_capabilities: tool('A question.', {}, ask('What is your name?', { name: text })),
    test_input_required_result_multi_round: tool('Two questions.', {}, async (_, { ask: put }) => {
      const first = await put({ text: 'Step 1: What is your name?', fields: { name: text } });
      const second = await put({ text: 'Step 2: What is your favorite color?', fields: { color: text } });
      return JSON.stringify([first, second]);
    }),
  },
});

const consent = new ClientConsent();
const agent = createAgent({
  spaces: [fixtures],
  approver: consent.wrap(allowAll),
  askPerson: consent.askQuestion,
});
const makeServer = serveAgent({ agent, consent, version: '0.1.0' });

/** What the suite calls the questions, in the order in which a tool asks them. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  test_input_required_result_elicitation: ['user_name'],
  test_input_required_result_request_state: ['confirm'],
  test_input_required_result_multi_round: ['step1', 'step2'],
};

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly arguments?: object; readonly inputResponses?: object };
  readonly result?: { readonly inputRequests?: object };
}

/** Between the names of the suite and those of bae: a call of a fixture is a call of the tool that calls. */
class Translator {
  readonly #tools = new Map<unknown, string>();

  receive<T>(message: T): T {
    const { id, method, params } = message as Message;
    const { name = '', arguments: args = {}, inputResponses } = params ?? {};
    if (method !== 'tools/call' || !Object.hasOwn(fixtures.tools ?? {}, name)) return message;
    this.#tools.set(id, name);
    const responses =
      inputResponses &&
      rename(inputResponses, (key) => {
        const index = QUESTIONS[name]?.indexOf(key) ?? -1;
        return index < 0 ? key : `question-${index + 1}`;
      });
    const call = { place: 'fixtures', tool: name, arguments: args };
    return {
      ...message,
      params: { ...params, name: 'call', arguments: call, ...(responses && { inputResponses: responses }) },
    };
  }

  send<T>(message: T): T {
    const { id, result } = message as Message;
    const names = QUESTIONS[this.#tools.get(id) ?? ''];
    if (result?.inputRequests === undefined || names === undefined) return message;
    const inputRequests = rename(result.inputRequests, (key) => names[Number(key.replace('question-', '')) - 1]!);
    return { ...message, result: { ...result, inputRequests } };
  }
}

function rename(object: object, change: (key: string) => string): object {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [change(key), value as unknown]));
}

const served = await serveHttp(
  () => {
    const server = makeServer();
    const connect = server.connect.bind(server);
    server.connect = async (transport) => {
      await connect(transport);
      const { onmessage } = transport;
      const names = new Translator();
      const pass = transport.send.bind(transport);
      transport.send = (message, options) => pass(names.send(message), options);
      // The transport is no event target.
      // oxlint-disable-next-line unicorn/prefer-add-event-listener
      transport.onmessage = (message, extra) => onmessage?.(names.receive(message), extra);
    };
    return server;
  },
  { port: 0, token: TOKEN },
);

const { url } = await openWithToken(served.url, TOKEN);
process.stdout.write(`${url}\n`);
process.stdin.on('end', () => process.exit()).resume();
