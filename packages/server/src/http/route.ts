import { z } from 'zod';
import type { Token } from '../ports.ts';
import { ApiError } from './api-error.ts';

type Shape = z.ZodObject;

/** The validated parts of a request that a handler gets. */
export interface CheckedRequest<Params, Query, Body> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Headers with lowercase names. */
  readonly headers: Headers;
  readonly token: Token;
  /** Aborts when the client is gone. */
  readonly signal: AbortSignal;
  /** Ends the connection, even if there is data left to send. */
  readonly drop: () => void;
}

/** One operation of the interface: the schemas that validate and document it, and its handler. */
export interface Route {
  readonly method: 'get' | 'post';
  /** Path with parameters in the notation of OpenAPI: `/v1/sessions/{id}`. */
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly params: Shape;
  readonly query: Shape;
  readonly body?: z.ZodType | undefined;
  /** Supported headers with their descriptions. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  /** Media type of the response. Without one, the response is `result` as JSON. */
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
  const lines = error.issues
    .flatMap(openUnion)
    .slice(0, 10)
    .map(({ path, message }) => `${[where, ...path].join('.')}: ${message}`);
  throw new ApiError('invalid', lines.join('; '), { hint: 'GET /openapi.json' });
}

type Issue = z.core.$ZodIssue;

/** Replaces the problem of a union by those of the member that fits best, which name the fields. */
function openUnion(issue: Issue): readonly Issue[] {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  // A member of which a field is missing altogether was not meant.
  const count = (issues: readonly Issue[]): number =>
    issues.filter(({ code, path }) => code === 'invalid_type' && path.length > 0).length;
  const best = issue.errors.toSorted((a, b) => count(a) - count(b) || a.length - b.length)[0]!;
  return best.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}
