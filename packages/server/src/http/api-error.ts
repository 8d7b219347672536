import type { Problem } from '@bae/client';

/** Names of the refusals, for comparison by clients. */
export const PROBLEMS = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  too_many: 429,
  internal: 500,
  unavailable: 503,
} as const;

/** The refusal of a request, as the client gets it. */
export class ApiError extends Error {
  readonly problem: keyof typeof PROBLEMS;
  readonly hint: string | undefined;
  /** Seconds after which the client should try again. */
  readonly retryAfter: number | undefined;

  constructor(
    problem: keyof typeof PROBLEMS,
    message: string,
    { hint, retryAfter }: { readonly hint?: string | undefined; readonly retryAfter?: number } = {},
  ) {
    super(message);
    this.problem = problem;
    this.hint = hint;
    this.retryAfter = retryAfter;
  }

  toResponse(): Response {
    const { problem: code, message, hint, retryAfter } = this;
    const body: Problem = { error: { code, message, ...(hint !== undefined && { try: hint }) } };
    return Response.json(body, {
      status: PROBLEMS[code],
      headers: {
        'cache-control': 'no-store',
        ...(retryAfter !== undefined && { 'retry-after': String(Math.max(1, Math.ceil(retryAfter))) }),
        ...(code === 'unauthorized' && { 'www-authenticate': 'Bearer' }),
        ...(code === 'too_large' && { connection: 'close' }),
      },
    });
  }
}
