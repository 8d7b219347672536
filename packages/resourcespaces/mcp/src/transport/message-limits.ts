import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { ListReading, exceeds, measureValue, type ListName, type ValueSize } from './list-reading.ts';

/** The requests that are answered with a list. */
const LISTS: Readonly<Record<string, ListName>> = {
  'tools/list': 'tools',
  'prompts/list': 'prompts',
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

/** Maximum size of any other message, without structured content, which the SDK does not look into. */
const MESSAGE_SIZE: ValueSize = { characters: Infinity, values: 20_000, depth: 100 };

const INTERNAL_ERROR = -32_603;

type Fields = Readonly<Record<string, unknown>>;
type Receive = NonNullable<Transport['onmessage']>;

/**
 * Limits the work of the SDK, which validates every value of a message on this thread and describes every mistake in
 * it: a megabyte of mistakes takes seconds. A list loses the entries that are wrong or too many, any other message with
 * too many values is refused.
 */
export class MessageLimits {
  /** Readings of lists, by the number of a request that is not yet answered. */
  readonly #asked = new Map<unknown, ListReading>();
  /** Readings of lists that have another page, with its cursor. */
  readonly #unfinished = new Map<ListReading, unknown>();
  readonly #latest = new Map<ListName, ListReading>();

  /** Applies the limits to the messages of a transport that is not yet connected. */
  attach(transport: Transport): void {
    let receive: Receive | undefined;
    Object.defineProperty(transport, 'onmessage', {
      get: () => receive,
      set: (handler: Receive | undefined) => {
        receive = handler && ((message, extra) => handler(this.#limit(message), extra));
      },
    });
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      this.#noteRequest(message);
      return send(message, options);
    };
  }

  /** Says in one line what was left out of lists when they were last read; empty if nothing was. */
  describeLeftOut(...lists: readonly ListName[]): string {
    const texts = lists.map((list) => this.#latest.get(list)?.describeLeftOut() ?? '');
    return texts.filter((text) => text !== '').join(' ');
  }

  #noteRequest({ id, method, params }: Fields): void {
    const list = LISTS[String(method)];
    if (list === undefined) return;
    const cursor = (params as Fields | undefined)?.['cursor'];
    const isNext = ([reading, next]: readonly [ListReading, unknown]) => reading.list === list && next === cursor;
    const [reading] = [...this.#unfinished].find(isNext) ?? [new ListReading(list)];
    this.#asked.set(id, reading);
    this.#unfinished.delete(reading);
  }

  #limit<T extends JSONRPCMessage>(message: T): T {
    const { id, result } = message as Fields;
    const reading = 'method' in message ? undefined : this.#asked.get(id);
    if (reading !== undefined) this.#asked.delete(id);
    if (typeof result !== 'object' || result === null || Array.isArray(result))
      return hasTooManyParts(message) ? refuseMessage(message) : message;
    const { structuredContent, _meta, ...checked } = result as Fields;
    const page = reading && checked[reading.list];
    if (reading !== undefined && Array.isArray(page))
      return { ...message, result: this.#limitList(reading, page, checked) };
    if (hasTooManyParts(checked)) return refuseMessage(message);
    return hasTooManyParts(_meta) ? { ...message, result: { ...checked, structuredContent } } : message;
  }

  #limitList(reading: ListReading, page: readonly unknown[], { nextCursor, ...others }: Fields): Fields {
    const { list } = reading;
    // Some servers write null when there is no other page.
    const hasMore = typeof nextCursor === 'string';
    const entries = reading.take(page, hasMore);
    this.#latest.set(list, reading);
    if (!hasMore || reading.isCut) return { ...others, [list]: entries };
    this.#unfinished.set(reading, nextCursor);
    return { ...others, [list]: entries, nextCursor };
  }
}

function hasTooManyParts(value: unknown): boolean {
  return exceeds(measureValue(value, MESSAGE_SIZE), MESSAGE_SIZE);
}

/** Returns an error in place of an answer, and a question or notification without what it is about. */
function refuseMessage<T extends JSONRPCMessage>(message: T): T {
  const { jsonrpc, id, method } = message as Fields;
  const text = `it sent an answer of more than ${MESSAGE_SIZE.values} parts, or nested too deep. Ask it for less: a part, a page, a filter`;
  const rest = method === undefined ? { error: { code: INTERNAL_ERROR, message: text } } : { method };
  return { jsonrpc, ...(id !== undefined && { id }), ...rest } as T;
}

/** Ends something that has not been used for a time. */
export class IdleLimit {
  readonly #ms: number | undefined;
  readonly #end: () => void;
  #uses = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param ms the time in milliseconds; undefined for no limit */
  constructor(ms: number | undefined, end: () => void) {
    this.#ms = ms;
    this.#end = end;
  }

  /** Waits for a use, during which nothing is ended. */
  async during<T>(use: Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    this.#uses++;
    try {
      return await use;
    } finally {
      this.#uses--;
      if (this.#ms !== undefined && this.#uses === 0) this.#timer = setTimeout(this.#end, this.#ms).unref();
    }
  }
}
