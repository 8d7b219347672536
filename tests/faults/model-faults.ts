import type { WireFormat } from '../wire/wire-format.ts';
import type { WireReply } from '../wire/wire-reply.ts';
import { chunk, chunked, closed, formatCount, type HttpAnswer } from './http-bytes.ts';
import { THREE_TAGS, type ModelFault } from './model-fault.ts';
import type { Delivery } from './raw-model-server.ts';

const REPLY: WireReply = { text: THREE_TAGS, chunk: 12 };
const JSON_TYPE = { 'content-type': 'application/json' };
const MEGABYTE = 'x'.repeat(1_000_000);

const events = (format: WireFormat, reply: Partial<WireReply> = {}): readonly string[] =>
  format.events({ ...REPLY, ...reply });
const inChunks = (format: WireFormat): Buffer => chunked(events(format));
const countOf = (format: WireFormat): number => events(format).length;
const close = (bytes: Uint8Array): Delivery => ({ bytes, ending: 'close' });
const isFinish = (event: string): boolean => /"finish_reason":"|"stop_reason":"/.test(event);
const isSpoken = (event: string): boolean => /"content":"[^"]|"text_delta"/.test(event);
/** A good head, and these events. */
const streamOf = (list: readonly string[]): Delivery => close(chunked(list));

/** A response that is good as it is. */
export function goodReply(format: WireFormat, text = THREE_TAGS): Delivery {
  return streamOf(events(format, { text }));
}

function status(code: number, headers: Readonly<Record<string, string>> = {}, passes = true): ModelFault {
  const shown = Object.entries(headers).map(([name, value]) => `, ${name}: ${value}`);
  return {
    name: `answers ${code}${shown.join('')}`,
    deliver: (format) =>
      close(formatCount({ status: code, headers: { ...JSON_TYPE, ...headers }, body: format.errorBody('busy') })),
    outcome: 'refused',
    passes,
  };
}

function answers(name: string, answer: HttpAnswer, more: Partial<ModelFault> = {}): ModelFault {
  return { name, deliver: () => close(closed(answer)), outcome: 'refused', ...more };
}

const STATUSES: readonly ModelFault[] = [
  status(429),
  status(429, { 'retry-after': '7' }),
  status(429, { 'retry-after': 'Fri, 20 Nov 2026 10:00:07 GMT', date: 'Fri, 20 Nov 2026 10:00:00 GMT' }),
  status(429, { 'retry-after-ms': '1500' }),
  status(408),
  status(500),
  status(502),
  status(503),
  status(529),
  status(400, {}, false),
  status(401, {}, false),
];

/** The connection ends, or nothing more comes, at some byte from the first one of the head. */
const CONNECTIONS: readonly ModelFault[] = [
  {
    name: 'resets the connection at a byte',
    places: (format) => inChunks(format).length,
    step: 9,
    deliver: (format, place) => ({ bytes: inChunks(format).subarray(0, place), ending: 'reset' }),
    outcome: 'either',
  },
  {
    name: 'closes the connection at a byte of a chunk',
    places: (format) => inChunks(format).length,
    step: 9,
    deliver: (format, place) => close(inChunks(format).subarray(0, place)),
    outcome: 'either',
  },
  {
    name: 'closes in good order at a byte',
    places: (format) => closed({ body: events(format).join('') }).length,
    step: 3,
    deliver: (format, place) => close(closed({ body: events(format).join('') }).subarray(0, place)),
    outcome: 'either',
  },
  {
    name: 'ends the body in good order at a byte',
    places: (format) => Buffer.byteLength(events(format).join('')),
    step: 9,
    deliver: (format, place) => close(formatCount({ body: Buffer.from(events(format).join('')).subarray(0, place) })),
    outcome: 'either',
  },
  {
    name: 'promises a longer body than it sends',
    deliver: (format) => close(formatCount({ body: events(format).slice(0, -4).join('') }, 100_000)),
    outcome: 'refused',
  },
  {
    name: 'falls silent at a byte',
    places: (format) => inChunks(format).length,
    step: 9,
    deliver: (format, place) => ({ bytes: inChunks(format).subarray(0, place), ending: 'hang' }),
    outcome: 'either',
  },
  {
    name: 'drips and never ends',
    deliver: (format) => {
      const drop = format.events({ text: 'xx', chunk: 2 }).find((event) => event.includes('xx')) ?? '';
      const begin = events(format, { text: THREE_TAGS }).slice(0, 4);
      return { bytes: chunked(begin).subarray(0, -5), ending: { drop: Buffer.from(chunk(drop)) } };
    },
    outcome: 'refused',
    passes: false,
  },
];

