import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { waitUnlessAborted } from '@bae/core';
import type { AuthProvider, OAuthClientProvider } from '@modelcontextprotocol/client';
import { makeServerFetch } from './transport/bounded-fetch.ts';
import { explainHttpFailure } from './transport/http-failure.ts';
import { ServerError } from './tool-result.ts';
import { expandVariables, isProgram, type OAuthSettings, type ServerSettings } from './server-settings.ts';

type Client = Awaited<ReturnType<OAuthClientProvider['clientInformation']>>;
type Tokens = Awaited<ReturnType<OAuthClientProvider['tokens']>>;

/** Result of a login at a server. */
export interface Login {
  /** Address for which the tokens are valid. */
  readonly url: string;
  readonly client?: Client;
  readonly tokens?: Tokens;
  /** Additional scope that the server required; the next login requests it. */
  readonly wantedScope?: string;
  /** The only one that a client secret is sent to. */
  readonly receiver?: SecretReceiver;
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
  const admit = (receiver: SecretReceiver): Promise<never> => {
    const fact = `its client secret would now go to ${describeReceiver(receiver)}, where you did not log in`;
    return Promise.reject(makeLoginError(name, fact));
  };
  return new LoginProvider({ name, url, store, redirectUrl: undefined, open: endLogin, admit });
}

/** Creates the error for a server that requires a login. */
export function makeLoginError(name: string, fact: string, cause?: unknown): ServerError {
  // The command is named first because a place shows only the beginning.
  const command = `bae mcp login ${name}`;
  return new ServerError(`${name}: log in from another terminal (${command}): ${fact}.`, [command], cause);
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
   * Asks the person whether the client secret of the settings may go to an authorization server, the first time and
   * when the server names another one.
   *
   * @param before the one that it went to before
   */
  readonly confirm: (receiver: string, before: string | undefined) => Promise<boolean>;
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
export async function logIn(request: LoginRequest): Promise<boolean> {
  const { name, settings, env, store, show, pasted, signal } = request;
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
  const admit = (receiver: SecretReceiver) => admitReceiver(receiver, { ...request, oauth, url });
  const provider = new LoginProvider({ name, url, store, redirectUrl: callback.url, open: show, admit, oauth, state });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers, redirect: 'error' },
    fetch: makeServerFetch(url, headers),
    authProvider: provider,
  });
  const client = new McpClient({ name: 'bae', version: '0.1.0' }, { versionNegotiation: { mode: 'auto' } });
  try {
    await client.connect(transport, { signal });
    return false;
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw explainLogin(name, url, error);
    const answer = await waitUnlessAborted(Promise.race([callback.received, readPasted(pasted)]), signal);
    if (answer.get('state') !== state)
      throw new ServerError(`${name}: the answer belongs to another login.`, [`bae mcp login ${name}`]);
    const refusal = answer.get('error');
    if (refusal !== null) {
      const why = answer.get('error_description') ?? refusal;
      throw new ServerError(`${name}: the access was not allowed: ${why}.`, [`bae mcp login ${name}`]);
    }
    await transport.finishAuth(answer).catch((cause: unknown) => {
      throw explainLogin(name, url, cause);
    });
    return true;
  } finally {
    callback.close();
    await client.close().catch(() => undefined);
  }
}

/** Lets the client secret go to an authorization server that the settings name or the person accepts. */
async function admitReceiver(
  receiver: SecretReceiver,
  { name, store, confirm, oauth, url }: LoginRequest & { readonly oauth: OAuthSettings; readonly url: string },
): Promise<void> {
  const login = store.read();
  const before = login?.url === url ? login.receiver : undefined;
  const shown = describeReceiver(receiver);
  const isNamed = oauth.issuer !== undefined && normalizeIssuer(oauth.issuer) === receiver.issuer;
  if (oauth.issuer !== undefined && !isNamed)
    throw new ServerError(
      `${name}: it names ${shown} as its authorization server, and the settings name ${oauth.issuer}. The client secret was not sent.`,
      [`"issuer": ${JSON.stringify(receiver.issuer)} in "oauth" of its settings, if that is right`],
    );
  if (!isNamed && !isSameReceiver(before, receiver) && !(await confirm(shown, before && describeReceiver(before))))
    throw new ServerError(`${name}: the client secret was not sent to ${shown}, because nobody allowed it.`, [
      `bae mcp login ${name}, at a keyboard`,
      `"issuer": ${JSON.stringify(receiver.issuer)} in "oauth" of its settings, if that is right`,
    ]);
  store.write({ ...(login?.url === url && login), url, receiver });
}

