import type {
  Problem,
  Prompt,
  Question,
  Reply,
  Session,
  SessionExport,
  SessionRequest,
  StreamedEvent,
  SessionEvent,
} from './api.ts';

/** Address and credentials for a server, and the handling of failed requests. */
export interface ClientOptions {
  /** Address of the server: `http://127.0.0.1:4310`. */
  readonly url: string;
  /** A token from `bae serve token create`. */
  readonly token: string;
  /** Default: the platform's own. */
  readonly fetch?: typeof fetch;
  /** Maximum number of attempts for a request that did not arrive or was temporarily refused. Default: 10. */
  readonly tries?: number;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface FollowOptions extends CallOptions {
  /** `seq` of the last known event. Default: all events are sent. */
  readonly after?: number | undefined;
}

/** A request that the server has refused. */
export class RefusedError extends Error {
  readonly status: number;
  /** Stable: `not_found`, `forbidden`, `too_many`, … */
  readonly code: string;
  /** Suggested next step. */
  readonly hint: string | undefined;
  /** Seconds to wait before trying again. */
  readonly retryAfter: number | undefined;

  constructor(status: number, { code, message, try: hint }: Problem['error'], retryAfter?: number) {
    super(message);
    this.name = 'RefusedError';
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.retryAfter = retryAfter;
  }
}

/** Minimum and maximum wait before a request is sent again, in milliseconds. */
const SHORTEST_WAIT = 250;
const LONGEST_WAIT = 10_000;

/** Client for the sessions of a server. Every method rejects with a `RefusedError`, or with the error of `fetch`. */
export class Client {
  readonly #options: Required<ClientOptions>;

  constructor({ fetch: send = (...args) => fetch(...args), tries = 10, ...options }: ClientOptions) {
    this.#options = { ...options, url: options.url.replace(/\/+$/, ''), fetch: send, tries };
  }

  createSession(request: SessionRequest = {}, options?: CallOptions): Promise<Session> {
    return this.#send('POST', '/v1/sessions', { ...options, body: request });
  }

  /** The sessions of the token, newest first. @param page `before`: the id of the last known session */
  async listSessions(page: { readonly limit?: number; readonly before?: string } = {}): Promise<readonly Session[]> {
    const query = new URLSearchParams(
      Object.entries(page).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const { sessions } = await this.#send<{ sessions: readonly Session[] }>('GET', `/v1/sessions?${query.toString()}`);
    return sessions;
  }

  getSession(session: string): Promise<Session> {
    return this.#send('GET', at(session));
  }

  /**
   * Sends a prompt, which is processed in the background. It is accepted once, even if the request is sent several
   * times.
   */
  addPrompt(session: string, text: string, options?: CallOptions): Promise<Prompt> {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    return this.#send('POST', at(session, 'prompts'), { ...options, body: { text }, headers });
  }

  /** Sends a prompt and waits for the answer. @throws Error if there is none because the turn failed or was stopped */
  async ask(session: string, text: string, options: CallOptions = {}): Promise<string> {
    const { id } = await this.addPrompt(session, text, options);
    let answer: string | undefined;
    for await (const { event } of this.follow(session, options)) {
      if (event.type === 'turn-start') answer = undefined;
      if (event.type === 'answer') answer = event.text;
      if (event.type !== 'prompt-end' || event.prompt !== id) continue;
      if (event.outcome === 'answered' && answer !== undefined) return answer;
      throw new Error(`the prompt ended as ${event.outcome}${event.text === undefined ? '' : `: ${event.text}`}`);
    }
    throw new Error('the events ended before the prompt did');
  }

  /**
   * Yields the events of a session, from the first one or the one after `after`, until the signal aborts. If the
   * connection breaks, it continues where it stopped, without losing or repeating events.
   */
  async *follow(session: string, { after = 0, signal }: FollowOptions = {}): AsyncGenerator<StreamedEvent, void> {
    let last = after;
    for (let failures = 0; ; failures++) {
      try {
        const response = await this.#request('GET', at(session, 'events'), {
          signal,
          headers: { accept: 'text/event-stream', 'last-event-id': String(last) },
        });
        for await (const event of readServerEvents(response.body!)) {
          failures = 0;
          last = event.seq ?? last;
          yield event;
        }
      } catch (error) {
        if (signal?.aborted === true) return;
        if (failures + 1 >= this.#options.tries || !isPassing(error)) throw error;
        await waitToRetry(failures, error, signal);
        continue;
      }
      if (signal?.aborted === true) return;
      await waitToRetry(failures, undefined, signal);
    }
  }

  async listQuestions(session: string): Promise<readonly Question[]> {
    const { questions } = await this.#send<{ questions: readonly Question[] }>('GET', at(session, 'questions'));
    return questions;
  }

  /** Replies to a question: allows or refuses the change that it shows, or answers it. */
  async reply(session: string, question: string, reply: Reply): Promise<void> {
    await this.#send('POST', at(session, 'questions', question), { body: reply });
  }

  /** Stops the running prompt and removes waiting ones. Returns the number of affected prompts. */
  async cancel(session: string): Promise<number> {
    const { prompts } = await this.#send<{ prompts: number }>('POST', at(session, 'cancel'), { body: {} });
    return prompts;
  }

