import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client';
import { boundedFetch } from './bounded-fetch.ts';
import { findNetworkCode, ServerError } from './server-error.ts';
import { expandVariables, isProgram, type OAuthSettings, type ServerSettings } from './server-settings.ts';

type Client = Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
type Discovery = NonNullable<Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>>;
type Tokens = Awaited<ReturnType<OAuthClientProvider['tokens']>>;

/** Result of a login at a server. */
export interface Login {
  /** Address for which the tokens are valid. */
  readonly url: string;
  readonly client?: Client;
  readonly tokens?: Tokens;
  /** Additional scope that the server required; the next login requests it. */
  readonly wantedScope?: string;
}

/** Stores the login at one server between sessions, readable only by the user. */
export interface LoginStore {
  read(): Login | undefined;
  write(login: Login): void;
}

/** Returns this machine's login at a server; without one, a server that needs a login causes an UnauthorizedError. */
export function useLogin(name: string, url: string, store: LoginStore | undefined): OAuthClientProvider | AuthProvider {
  const login = store?.read();
  if (store === undefined || login?.url !== url || login.tokens === undefined)
    return { token: () => Promise.resolve(undefined) };
  const endLogin = (): never => {
    throw makeLoginError(name, 'its login has ended');
  };
  return new LoginProvider({ url, store, redirectUrl: undefined, open: endLogin });
}

/** Creates the error for a server that requires a login. */
export function makeLoginError(name: string, fact: string, cause?: unknown): ServerError {
  return new ServerError(`${name}: ${fact}. You log in in another terminal.`, [`bae mcp login ${name}`], cause);
}

/** Records the additional scope that a server requires, for the next login. @returns the error to throw */
export function noteWantedScope(
  { name, url, store }: { readonly name: string; readonly url: string; readonly store: LoginStore | undefined },
  scope: string | undefined,
): ServerError {
  const login = store?.read();
  if (login !== undefined && scope !== undefined)
    store?.write({ ...login, url, wantedScope: joinScopes(login.wantedScope, scope) });
  return makeLoginError(name, `its login does not allow this${scope === undefined ? '' : `; it wants ${scope}`}`);
}

function joinScopes(...scopes: readonly (string | null | undefined)[]): string {
  return [...new Set(scopes.flatMap((scope) => scope?.split(' ') ?? []))].filter((word) => word !== '').join(' ');
}

/** Options for a person's login. */
export interface LoginRequest {
  readonly name: string;
  readonly settings: ServerSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly store: LoginStore;
  /** Shows the address at which the person allows the access. */
  readonly show: (address: URL) => void;
  /**
   * Resolves to the address that the browser was redirected to, if it cannot reach this machine and the person copies
   * the address; otherwise never resolves.
   */
  readonly pasted: () => Promise<string>;
  readonly signal: AbortSignal;
}

/**
 * Logs a person in at a server over HTTP, using OAuth 2.1 with PKCE: the person allows the access in a browser, which
 * is then redirected to an address on this machine, or pastes that address.
 *
 * @returns false if the server needs no login
 * @throws ServerError if the access is refused, or the server cannot be reached
 */
export async function logIn({ name, settings, env, store, show, pasted, signal }: LoginRequest): Promise<boolean> {
  const expanded = expandVariables(name, settings, env);
  if (isProgram(expanded))
    throw new ServerError(`${name} is a program: it needs no login.`, ['give it its keys with env in its settings']);
  const {
    Client: McpClient,
    StreamableHTTPClientTransport,
    UnauthorizedError,
  } = await import('@modelcontextprotocol/client');
  const { oauth = {}, url, headers } = expanded;
  const callback = await listenForCallback(oauth.callbackPort);
  const state = randomBytes(32).toString('base64url');
  // An existing login is not used, because the person wants a new one.
  const provider = new LoginProvider({ url, store, redirectUrl: callback.url, open: show, oauth, state });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers, redirect: 'error' },
    fetch: boundedFetch,
    authProvider: provider,
  });
  const client = new McpClient({ name: 'bae', version: '0.1.0' }, { versionNegotiation: { mode: 'auto' } });
  try {
    await client.connect(transport, { signal });
    return false;
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw explainLogin(name, error);
    const answer = await Promise.race([callback.received, readPasted(pasted), rejectOn(signal)]);
    if (answer.get('state') !== state)
      throw new ServerError(`${name}: the answer belongs to another login.`, [`bae mcp login ${name}`]);
    const refusal = answer.get('error');
    if (refusal !== null) {
      const why = answer.get('error_description') ?? refusal;
      throw new ServerError(`${name}: the access was not allowed: ${why}.`, [`bae mcp login ${name}`]);
    }
    await transport.finishAuth(answer).catch((cause: unknown) => {
      throw explainLogin(name, cause);
    });
    return true;
  } finally {
    callback.close();
    await client.close().catch(() => undefined);
  }
}

