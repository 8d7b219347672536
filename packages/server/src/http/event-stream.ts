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
  /** False when the reader may not read any more. */
  readonly isAllowed: () => Promise<boolean>;
  /** Milliseconds between signs of life. */
  readonly heartbeatMs: number;
  /** Longest time that a reader may take for what was sent, in milliseconds. */
  readonly slowMs: number;
  /** Aborts when the reader is gone, or the server ends. */
  readonly signal: AbortSignal;
  /** Called when the reader is too slow. */
  readonly drop: () => void;
  readonly onEnd: () => void;
}

/** Events that are read at once, and characters of them that are sent at once: what a stream has in memory. */
const PAGE = 20;
const PIECE = 262_144;
/** Parts of a response that are kept for a reader who is just taking the last ones. */
const MOST_LIVE = 200;

/**
 * The events of a session as server-sent events. The reader's place in the log is all that is remembered of a stream: the
 * next events are read when the reader has taken the last ones. Events that are not kept are sent only to readers
 * who are up to date.
 */
export function streamEvents(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { session, store, notifier, follow, isAllowed, signal, heartbeatMs, slowMs, drop, onEnd } = options;
  const encoder = new TextEncoder();
  let after = options.after;
  let page = PAGE;
  let checkedAt = performance.now();
  let live: SessionEvent[] = [];
  let isUpToDate = false;
  let { resolve: wake } = Promise.withResolvers<void>();
  /** Since when something waits to be taken; undefined while the reader is waited for. */
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

  /** The next text for the reader; undefined at the end. */
  async function next(): Promise<string | undefined> {
    for (;;) {
      if (signal.aborted) return undefined;
      // A stream that always has something to send is looked at, too.
      if (performance.now() - checkedAt > heartbeatMs) {
        if (!(await isAllowed())) return undefined;
        checkedAt = performance.now();
      }
      // Before the log is read: what is committed meanwhile must not be missed.
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const parts = live.splice(0);
      const events = await store.readEvents(session, after, page);
      // A part of a response comes before the event that has all of it.
      let text = parts.map((event) => renderServerEvent({ event })).join('');
      let count = 0;
      for (; count < events.length && (count === 0 || text.length < PIECE); count++)
        text += renderServerEvent(events[count]!);
      after = events[count - 1]?.seq ?? after;
      isUpToDate = events.length < page && count === events.length;
      // Long events are not read again and again to be sent one by one.
      page = Math.min(PAGE, count * 2 + 1);
      if (text !== '') return text;
      if (!follow) return undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const isQuiet = await Promise.race([
        woken.then(() => false),
        new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(true), heartbeatMs))),
      ]);
      clearTimeout(timer);
      if (isQuiet && (await isAllowed())) return ': still here\n\n';
      if (isQuiet) return undefined;
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

/** JSON has no line ends of its own, so that an event is one line of data. */
function renderServerEvent({ seq, event }: StreamedEvent): string {
  const id = seq === undefined ? '' : `id: ${seq}\n`;
  return `${id}event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