/** Events that are not as they should be, in a body that ends as it should. */
const EVENTS: readonly ModelFault[] = [
  {
    name: 'cuts the JSON of an event',
    places: countOf,
    deliver: (format, place) =>
      streamOf(events(format).with(place, events(format)[place]!.replace(/.{3}\n\n$/s, '\n\n'))),
    outcome: 'either',
  },
  {
    name: 'puts nonsense before an event',
    places: countOf,
    deliver: (format, place) => streamOf(events(format).toSpliced(place, 0, 'data: nonsense\n\n')),
    outcome: 'either',
  },
  {
    name: 'reports an error before an event and goes on to a normal stop',
    places: countOf,
    deliver: (format, place) => streamOf(events(format).toSpliced(place, 0, format.errorEvent('overloaded'))),
    outcome: 'either',
  },
  {
    name: 'sends an event without text twice',
    places: countOf,
    deliver: (format, place) => {
      const all = events(format);
      return streamOf(isSpoken(all[place]!) ? all : all.toSpliced(place, 0, all[place]!));
    },
    outcome: 'either',
  },
  {
    name: 'sends an event without text one place too late',
    places: (format) => countOf(format) - 1,
    deliver: (format, place) => {
      const all = events(format);
      return streamOf(isSpoken(all[place]!) ? all : all.with(place, all[place + 1]!).with(place + 1, all[place]!));
    },
    outcome: 'either',
  },
  {
    name: 'sends a byte that is not UTF-8',
    places: (format) => Buffer.byteLength(events(format).join('')),
    step: 9,
    deliver: (format, place) => {
      const body = Buffer.from(events(format).join(''));
      return close(closed({ body: Buffer.concat([body.subarray(0, place), Buffer.of(0xff), body.subarray(place)]) }));
    },
    outcome: 'either',
  },
];

/** Where the text of a response may stop. */
const textLength = (): number => THREE_TAGS.length;

function finishes(name: string, finish: readonly [openai: string, anthropic: string]): ModelFault {
  return {
    name: `stops after so many characters: ${name}`,
    places: textLength,
    deliver: (format, place) => streamOf(finished(events(format, { text: THREE_TAGS.slice(0, place) }), finish)),
    outcome: 'refused',
    passes: false,
  };
}

function finished(list: readonly string[], [openai, anthropic]: readonly [string, string]): readonly string[] {
  return list.map((event) =>
    event.replace('"finish_reason":"stop"', `"finish_reason":"${openai}"`).replace('"end_turn"', `"${anthropic}"`),
  );
}

