import { z } from 'zod';
import type { Token } from '../ports.ts';
import { ApiError } from './api-error.ts';

type Shape = z.ZodObject;

/** What a handler gets of a request: checked. */
export interface CheckedRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Names in lower case. */
  readonly headers: Headers;
  readonly token: Token;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Ends the connection, whatever is still to be sent. */
  readonly drop: () => void;
}

/** One operation of the interface: what it is checked with, documented from and done by. */
export interface Route {
  readonly method: 'get' | 'post';
  /** With parameters as OpenAPI writes them: `/v1/sessions/{id}`. */
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly params: Shape;
  readonly query: Shape;
  readonly body?: z.ZodType | undefined;
  /** Headers that mean something here, with what they are. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  /** Type of the response; JSON of `result` without one. */
  readonly mediaType: string;
  readonly result: z.ZodType;
  handle(request: CheckedRequest<never, never, never>): Promise<unknown>;
}

type RouteOptions<Params extends Shape, Query extends Shape, Body extends z.ZodType> = Pick<
  Route,
  'method' | 'path' | 'operation' | 'summary' | 'result'
> &
  Partial<Pick<Route, 'headers' | 'status' | 'mediaType'>> & {
    readonly params?: Params;
    readonly query?: Query;
    readonly body?: Body;
    /** Returns the result, or a whole response. */
    handle(request: CheckedRequest<z.output<Params>, z.output<Query>, z.output<Body>>): Promise<unknown>;
  };

const NOTHING = z.strictObject({});

export function defineRoute<
  Params extends Shape = typeof NOTHING,
  Query extends Shape = typeof NOTHING,
  Body extends z.ZodType = z.ZodUndefined,
>(options: RouteOptions<Params, Query, Body>): Route {
  return {
    params: NOTHING,
    query: NOTHING,
    headers: {},
    status: 200,
    mediaType: 'application/json',
    ...options,
    handle: (request) => options.handle(request),
  };
}

/** Checks a part of a request. @throws ApiError that names each wrong field */
export function checkPart<T extends z.ZodType>(schema: T, value: unknown, where: string): z.output<T> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  const lines = error.issues.slice(0, 10).map(({ path, message }) => `${[where, ...path].join('.')}: ${message}`);
  throw new ApiError('invalid', lines.join('; '), { hint: 'GET /openapi.json' });
}
