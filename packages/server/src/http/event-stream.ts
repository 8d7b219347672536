import type { SessionEvent, StreamedEvent } from '@bae/client';
import type { Notifier, ServerStore } from '../ports.ts';

interface EventStreamOptions {
  readonly session: string;
  /** Place in the log of the last event that the reader has. */
  readonly after: number;
  /** False ends the stream when the reader has everything. */
  readonly follow: boolean;
  readonly store: ServerStore;
  readonly notifier: Notifier;
  /** False when the reader is no longer allowed to read. */
  readonly isAllowed: () => Promise<boolean>;
  /** Milliseconds between heartbeats. */
  readonly heartbeatMs: number;
  /** Maximum time that a reader may take to receive the sent data, in milliseconds. */
  readonly slowMs: number;
  /** Aborts when the reader is gone, or the server ends. */
  readonly signal: AbortSignal;
  /** Called when the reader is too slow. */
  readonly drop: () => void;
  readonly onEnd: () => void;
}

/**
 * Limits of the data that a stream has in memory: events that are read at once, and characters that are sent at once.
 */
const PAGE = 20;
const PIECE = 262_144;
/** Interval at which the right of a reader is checked, in milliseconds. */
export const CHECK_MS = 2000;
/** Maximum number of response parts that are kept for a reader who is still receiving the previous ones. */
const MOST_LIVE = 200;

/**
 * Streams the events of a session as server-sent events. A stream only remembers the reader's place in the log: the
 * next events are read when the reader has received the last ones. Events that are not stored are only sent to readers
 * who are up to date.
 */
export function streamEvents(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { session, store, notifier, follow, isAllowed, signal, heartbeatMs, slowMs, drop, onEnd } = options;
  const encoder = new TextEncoder();
  const checkMs = Math.min(heartbeatMs, CHECK_MS);
  let after = options.after;
  let page = PAGE;
  let checkedAt = performance.now();
  let live: SessionEvent[] = [];
  let isUpToDate = false;
  let { resolve: wake } = Promise.withResolvers<void>();
  /** Time at which the data that the reader has not yet taken was sent; undefined when there is no such data. */
  let sentAt: number | undefined = performance.now();
  const unwatch = notifier.watch(session, (event) => {
    if (event !== undefined && (!isUpToDate || live.length >= MOST_LIVE)) return;
    if (event !== undefined) live.push(event);
    wake();
  });
  const watch = setInterval(() => {
    if (sentAt !== undefined && performance.now() - sentAt > slowMs) drop();
  }, slowMs / 4);
  const end = (): void => {
    unwatch();
    clearInterval(watch);
    wake();
    onEnd();
  };

  /** Returns the next text for the reader; undefined at the end. */
  async function next(): Promise<string | undefined> {
    for (;;) {
      if (signal.aborted) return undefined;
      // Also check a stream that always has something to send.
      if (performance.now() - checkedAt > checkMs) {
        if (!(await isAllowed())) return undefined;
        checkedAt = performance.now();
      }
      // Before the log is read, so that commits in the meantime are not missed.
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const parts = live.splice(0);
      const events = await store.readEvents(session, after, page);
      // Parts of a response come before the event that contains the whole response.
      let text = parts.map((event) => renderServerEvent({ event })).join('');
      let count = 0;
      for (; count < events.length && (count === 0 || text.length < PIECE); count++)
        text += renderServerEvent(events[count]!);
      after = events[count - 1]?.seq ?? after;
      isUpToDate = events.length < page && count === events.length;
      // Adapt the page, so that long events are not read repeatedly to be sent one by one.
      page = Math.min(PAGE, count * 2 + 1);
      if (text !== '') return text;
      if (!follow) return undefined;
      const quietSince = performance.now();
      while (!(await isWokenWithin(woken, checkMs))) {
        if (!(await isAllowed())) return undefined;
        if (performance.now() - quietSince >= heartbeatMs) return ': still here\n\n';
      }
    }
  }

  signal.addEventListener('abort', () => wake(), { once: true });
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => controller.enqueue(encoder.encode('retry: 1000\n\n')),
      async pull(controller) {
        sentAt = undefined;
        const text = await next().catch(() => undefined);
        if (text === undefined) {
          end();
          controller.close();
          return;
        }
        sentAt = performance.now();
        controller.enqueue(encoder.encode(text));
      },
      cancel: end,
    },
    { highWaterMark: 1 },
  );
}

async function isWokenWithin(woken: Promise<void>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isOver = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const isWoken = await Promise.race([woken.then(() => true), isOver]);
  clearTimeout(timer);
  return isWoken;
}

/** Renders a server-sent event. Its JSON has no line breaks, so an event is one line of data. */
function renderServerEvent({ seq, event }: StreamedEvent): string {
  const id = seq === undefined ? '' : `id: ${seq}\n`;
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