const ENDINGS: readonly ModelFault[] = [
  finishes('length', ['length', 'max_tokens']),
  finishes('content filter', ['content_filter', 'refusal']),
  finishes('tool calls', ['tool_calls', 'tool_use']),
  finishes('a reason nobody knows', ['pause', 'pause_turn']),
  {
    name: 'leaves out the finish',
    deliver: (format) => streamOf(events(format).filter((event) => !isFinish(event))),
    outcome: 'refused',
  },
  {
    name: 'finishes by length and then by a stop',
    places: textLength,
    deliver: (format, place) => {
      const list = events(format, { text: THREE_TAGS.slice(0, place) });
      const at = list.findIndex(isFinish);
      return streamOf(list.toSpliced(at, 0, ...finished([list[at]!], ['length', 'max_tokens'])));
    },
    outcome: 'refused',
  },
  {
    name: 'finishes by a stop and then by length',
    places: textLength,
    deliver: (format, place) => {
      const list = events(format, { text: THREE_TAGS.slice(0, place) });
      const at = list.findIndex(isFinish);
      return streamOf(list.toSpliced(at + 1, 0, ...finished([list[at]!], ['length', 'max_tokens'])));
    },
    outcome: 'refused',
  },
  {
    name: 'says a piece after the finish',
    places: (format) => events(format).filter(isSpoken).length,
    deliver: (format, place) => {
      const all = events(format);
      const late = all.filter(isSpoken)[place]!;
      const rest = all.filter((event) => event !== late);
      return streamOf(rest.toSpliced(rest.findIndex(isFinish) + 1, 0, late));
    },
    outcome: 'refused',
  },
  { name: 'says nothing', deliver: (format) => streamOf(events(format, { text: '' })), outcome: 'refused' },
];

/** Answers that are no stream of events. */
const BODIES: readonly ModelFault[] = [
  answers('sends HTML with status 200', { headers: { 'content-type': 'text/html' }, body: '<html>busy</html>' }),
  answers('sends JSON with status 200', { headers: JSON_TYPE, body: '{"error":{"message":"busy"}}' }),
  answers('sends an empty body', { body: '' }),
  answers('sends no content', { status: 204, body: '' }),
  answers('sends no HTTP', {}, { deliver: () => close(Buffer.from('SSH-2.0-OpenSSH_9.6\r\n')) }),
  answers('sends a head of 100 KB', { headers: { 'x-much': 'x'.repeat(100_000) } }),
  answers('sends zeros', { body: Buffer.alloc(1000) }),
  {
    name: 'calls plain text gzip',
    deliver: (format) =>
      close(
        closed({
          headers: { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' },
          body: events(format).join(''),
        }),
      ),
    outcome: 'refused',
  },
  {
    name: 'gives a chunk a size that is no number',
    places: countOf,
    deliver: (format, place) => {
      const list = events(format);
      const bytes = chunked(list.slice(0, place)).subarray(0, -5);
      return close(Buffer.concat([bytes, Buffer.from(`zz\r\n${list.slice(place).join('')}\r\n0\r\n\r\n`)]));
    },
    outcome: 'either',
  },
  {
    name: 'redirects to itself for ever',
    deliver: () => close(formatCount({ status: 307, headers: { location: 'completions' } })),
    outcome: 'refused',
    times: 6,
  },
  {
    name: 'answers with 50 MB',
    deliver: (format) => streamOf(format.events({ text: `<R:a.ts>\n${MEGABYTE.repeat(50)}`, chunk: 1_000_000 })),
    outcome: 'refused',
    passes: false,
  },
];

/** Odd, but nothing is lost: the response counts. */
const HARMLESS: readonly ModelFault[] = [
  {
    name: 'sends every byte on its own',
    deliver: (format) => ({ bytes: closed({ body: events(format).join('') }), ending: 'close', oneByOne: true }),
    outcome: 'whole',
  },
  {
    name: 'calls an event stream HTML',
    deliver: (format) => close(closed({ headers: { 'content-type': 'text/html' }, body: events(format).join('') })),
    outcome: 'whole',
  },
  {
    name: 'puts comments and blank lines between events',
    deliver: (format) => streamOf(events(format).flatMap((event) => [': keep-alive\n\n', '\n\n', event])),
    outcome: 'whole',
  },
];

/** Every way to misbehave, from the connection up to the words. */
export const MODEL_FAULTS: readonly ModelFault[] = [
  ...STATUSES,
  ...CONNECTIONS,
  ...EVENTS,
  ...ENDINGS,
  ...BODIES,
  ...HARMLESS,
];
