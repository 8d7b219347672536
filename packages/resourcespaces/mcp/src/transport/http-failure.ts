import type { Transport } from '@modelcontextprotocol/client';
import { oneLine } from '../tool-result.ts';

/** Longest part of an answer that is quoted, in characters. */
const LONGEST_QUOTE = 200;

/** Thrown instead of following a redirect, which would send keys to another address. */
export class RedirectError extends Error {
  /** @param target the address without what may be secret in it */
  constructor(readonly target: string) {
    super(`redirected to ${target}`);
  }
}

/** Returns an address without its query and password, which may be secret. */
export function shortenAddress(address: string): string {
  if (!URL.canParse(address)) return '(no address)';
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

/** Fields of the errors of the SDK, of fetch and of the system. */
interface Failure {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly data?: { readonly status?: unknown; readonly text?: unknown; readonly contentType?: unknown };
}

/** Returns the status of the answer that an error is about; undefined if it is about none. */
export function findStatus(error: unknown): number | undefined {
  for (const { name, code, message, data } of listFailures(error)) {
    if (typeof data?.status === 'number') return data.status;
    if (name === 'SseError' && typeof code === 'number') return code;
    const [, said] = /Non-200 status code \((\d{3})\)/.exec(typeof message === 'string' ? message : '') ?? [];
    if (said !== undefined) return Number(said);
  }
  return undefined;
}

/**
 * Explains in a sentence why a server over HTTP did not answer as it should, after its name.
 *
 * @param address its address
 * @returns undefined for an error that is about something else
 */
export function explainHttpFailure(error: unknown, address: string): string | undefined {
  const failures = listFailures(error);
  const status = findStatus(error);
  if (status !== undefined) return explainStatus(status, address, quoteAnswer(failures));
  for (const failure of failures) {
    const reason = explainConnection(failure, address) ?? explainAnswer(failure, address);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function listFailures(error: unknown): readonly Failure[] {
  const found: Failure[] = [];
  for (let at = error; at instanceof Error && found.length < 5; at = at.cause) found.push(at);
  return found;
}

function explainStatus(status: number, address: string, quoted: string): string {
  const said = `(status ${status}${quoted})`;
  if (status === 403) return `it denies access: its key or your login does not allow this ${said}`;
  if (status === 404 || status === 405 || status === 410)
    return `there is no server of the protocol at ${shortenAddress(address)}: correct the address in its settings ${said}`;
  if (status === 429) return `it had too many requests: wait a while ${said}`;
  if (status >= 500) return `it is out of order: try again later ${said}`;
  return `it refuses the request ${said}`;
}

/** Quotes what a server says in its answer: the message in JSON, the title of a page, or a short text. */
function quoteAnswer(failures: readonly Failure[]): string {
  const text =
    failures
      .map(({ data }) => data?.text)
      .find((one) => typeof one === 'string')
      ?.trim() ?? '';
  const [, title] = /<title[^>]*>([^<]*)/i.exec(text) ?? [];
  const quoted = oneLine(title ?? findReason(text) ?? (text.startsWith('<') ? '' : text)).slice(0, LONGEST_QUOTE);
  return quoted === '' ? '' : `: ${quoted}`;
}

function findReason(text: string): string | undefined {
  try {
    const {
      error,
      message,
      error_description: description,
    } = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
    const inner = Object(error) as { readonly message?: unknown };
    return [description, message, inner.message, error].find((one) => typeof one === 'string');
  } catch {
    return undefined;
  }
}

const NETWORK: Readonly<Record<string, (host: string) => string>> = {
  ENOTFOUND: (host) => `there is no host ${host}, or no network`,
  EAI_AGAIN: (host) => `there is no network in which to look for ${host}`,
  ECONNREFUSED: (host) => `nothing listens at ${host}`,
  ECONNRESET: (host) => `${host} closed the connection`,
};

function explainConnection(failure: Failure, address: string): string | undefined {
  const { host } = new URL(address);
  const message = typeof failure.message === 'string' ? failure.message : '';
  // An event stream that cannot be opened has the reason in its message only.
  const said = /^SSE error: .*\b(E[A-Z_]{4,}|bad port)\b/.exec(message)?.[1];
  const code = typeof failure.code === 'string' ? failure.code : (said ?? '');
  if (failure instanceof RedirectError)
    return `its address leads to another, ${failure.target}, which is not followed: write that into its settings if it is right`;
  if (Object.hasOwn(NETWORK, code)) return `it cannot be reached (${code}): ${NETWORK[code]!(host)}`;
  if (code === 'UND_ERR_SOCKET') return `${host} closed the connection without an answer`;
  if (code === 'REQUEST_TIMEOUT' || /^UND_ERR_\w*TIMEOUT$/.test(code)) return 'it did not answer in time';
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER') return `${host} has no encryption: its address begins with http://`;
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|^ERR_(?:TLS|SSL)/.test(code))
    return `its certificate is not accepted (${oneLine(message.split(';', 1)[0]!)}): the variable NODE_EXTRA_CA_CERTS names a file with the certificates of your network`;
  if (message === 'bad port' || said === 'bad port')
    return `a port such as that of ${host} is not used for HTTP: correct the address in its settings`;
  return code.startsWith('E') && 'syscall' in failure ? `it cannot be reached (${code})` : undefined;
}

function explainAnswer({ name, code, data }: Failure, address: string): string | undefined {
  if (code === 'CLIENT_HTTP_UNEXPECTED_CONTENT') {
    const kind = typeof data?.contentType === 'string' ? oneLine(data.contentType.split(';', 1)[0]!) : 'nothing';
    return `${shortenAddress(address)} answered with ${kind}, which is not of the protocol: correct the address in its settings`;
  }
  if (name === 'ZodError' || name === 'SyntaxError')
    return `${shortenAddress(address)} answered with JSON that is not of the protocol`;
  return undefined;
}

/** True if a server over HTTP, which may have been restarted, did not make a call because it has no such session. */
export function isLostSession(error: unknown, transport: Pick<Transport, 'sessionId'> | undefined): boolean {
  if (transport?.sessionId === undefined) return false;
  const status = findStatus(error);
  return status === 404 || (status === 400 && /session/i.test((error as Error).message));
}