function explainLogin(name: string, error: unknown): ServerError {
  const { message } = error as Error;
  const code = findNetworkCode(error);
  const reason = code === undefined ? message.replace(/\.$/, '') : `it cannot be reached (${code})`;
  return new ServerError(`${name}: ${reason}.`, [`bae mcp login ${name}`], error);
}

/** Waits for the browser at an address that only this machine can reach. */
async function listenForCallback(port = 0) {
  const { promise: received, resolve } = Promise.withResolvers<URLSearchParams>();
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isAnswer = address.pathname === '/callback' && hasAnswer(address.searchParams);
    response.writeHead(isAnswer ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end(isAnswer ? 'You can close this window and go back to bae.\n' : 'Nothing is here.\n');
    if (isAnswer) resolve(address.searchParams);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: unknown) => {
    throw new ServerError(
      `the port ${port} for the answer of the browser is taken.`,
      ['choose another "callbackPort"'],
      error,
    );
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url, received, close };
}

function hasAnswer(params: URLSearchParams): boolean {
  return params.has('state') && (params.has('code') || params.has('error'));
}

/** Reads the answer from an address that a person pasted; asks again if the text is not such an address. */
async function readPasted(pasted: () => Promise<string>): Promise<URLSearchParams> {
  for (;;) {
    const text = (await pasted()).trim();
    const params = URL.canParse(text) ? new URL(text).searchParams : new URLSearchParams();
    if (hasAnswer(params)) return params;
  }
}

function rejectOn(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

interface ProviderParts {
  readonly url: string;
  readonly store: LoginStore;
  /** Address that the browser is redirected to; undefined if nobody can open one. */
  readonly redirectUrl: string | undefined;
  readonly open: (address: URL) => void;
  readonly oauth?: OAuthSettings;
  readonly state?: string;
}

/** Provides the login at one server to the SDK. */
class LoginProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  /** Address of the client metadata document, if the client ID is one; such a client needs no registration. */
  declare readonly clientMetadataUrl?: string;
  readonly #parts: ProviderParts;
  #verifier = '';
  #client: Client;
  #discovery: Discovery | undefined;
  #used: Tokens;

  constructor(parts: ProviderParts) {
    this.#parts = parts;
    // Without a person the address is never used, but without an address the SDK would not refresh tokens.
    this.redirectUrl = parts.redirectUrl ?? 'http://127.0.0.1/callback';
    const { clientId, clientSecret } = parts.oauth ?? {};
    if (clientId !== undefined && /^https:\/\/[^/]+\/./.test(clientId)) this.clientMetadataUrl = clientId;
    else if (clientId !== undefined)
      this.#client = { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
    else if (parts.redirectUrl === undefined) this.#client = parts.store.read()?.client;
  }

  get clientMetadata() {
    const scopes = this.#parts.oauth?.scopes;
    return {
      client_name: 'bae',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: this.#parts.oauth?.clientSecret === undefined ? 'none' : 'client_secret_basic',
      ...(scopes !== undefined && { scope: scopes.join(' ') }),
    };
  }

  state(): string {
    return this.#parts.state ?? randomBytes(32).toString('base64url');
  }

  /** A client registered in advance is used with any authorization server of this server. */
  clientInformation(context?: { readonly issuer?: string }): Client {
    const isConfigured = this.#parts.oauth?.clientId !== undefined && this.clientMetadataUrl === undefined;
    const issuer = isConfigured && context?.issuer !== undefined ? { issuer: context.issuer } : {};
    return this.#client && { ...this.#client, ...issuer };
  }

  /** The answer has to come from the authorization server at which the login began. */
  discoveryState(): Discovery | undefined {
    return this.#discovery;
  }

  saveDiscoveryState(discovery: Discovery): void {
    this.#discovery = discovery;
  }

  saveClientInformation(client: NonNullable<Client>): void {
    this.#client = client;
  }

  tokens(): Tokens {
    return (this.#used = this.#parts.redirectUrl === undefined ? this.#parts.store.read()?.tokens : undefined);
  }

  saveTokens(tokens: NonNullable<Tokens>): void {
    const { url, store } = this.#parts;
    store.write({ url, tokens, ...(this.#client !== undefined && { client: this.#client }) });
  }

  redirectToAuthorization(address: URL): void {
    const { wantedScope, tokens } = this.#parts.store.read() ?? {};
    if (wantedScope !== undefined)
      address.searchParams.set('scope', joinScopes(address.searchParams.get('scope'), tokens?.scope, wantedScope));
    this.#parts.open(address);
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    const { url, store } = this.#parts;
    // Another process may have renewed them in the meantime.
    const isOurs = store.read()?.tokens?.refresh_token === this.#used?.refresh_token;
    if ((scope === 'all' || scope === 'tokens') && isOurs) store.write({ url });
    if (scope === 'all' || scope === 'discovery') this.#discovery = undefined;
  }
}
