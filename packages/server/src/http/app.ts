import { Hono, type Context } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import { BaeError } from '@bae/core';
import type { Token } from '../ports.ts';
import { findByText } from '../tokens/token.ts';
import { ApiError } from './api-error.ts';
import { describeInterface } from './openapi.ts';
import { checkPart, type Route } from './route.ts';
import { listRoutes, type ServerParts } from './routes.ts';

export interface AppOptions extends ServerParts {
  readonly version: string;
  /** Names by which the server may be addressed, without ports. */
  readonly hosts: readonly string[];
  /** Origins of pages that may use the server. */
  readonly origins: readonly string[];
  /** Maximum length of a body, in bytes. */
  readonly bodyBytes: number;
  /** Maximum number of requests per minute for one token. */
  readonly requestsPerMinute: number;
  /** Receives unexpected errors. */
  readonly report: (error: unknown) => void;
}

type RequestContext = Context<{ Bindings: HttpBindings }>;

/** Maximum number of wrong tokens per minute from one address. */
const WRONG_TOKENS = 30;

/** Creates the app that answers requests. */
export function makeApp(options: AppOptions): Hono<{ Bindings: HttpBindings }> {
  const { store, closing, report } = options;
  const app = new Hono<{ Bindings: HttpBindings }>();
  const routes = listRoutes(options);
  const rate = new RateLimit(options.requestsPerMinute);
  const wrong = new RateLimit(WRONG_TOKENS);
  const document = describeInterface(routes, options.version);

  app.use(async (context, next) => {
    checkHost(context, options.hosts);
    const origin = context.req.header('origin');
    if (origin !== undefined && !options.origins.includes(origin))
      throw new ApiError('forbidden', `pages of ${origin.slice(0, 200)} may not use this server.`, {
        hint: 'bae serve --origins ORIGIN',
      });
    if (context.req.method === 'OPTIONS' && origin !== undefined) return allowPage(origin, true, new Response(null));
    await next();
    if (origin !== undefined) allowPage(origin, false, context.res);
    return undefined;
  });
  app.get('/healthz', () => Response.json({ ok: true }));
  app.get('/readyz', async () => {
    if (closing.aborted) throw new ApiError('unavailable', 'the server is shutting down.', { retryAfter: 5 });
    await store.check();
    return Response.json({ ok: true });
  });
  app.get('/openapi.json', () => Response.json(document));
  for (const route of routes)
    app.on(route.method.toUpperCase(), route.path.replaceAll(/\{(\w+)\}/g, ':$1'), async (context) => {
      const token = await authenticate(context, options, wrong);
      rate.take(token.id);
      if (closing.aborted) throw new ApiError('unavailable', 'the server is shutting down.', { retryAfter: 5 });
      return perform(route, context, { token, bodyBytes: options.bodyBytes });
    });
  app.notFound((context) => {
    const path = context.req.path;
    const isKnown = routes.some((route) => new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path));
    const error = isKnown
      ? new ApiError('method_not_allowed', `${context.req.method} is not allowed at this address.`)
      : new ApiError('not_found', 'there is nothing at this address.', { hint: 'GET /openapi.json' });
    return refuseRequest(context, options.bodyBytes, error);
  });
  app.onError((error, context) => {
    const known = toApiError(error);
    if (known === undefined || known.problem === 'unavailable') report(error);
    const refusal = known ?? new ApiError('internal', 'something unexpected failed; it is in the log.');
    return refuseRequest(context, options.bodyBytes, refusal);
  });
  return app;
}

/**
 * Reads and discards the rest of a request: if the connection is closed before that, it is reset, and the client cannot
 * read the response.
 *
 * @returns false when the rest is too long
 */
async function readRest({ method, bodyUsed, body }: Request, most: number): Promise<boolean> {
  if (method === 'GET' || bodyUsed || body === null) return true;
  const reader = body.getReader();
  for (let left = most; left > 0;) {
    const piece = await reader.read().catch(() => undefined);
    if (piece === undefined || piece.done) return true;
    left -= piece.value.length;
  }
  return false;
}

async function refuseRequest(context: Pick<RequestContext, 'req'>, most: number, error: ApiError): Promise<Response> {
  const response = error.toResponse();
  if (!(await readRest(context.req.raw, most))) response.headers.set('connection', 'close');
  return response;
}

/** Checks the host name: a name that another site made a browser use must not reach a server on this machine. */
function checkHost(context: RequestContext, hosts: readonly string[]): void {
  const host = (context.req.header('host') ?? '').toLowerCase();
  const name = host.replace(/:\d+$/, '');
  if (!hosts.includes(name))
    throw new ApiError('misdirected', `this server is not ${name.slice(0, 200) || 'one without a name'}.`, {
      hint: 'bae serve --hosts NAME',
    });
}

