import { ModelError } from '@bae/core';

/** Model that caused a fault. */
export interface FaultOrigin {
  /** Name such as `anthropic/claude-sonnet-5-5`. */
  readonly name: string;
  /** Environment variable that contains the key: `ANTHROPIC_API_KEY`. */
  readonly keyVariable?: string;
}

interface Classification {
  readonly fact: string;
  /** True if the request may be tried again. Default: false. */
  readonly retryable?: boolean;
  readonly hints?: readonly string[];
}

const UNREACHABLE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/;
const BROKEN =
  /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_(SOCKET|HEADERS_TIMEOUT|BODY_TIMEOUT|RES_CONTENT_LENGTH_MISMATCH))$/;
const UNREADABLE =
  /^(AI_(JSONParseError|TypeValidationError|InvalidResponseDataError|EmptyResponseBodyError)|SyntaxError|HPE_.*|HTTPParserError|UND_ERR_HEADERS_OVERFLOW|ERR_ENCODING_INVALID_ENCODED_DATA|Z_(DATA|BUF)_ERROR)$/;
/** Message of the Anthropic provider if the first chunk of a stream is unreadable. */
const UNREADABLE_START = /^Expected a normalized/;
const OVERLOADED = /^(overloaded(_error)?|unavailable)$/i;
const SERVER_FAULT = /^(server_error|api_error|internal(_server)?_error|internal|timeout_error)$/i;
const UNPAID = /^(insufficient_quota|billing_hard_limit_reached)$/;
const TOO_LONG = /context.{0,20}(length|window)|too long|too many tokens|maximum.{0,40}tokens/i;

/**
 * Converts an error of a provider or the network to a ModelError.
 *
 * Rate limits, overload, server errors, lost connections and unreadable responses are retryable; a refused key, an
 * unknown model and an invalid request are not.
 */
export function toModelError(fault: unknown, origin: FaultOrigin): ModelError {
  if (fault instanceof ModelError) return fault;
  const details = readFault(fault);
  const { fact, ...options } = classify(details, origin);
  const retryAfter = parseRetryAfter(details.headers);
  return new ModelError(`${fact}: ${details.message}.`, {
    ...options,
    ...(options.retryable === true && retryAfter !== undefined && { retryAfterMs: retryAfter }),
    cause: fault,
  });
}

function classify(details: FaultDetails, origin: FaultOrigin): Classification {
  if (details.status !== undefined) return classifyStatus(details.status, details, origin);
  const { name } = origin;
  const findMark = (pattern: RegExp): string | undefined => details.marks.find((mark) => pattern.test(mark));
  const unreachable = findMark(UNREACHABLE);
  if (unreachable !== undefined) {
    const hints = ['check that the service is running and that its base URL is right'];
    return { fact: `${name} could not be reached (${unreachable})`, retryable: true, hints };
  }
  const broken = findMark(BROKEN);
  if (broken !== undefined) return { fact: `the connection to ${name} broke off (${broken})`, retryable: true };
  if (findMark(UNREADABLE) !== undefined || UNREADABLE_START.test(details.message))
    return { fact: `${name} sent something that cannot be read`, retryable: true };
  if (findMark(OVERLOADED) !== undefined) return { fact: `${name} is overloaded`, retryable: true };
  if (findMark(/^rate_limit/) !== undefined) return { fact: `${name} limits requests`, retryable: true };
  return { fact: `${name} failed`, retryable: details.retryable ?? findMark(SERVER_FAULT) !== undefined };
}

function classifyStatus(status: number, details: FaultDetails, origin: FaultOrigin): Classification {
  const { name, keyVariable } = origin;
  if (status === 401 || status === 403) {
    const hints = [keyVariable === undefined ? 'check the key of this provider' : `check ${keyVariable}`];
    return { fact: `${name} refused the key (status ${status})`, hints };
  }
  if (status === 404) {
    const hints = ['check the name of the model: --model provider/name', 'check the base URL'];
    return { fact: `${name} was not found (status 404)`, hints };
  }
  if (status === 402 || details.marks.some((mark) => UNPAID.test(mark))) {
    return { fact: `${name} requires payment (status ${status})`, hints: ['check the billing of this provider'] };
  }
  if (status === 429) return { fact: `${name} limits requests (status 429)`, retryable: true };
  if (status === 503 || status === 529) return { fact: `${name} is overloaded (status ${status})`, retryable: true };
  if (status >= 500 || status === 408 || status === 409 || status === 425) {
    return { fact: `${name} failed (status ${status})`, retryable: true };
  }
  const hints = TOO_LONG.test(details.message) ? ['start a new session, or ask for less at a time'] : [];
  return { fact: `${name} refused the request (status ${status})`, hints };
}