function explainLogin(name: string, url: string, error: unknown): ServerError {
  if (error instanceof ServerError) return error;
  const { message } = error as Error;
  const reason = explainHttpFailure(error, url) ?? message.replace(/\.$/, '');
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

interface ProviderParts {
  readonly name: string;
  readonly url: string;
  readonly store: LoginStore;
  /** Address that the browser is redirected to; undefined if nobody can open one. */
  readonly redirectUrl: string | undefined;
  readonly open: (address: URL) => void;
  /** Rejects if a client secret must not be sent to an authorization server. */
  readonly admit: (receiver: SecretReceiver) => Promise<void>;
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
  #admitted: SecretReceiver | undefined;
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

  /** A client registered in advance is used with any authorization server of this server, its secret is not. */
  async clientInformation(context?: { readonly issuer?: string }): Promise<Client> {
    const { oauth, redirectUrl, store, admit } = this.#parts;
    const isConfigured = oauth?.clientId !== undefined && this.clientMetadataUrl === undefined;
    const issuer = isConfigured && context?.issuer !== undefined ? { issuer: context.issuer } : {};
    const client = this.#client && { ...this.#client, ...issuer };
    // A secret from a registration during this login goes back to where it came from.
    if (client?.client_secret === undefined || (redirectUrl !== undefined && !isConfigured)) return client;
    if (context?.issuer === undefined) return undefined;
    const receiver = findReceiver(context.issuer, this.#discovery);
    if (redirectUrl !== undefined) await this.#admitOnce(receiver);
    else if (!isSameReceiver(store.read()?.receiver, receiver)) {
      // A client that registered itself does so again at another authorization server, with another secret.
      if ('redirect_uris' in client) return undefined;
      await admit(receiver);
    }
    return client;
  }

  /** The SDK asks for the client several times in one login. */
  async #admitOnce(receiver: SecretReceiver): Promise<void> {
    if (!isSameReceiver(this.#admitted, receiver)) await this.#parts.admit(receiver);
    this.#admitted = receiver;
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

  /** @throws ServerError if they would be renewed elsewhere than where they came from */
  tokens(context?: { readonly issuer?: string }): Tokens {
    const { name, url, store, redirectUrl } = this.#parts;
    this.#used = redirectUrl === undefined ? store.read()?.tokens : undefined;
    if (this.#used === undefined || 'issuer' in this.#used || context?.issuer === undefined) return this.#used;
    // Earlier versions did not keep who issued them. The server itself gets them anyway.
    const receiver = findReceiver(context.issuer, this.#discovery);
    const { origin } = new URL(url);
    if (receiver.origin !== origin || new URL(receiver.issuer).origin !== origin) {
      const fact = `it is not known where its login is from, and it would go to ${describeReceiver(receiver)}`;
      throw makeLoginError(name, fact);
    }
    return { ...this.#used, issuer: context.issuer };
  }

  saveTokens(tokens: NonNullable<Tokens>): void {
    const { url, store } = this.#parts;
    const { issuer } = tokens as { readonly issuer?: string };
    const hasReceiver = issuer !== undefined && this.#client?.client_secret !== undefined;
    store.write({
      url,
      tokens,
      ...(this.#client !== undefined && { client: { ...this.#client, ...(issuer !== undefined && { issuer }) } }),
      ...(hasReceiver && { receiver: findReceiver(issuer, this.#discovery) }),
    });
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
    if ((scope === 'all' || scope === 'tokens') && isOurs) {
      const receiver = store.read()?.receiver;
      store.write({ url, ...(receiver !== undefined && { receiver }) });
    }
    if (scope === 'all' || scope === 'discovery') this.#discovery = undefined;
  }
}

type Discovery = NonNullable<Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>>;

/** The authorization server that a client secret is sent to. The server that wants the login names it. */
interface SecretReceiver {
  /** Its identifier, an address. */
  readonly issuer: string;
  /** Origin of the address that takes the secret in exchange for tokens. */
  readonly origin: string;
}

/** Determines who would receive a secret now. */
function findReceiver(issuer: string, discovery: Discovery | undefined): SecretReceiver {
  const { token_endpoint: endpoint = issuer } = discovery?.authorizationServerMetadata ?? {};
  return { issuer: normalizeIssuer(issuer), origin: new URL(endpoint).origin };
}

/** Removes what does not distinguish two identifiers, and encodes what does not belong into an address. */
function normalizeIssuer(issuer: string): string {
  return new URL(issuer).href.replace(/\/$/, '');
}

function isSameReceiver(one: SecretReceiver | undefined, other: SecretReceiver): boolean {
  return one?.issuer === other.issuer && one.origin === other.origin;
}

/** Names a receiver for a person, with the address that takes the secret if it is elsewhere. */
function describeReceiver({ issuer, origin }: SecretReceiver): string {
  return new URL(issuer).origin === origin ? issuer : `${issuer} at ${origin}`;
}