  async export(session: string): Promise<SessionExport> {
    const text = await readBodyText(await this.#request('GET', at(session, 'export'), {}));
    const [first, ...events] = text.trimEnd().split('\n');
    const { session: about } = JSON.parse(first!) as Pick<SessionExport, 'session'>;
    return { session: about, events: events.map((line) => JSON.parse(line) as SessionExport['events'][number]) };
  }

  /** Returns the changes of a session in its repository, as a patch for `git apply`. */
  async getPatch(session: string): Promise<string> {
    return readBodyText(await this.#request('GET', at(session, 'patch'), {}));
  }

  /** Commits the changes of a session and pushes them to the branch `bae/ID` of its repository. */
  pushBranch(session: string, message: string): Promise<{ readonly branch: string; readonly commit: string }> {
    return this.#send('POST', at(session, 'branch'), { body: { message } });
  }

  async #send<T>(method: 'GET' | 'POST', path: string, options: RequestParts = {}): Promise<T> {
    // A request that may already have had an effect is repeated only if a key ensures that the effect happens once.
    const isRepeatable = method === 'GET' || options.headers?.['idempotency-key'] !== undefined;
    for (let failures = 0; ; failures++) {
      try {
        return JSON.parse(await readBodyText(await this.#request(method, path, options))) as T;
      } catch (error) {
        const isRefused = error instanceof RefusedError;
        const isLast = failures + 1 >= this.#options.tries || options.signal?.aborted === true;
        if (isLast || !isPassing(error) || !(isRefused || isRepeatable)) throw error;
        await waitToRetry(failures, error, options.signal);
      }
    }
  }

  async #request(method: string, path: string, { body, headers, signal }: RequestParts): Promise<Response> {
    const { url, token, fetch: send } = this.#options;
    const response = await send(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
      // A token is sent only to its own server.
      redirect: 'error',
    });
    if (response.ok) return response;
    throw await readProblem(response);
  }
}

interface RequestParts extends CallOptions {
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

function at(session: string, ...rest: readonly string[]): string {
  return ['/v1/sessions', session, ...rest]
    .map((part, place) => (place === 0 ? part : encodeURIComponent(part)))
    .join('/');
}

async function readProblem(response: Response): Promise<RefusedError> {
  const after = Number(response.headers.get('retry-after') ?? Number.NaN);
  const error = (await readBodyText(response)
    .then(parseProblem)
    .catch(() => undefined)) ?? { code: 'unknown', message: `the server answered ${response.status}.` };
  return new RefusedError(response.status, error, Number.isFinite(after) ? after : undefined);
}

function parseProblem(text: string): Problem['error'] | undefined {
  return (JSON.parse(text) as Partial<Problem>).error;
}

/** Tests whether a retry may succeed: too many requests, a server that shuts down, a broken network connection. */
function isPassing(error: unknown): boolean {
  if (error instanceof RefusedError) return [408, 429, 502, 503, 504].includes(error.status);
  return !(error instanceof TooLongError);
}

async function waitToRetry(failures: number, error: unknown, signal: AbortSignal | undefined): Promise<void> {
  const asked = error instanceof RefusedError && error.retryAfter !== undefined ? error.retryAfter * 1000 : 0;
  const ms = Math.max(asked, Math.min(LONGEST_WAIT, SHORTEST_WAIT * 2 ** failures));
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

/**
 * Reads server-sent events whose data is JSON on one line. Messages without data, such as heartbeats, are skipped, and
 * so is an event that is not terminated by an empty line, because it is incomplete.
 *
 * @throws TooLongError for a line that is too long; the error of the stream if it breaks
 */
export async function* readServerEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent, void> {
  let id: string | undefined;
  let data: string | undefined;
  for await (const line of readBodyLines(body)) {
    if (line.startsWith('id: ')) id = line.slice(4);
    if (line.startsWith('data: ')) data = line.slice(6);
    if (line !== '') continue;
    if (data !== undefined)
      yield { ...(id !== undefined && { seq: Number(id) }), event: JSON.parse(data) as SessionEvent };
    id = data = undefined;
  }
}

/** Maximum length of a line of a stream and of a whole response, in bytes after decompression. */
const LONGEST_LINE = 8 * 1024 * 1024;
const LONGEST_BODY = 64 * 1024 * 1024;

/** A response that is too long, and would be too long again. */
class TooLongError extends Error {
  constructor(what: string, most: number) {
    super(`${what} is longer than ${most / 1024 / 1024} MB`);
    this.name = 'TooLongError';
  }
}

/** Reads a response as text. @throws TooLongError; the error of the stream if it breaks */
async function readBodyText({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let length = 0;
  for await (const bytes of iterateBytes(body)) {
    length += bytes.length;
    if (length > LONGEST_BODY) throw new TooLongError('a response of the server', LONGEST_BODY);
    pieces.push(decoder.decode(bytes, { stream: true }));
  }
  return pieces.join('') + decoder.decode();
}

/**
 * Yields the lines of a stream; the text after the last line break is not yielded.
 *
 * @throws TooLongError; the error of the stream if it breaks
 */
async function* readBodyLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  let length = 0;
  for await (const bytes of iterateBytes(body)) {
    const last = bytes.lastIndexOf(LINE_FEED);
    // Every line but the first ends within these bytes.
    const first = last === -1 ? bytes.length : bytes.indexOf(LINE_FEED);
    if (length + first > LONGEST_LINE) throw new TooLongError('a line of the events', LONGEST_LINE);
    length = last === -1 ? length + bytes.length : bytes.length - last - 1;
    pieces.push(decoder.decode(bytes, { stream: true }));
    if (last === -1) continue;
    const lines = pieces.join('').split('\n');
    pieces = [lines.pop()!];
    yield* lines;
  }
}

const LINE_FEED = 10;

/** Yields the bytes as they arrive. The stream is cancelled when the loop that reads them ends. */
async function* iterateBytes(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array, void> {
  if (body === null) return;
  // Not every platform can iterate over a stream.
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