/** Facts in an error of a provider or the network. */
interface FaultDetails {
  /** HTTP status, if any. */
  readonly status: number | undefined;
  /** Response headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Message on one line, without a full stop. */
  readonly message: string;
  /** Names and codes of the fault and its causes, outermost first: `AI_APICallError`, `ECONNRESET`. */
  readonly marks: readonly string[];
  /** The provider's own assessment, if any. */
  readonly retryable: boolean | undefined;
}

/** Maximum length of a message in characters, and maximum number of causes that are read. */
const LONGEST_MESSAGE = 300;
const LONGEST_CHAIN = 6;

/** Reads a fault of any shape: an Error with causes, a plain error record of a stream, or a string. */
function readFault(fault: unknown): FaultDetails {
  const [record = {}, ...causes] = listCauses(fault);
  const status = getStatus(record);
  // The message of a service is outermost; that of the network or a parser is innermost.
  const source = status === undefined ? (causes.at(-1) ?? record) : record;
  return {
    status,
    headers: lowerCaseKeys(asRecord(record['responseHeaders'])),
    message: toLine(typeof fault === 'string' ? fault : getMessage(source)),
    marks: [record, ...causes].flatMap(listMarks),
    retryable: typeof record['isRetryable'] === 'boolean' ? record['isRetryable'] : undefined,
  };
}

/** Lists a fault and its causes, outermost first. */
function listCauses(fault: unknown): readonly Readonly<Record<string, unknown>>[] {
  const chain = [asRecord(fault)];
  while (chain.length < LONGEST_CHAIN) {
    const cause = chain.at(-1)?.['cause'];
    if (typeof cause !== 'object' || cause === null) break;
    chain.push(asRecord(cause));
  }
  return chain;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function getStatus(record: Readonly<Record<string, unknown>>): number | undefined {
  const candidates = [record['statusCode'], record['status'], record['code']].map(Number);
  return candidates.find((status) => Number.isInteger(status) && status >= 400 && status < 600);
}

function getMessage(record: Readonly<Record<string, unknown>>): string {
  const { message } = record;
  // The message of a schema error is a page of JSON.
  if (Array.isArray(record['issues'])) return 'it does not have the shape of a response';
  if (typeof message === 'string' && message.trim() !== '') return message;
  return typeof record['type'] === 'string' ? record['type'] : 'no reason given';
}

function listMarks(record: Readonly<Record<string, unknown>>): readonly string[] {
  const inner = asRecord(asRecord(record['data'])['error']);
  const candidates = [record['name'], record['code'], record['type'], inner['code'], inner['type']];
  return candidates.filter((mark) => typeof mark === 'string');
}

function lowerCaseKeys(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

function toLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line;
}

/**
 * Returns the time for which a service asks a client to wait, in milliseconds, from `retry-after-ms` (milliseconds) or
 * `retry-after` (seconds, or a date, which is compared with the service's own `date`). Header names are lower-case.
 */
export function parseRetryAfter(headers: Readonly<Record<string, string | undefined>>): number | undefined {
  const ms = parseAmount(headers['retry-after-ms']);
  if (ms !== undefined) return Math.ceil(ms);
  const text = headers['retry-after'];
  const seconds = parseAmount(text);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const until = parseDate(text);
  return until === undefined ? undefined : Math.max(0, until - (parseDate(headers['date']) ?? Date.now()));
}

function parseAmount(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function parseDate(text: string | undefined): number | undefined {
  // `Date.parse` accepts almost anything; an HTTP date ends in `GMT`.
  const ms = text?.trim().endsWith('GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
