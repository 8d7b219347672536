import { APICallError } from '@ai-sdk/provider';
import { ModelError } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { parseRetryAfter, toModelError } from './to-model-error.ts';

const ORIGIN = { name: 'anthropic/wire', keyVariable: 'ANTHROPIC_API_KEY' };

function ofStatus(statusCode: number, message = 'Because', data?: unknown) {
  const fault = new APICallError({ message, statusCode, url: 'http://x', requestBodyValues: {}, data });
  return toModelError(fault, ORIGIN);
}

function shown({ message, retryable, hints }: ModelError): readonly unknown[] {
  return [message, retryable, ...hints];
}

function unreachable(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(`connect ${code}`), { code }) });
}

describe('a status', () => {
  it.each([
    [401, 'anthropic/wire refused the key (status 401): Because.', false, 'check ANTHROPIC_API_KEY'],
    [403, 'anthropic/wire refused the key (status 403): Because.', false, 'check ANTHROPIC_API_KEY'],
    [402, 'anthropic/wire requires payment (status 402): Because.', false, 'check the billing of this provider'],
    [
      404,
      'anthropic/wire was not found (status 404): Because.',
      false,
      'check the name of the model: --model provider/name',
      'check the base URL',
    ],
    [400, 'anthropic/wire refused the request (status 400): Because.', false],
    [408, 'anthropic/wire failed (status 408): Because.', true],
    [429, 'anthropic/wire limits requests (status 429): Because.', true],
    [500, 'anthropic/wire failed (status 500): Because.', true],
    [503, 'anthropic/wire is overloaded (status 503): Because.', true],
    [529, 'anthropic/wire is overloaded (status 529): Because.', true],
  ])('%i has its own words', (status, ...expected) => {
    expect(shown(ofStatus(status))).toEqual(expected);
  });

  it('429 is final when the account is used up', () => {
    const error = ofStatus(429, 'You exceeded your quota.', { error: { code: 'insufficient_quota' } });
    expect(shown(error)).toEqual([
      'anthropic/wire requires payment (status 429): You exceeded your quota.',
      false,
      'check the billing of this provider',
    ]);
  });

  it('400 for a context that is too long has a remedy', () => {
    const error = ofStatus(400, 'prompt is too long: 1200000 tokens > 1000000 maximum');
    expect(error.hints).toEqual(['start a new session, or ask for less at a time']);
  });

  it('without a known key variable names the provider', () => {
    const error = toModelError({ statusCode: 401, message: 'no' }, { name: 'x/y' });
    expect(error.hints).toEqual(['check the key of this provider']);
  });

  it('of a plain error record in a stream counts as well', () => {
    expect(toModelError({ code: 429, message: 'slow down' }, ORIGIN).retryable).toBe(true);
    expect(toModelError({ message: 'slow', type: 'rate_limit_error', code: null }, ORIGIN).retryable).toBe(true);
  });
});

describe('a fault of the network', () => {
  it.each(['ECONNREFUSED', 'ENOTFOUND', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'])('%s may pass', (code) => {
    expect(shown(toModelError(unreachable(code), ORIGIN))).toEqual([
      `anthropic/wire could not be reached (${code}): connect ${code}.`,
      true,
      'check that the service is running and that its base URL is right',
    ]);
  });

  it.each(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_BODY_TIMEOUT'])('%s is a broken connection', (code) => {
    expect(shown(toModelError(unreachable(code), ORIGIN))).toEqual([
      `the connection to anthropic/wire broke off (${code}): connect ${code}.`,
      true,
    ]);
  });
});