function allowPage(origin: string, isPreflight: boolean, response: Response): Response {
  response.headers.set('access-control-allow-origin', origin);
  response.headers.append('vary', 'Origin');
  response.headers.set('access-control-expose-headers', 'Retry-After');
  if (!isPreflight) return response;
  response.headers.set('access-control-allow-methods', 'GET, POST');
  response.headers.set('access-control-allow-headers', 'Authorization, Content-Type, Idempotency-Key, Last-Event-ID');
  response.headers.set('access-control-max-age', '600');
  return new Response(null, { status: 204, headers: response.headers });
}

/** @throws ApiError without a token that is in use */
async function authenticate(context: RequestContext, { store, report }: AppOptions, wrong: RateLimit): Promise<Token> {
  const address = context.env?.incoming?.socket?.remoteAddress ?? '';
  const [, text = ''] = /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '') ?? [];
  const now = new Date();
  const token = await findByText(text, (id) => store.findToken(id), now);
  if (token !== undefined) {
    // Once a day, so that it costs nothing.
    if (token.used?.toDateString() !== now.toDateString()) await store.noteTokenUse(token.id, now).catch(report);
    return token;
  }
  // Not earlier, because all clients behind a proxy have the same address.
  wrong.take(address);
  throw new ApiError('unauthorized', 'a valid token is required: Authorization: Bearer bae_…', {
    hint: 'bae serve token create NAME',
  });
}

async function perform(
  route: Route,
  context: RequestContext,
  { token, bodyBytes }: { readonly token: Token; readonly bodyBytes: number },
): Promise<Response> {
  const { req } = context;
  const queries = Object.entries(req.queries()).map(([name, values]) => [
    name,
    values.length === 1 ? values[0] : values,
  ]);
  const request = {
    params: checkPart(route.params, req.param(), 'path'),
    query: checkPart(route.query, Object.fromEntries(queries), 'query'),
    body: route.body && checkPart(route.body, await readJson(req.raw, bodyBytes), 'body'),
    headers: req.raw.headers,
    token,
    signal: req.raw.signal,
    drop: () => context.env.outgoing.destroy(),
  };
  if (route.method === 'post' && route.body === undefined) await readRest(req.raw, bodyBytes);
  const result = await route.handle(request as never);
  return result instanceof Response
    ? result
    : Response.json(result, { status: route.status, headers: { 'cache-control': 'no-store' } });
}

/** @throws ApiError when the body is not JSON, or too long */
async function readJson(request: Request, most: number): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  // Pages of other origins can send other types without a preflight request.
  if (!/^application\/json\s*(;|$)/i.test(type))
    throw new ApiError('unsupported_media_type', 'Content-Type: expected application/json.');
  const tooLarge = new ApiError('too_large', `a body has at most ${most} bytes.`);
  if (Number(request.headers.get('content-length') ?? 0) > most) throw tooLarge;
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of request.body ?? []) {
      length += piece.length;
      if (length > most) throw tooLarge;
      pieces.push(piece);
    }
  } catch (error) {
    if (error === tooLarge) throw error;
    throw new ApiError('invalid', 'body: it did not arrive completely.');
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)));
  } catch {
    throw new ApiError('invalid', 'body: expected JSON in UTF-8.');
  }
}

/** Converts an error to a refusal; undefined when the error is unexpected. */
function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (BaeError.is(error) && error.code === 'BAE_STORE')
    return new ApiError('unavailable', 'the data cannot be read or written now.', { retryAfter: 5 });
  if (BaeError.is(error)) return new ApiError('conflict', error.message, { hint: error.hints[0] });
  return undefined;
}

interface Bucket {
  left: number;
  /** Time at which `left` was correct, in milliseconds. */
  at: number;
}

/** Maximum number of remembered subjects; the one whose last request is oldest is forgotten first. */
const MOST_SUBJECTS = 10_000;

/** Allows each subject a number of requests per minute, which may also come all at once. */
class RateLimit {
  readonly #perMinute: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** @throws ApiError with the time to wait */
  take(subject: string): void {
    const bucket = this.#refill(subject);
    if (bucket.left < 1) {
      const retryAfter = ((1 - bucket.left) / this.#perMinute) * 60;
      throw new ApiError('too_many', `at most ${this.#perMinute} requests a minute are answered.`, { retryAfter });
    }
    bucket.left--;
  }

  #refill(subject: string): Bucket {
    const now = performance.now();
    const { left, at } = this.#buckets.get(subject) ?? { left: this.#perMinute, at: now };
    const bucket = { left: Math.min(this.#perMinute, left + ((now - at) / 60_000) * this.#perMinute), at: now };
    // Move the most recent subject to the end.
    this.#buckets.delete(subject);
    this.#buckets.set(subject, bucket);
    if (this.#buckets.size > MOST_SUBJECTS) this.#buckets.delete(this.#buckets.keys().next().value!);
    return bucket;
  }
}
