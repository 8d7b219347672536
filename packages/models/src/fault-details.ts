/** What can be read off anything a provider or the network threw or sent as an error. */
export interface FaultDetails {
  /** HTTP status, when there was one. */
  readonly status: number | undefined;
  /** Response headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** What it says of itself: one line, without a full stop at its end. */
  readonly message: string;
  /** Names and codes of the fault and its causes, outermost first: `AI_APICallError`, `ECONNRESET`. */
  readonly marks: readonly string[];
  /** The provider's own judgement, when it gave one. */
  readonly retryable: boolean | undefined;
}

const LONGEST_MESSAGE = 300;
const LONGEST_CHAIN = 6;

/** Reads a fault of any shape: an Error with causes, a plain error record of a stream, a text. */
export function faultDetails(fault: unknown): FaultDetails {
  const [record = {}, ...causes] = chainOf(fault);
  const status = statusOf(record);
  // A service's own words are outermost; what the network or a parser has to say is innermost.
  const speaker = status === undefined ? (causes.at(-1) ?? record) : record;
  return {
    status,
    headers: lowerCased(asRecord(record['responseHeaders'])),
    message: oneLine(typeof fault === 'string' ? fault : messageOf(speaker)),
    marks: [record, ...causes].flatMap(marksOf),
    retryable: typeof record['isRetryable'] === 'boolean' ? record['isRetryable'] : undefined,
  };
}

/** A fault and its causes, outermost first. */
function chainOf(fault: unknown): readonly Readonly<Record<string, unknown>>[] {
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

function statusOf(record: Readonly<Record<string, unknown>>): number | undefined {
  const candidates = [record['statusCode'], record['status'], record['code']].map(Number);
  return candidates.find((status) => Number.isInteger(status) && status >= 400 && status < 600);
}

function messageOf(record: Readonly<Record<string, unknown>>): string {
  const { message } = record;
  // What a schema complains about is a page of JSON.
  if (Array.isArray(record['issues'])) return 'it does not have the shape of a response';
  if (typeof message === 'string' && message.trim() !== '') return message;
  return typeof record['type'] === 'string' ? record['type'] : 'no reason given';
}

function marksOf(record: Readonly<Record<string, unknown>>): readonly string[] {
  const inner = asRecord(asRecord(record['data'])['error']);
  const candidates = [record['name'], record['code'], record['type'], inner['code'], inner['type']];
  return candidates.filter((mark) => typeof mark === 'string');
}

function lowerCased(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '');
  return line.length > LONGEST_MESSAGE ? `${line.slice(0, LONGEST_MESSAGE)}…` : line;
}