describe('anything else', () => {
  it.each([
    { name: 'HTTPParserError', code: undefined },
    { name: 'Error', code: 'HPE_INVALID_CHUNK_SIZE' },
    { name: 'HeadersOverflowError', code: 'UND_ERR_HEADERS_OVERFLOW' },
    { name: 'TypeError', code: 'ERR_ENCODING_INVALID_ENCODED_DATA' },
    { name: 'Error', code: 'Z_DATA_ERROR' },
  ])('that came garbled may pass: $name $code', (marks) => {
    const cause = Object.assign(new Error('because'), marks);
    expect(shown(toModelError(new TypeError('terminated', { cause }), ORIGIN))).toEqual([
      'anthropic/wire sent something that cannot be read: because.',
      true,
    ]);
  });

  it('of another shape is not shown as a page of JSON', () => {
    const cause = Object.assign(new Error('[ { "code": "invalid_union" } ]'), { name: 'ZodError', issues: [{}] });
    const error = Object.assign(new Error('Type validation failed'), { name: 'AI_TypeValidationError', cause });
    expect(shown(toModelError(error, ORIGIN))).toEqual([
      'anthropic/wire sent something that cannot be read: it does not have the shape of a response.',
      true,
    ]);
  });

  it('that cannot be read may pass', () => {
    const error = toModelError(new SyntaxError('Unexpected token < in JSON'), ORIGIN);
    expect(shown(error)).toEqual([
      'anthropic/wire sent something that cannot be read: Unexpected token < in JSON.',
      true,
    ]);
  });

  it('a service calls overload or its own error may pass', () => {
    expect(toModelError({ type: 'overloaded_error', message: 'busy' }, ORIGIN)).toMatchObject({
      message: 'anthropic/wire is overloaded: busy.',
      retryable: true,
    });
    expect(toModelError({ type: 'server_error', message: 'oops' }, ORIGIN).retryable).toBe(true);
  });

  it('is final, unless the provider marks it as retryable', () => {
    expect(toModelError(new Error('odd'), ORIGIN)).toMatchObject({
      message: 'anthropic/wire failed: odd.',
      retryable: false,
    });
    expect(toModelError({ message: 'odd', isRetryable: true }, ORIGIN).retryable).toBe(true);
  });

  it.each([
    ['a text', 'a text'],
    [undefined, 'no reason given'],
    [null, 'no reason given'],
    [42, 'no reason given'],
    [{ type: 'strange' }, 'strange'],
  ])('of the shape %j becomes an error', (fault, reason) => {
    expect(toModelError(fault, ORIGIN).message).toBe(`anthropic/wire failed: ${reason}.`);
  });

  it('is kept as the cause', () => {
    const fault = new Error('odd');
    expect(toModelError(fault, ORIGIN).cause).toBe(fault);
  });

  it('that is the error of the port already stays as it is', () => {
    const error = new ModelError('mine');
    expect(toModelError(error, ORIGIN)).toBe(error);
  });

  it('is shown in one line of bounded length', () => {
    const { message } = toModelError(new Error(`two\nlines ${'x'.repeat(5000)}`), ORIGIN);
    expect(message).toMatch(/^anthropic\/wire failed: two lines x+…\.$/);
    expect(message.length).toBeLessThan(350);
  });

  it('that is its own cause does not hang', () => {
    const fault: Error & { cause?: unknown } = new Error('loop');
    fault.cause = fault;
    expect(toModelError(fault, ORIGIN).message).toBe('anthropic/wire failed: loop.');
  });
});

it('passes on how long to wait only where waiting helps', () => {
  const responseHeaders = { 'Retry-After': '3' };
  expect(toModelError({ statusCode: 429, message: 'x', responseHeaders }, ORIGIN).retryAfterMs).toBe(3000);
  expect(toModelError({ statusCode: 400, message: 'x', responseHeaders }, ORIGIN).retryAfterMs).toBeUndefined();
});

it.each([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': ' 0.5 ' }, 500],
  [{ 'retry-after-ms': '120', 'retry-after': '7' }, 120],
  [{ 'retry-after': 'Fri, 20 Nov 2026 10:01:00 GMT', date: 'Fri, 20 Nov 2026 10:00:00 GMT' }, 60_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 10:00:00 GMT', date: 'Fri, 20 Nov 2026 10:00:05 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-1' }, undefined],
  [{}, undefined],
])('reads %j as %s', (headers, expected) => {
  expect(parseRetryAfter(headers)).toBe(expected);
});

it('compares a date with this machine when the service sends none', () => {
  const inOneHour = new Date(Date.now() + 3_600_000).toUTCString();
  const wait = parseRetryAfter({ 'retry-after': inOneHour })!;
  expect(wait).toBeGreaterThan(3_500_000);
  expect(wait).toBeLessThanOrEqual(3_600_000);
});
