import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TimeoutError, waitUnlessAborted, type ToolContext } from '@bae/core';
import type { CallToolResult, Client, ProgressCallback, Prompt, Tool, Transport } from '@modelcontextprotocol/client';
import { makeServerFetch } from './transport/bounded-fetch.ts';
import type { ListName } from './transport/list-reading.ts';
import { MessageLimits, IdleLimit } from './transport/message-limits.ts';
import type { ProgramTransport } from './transport/program-transport.ts';
import {
  answerServer,
  askModel,
  askToOpen,
  listPagesToOpen,
  type OpenRequest,
  type Questioned,
} from './server-question.ts';
import { explainHttpFailure, findStatus, isLostSession } from './transport/http-failure.ts';
import { ServerError, oneLine } from './tool-result.ts';
import { makeLoginError, noteWantedScope, useLogin, type LoginStore } from './server-login.ts';
import { expandVariables, isProgram, type ServerSettings } from './server-settings.ts';

/** Working folder, variables and logins for a server. */
export interface ServerPlace {
  /** Folder in which programs are started, and which servers get as their root. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the store for the login at an address. Default: there are no logins. */
  readonly login?: (url: string) => LoginStore;
  /** Time without a call after which a server is ended, in milliseconds; the next call starts it again. Default: none. */
  readonly idleMs?: number | undefined;
}

/** Time limit until a server is ready and lists its tools, in milliseconds. */
const START_MS = 60_000;
/** What to do after a call that failed: the next one starts the server again. */
const REPEAT = 'make the call again, if it may run twice';
/** Time limit for a sign of life, in milliseconds. */
const ALIVE_MS = 3000;
/** Minimum and maximum pause after a failed start, in milliseconds; it doubles with each failure. */
const [LEAST_PAUSE_MS, MOST_PAUSE_MS] = [250, 30_000];
/** Maximum length of a reason, in characters: the SDK lists everything that is wrong with a message. */
const LONGEST_REASON = 1000;
/** Maximum delay of a timer, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;

/** Title, tools and other contents of a server. */
export interface ServerFacts {
  readonly title: string;
  readonly tools: readonly Tool[];
  readonly prompts: readonly Prompt[];
  readonly hasResources: boolean;
  /** What was left out of its lists because it is wrong or too much, in one line; empty if nothing was. */
  readonly leftOut: string;
}

/** What to do after a call to which a server answered with an error, and after one that failed otherwise. */
interface Remedies {
  readonly answered: string;
  readonly failed: string;
}

/** The parts of a tool's context that a call needs. */
export type CallContext = Questioned & Pick<ToolContext, 'signal' | 'progress'>;

/**
 * Connection to a server, opened when it is first needed, and reopened after it was lost. Every failure is a
 * ServerError with the server's name and last output.
 */
export class ServerConnection {
  readonly name: string;
  readonly #settings: ServerSettings;
  readonly #place: ServerPlace;
  readonly #onChange: () => void;
  readonly #idle: IdleLimit;
  #connecting: Promise<Client> | undefined;
  #transport: Transport | undefined;
  #limits = new MessageLimits();
  /** Contexts of the running calls, for questions. */
  #calls: readonly Questioned[] = [];
  /** The program, if the server is one. */
  #program: Pick<ProgramTransport, 'lastWords' | 'failure'> | undefined;
  /** The address, if the server is reached over HTTP. */
  #address: string | undefined;
  /** Number of consecutive failed starts, and the earliest time of the next one. */
  #failures = 0;
  #notBefore = 0;
  /** Ends when it is known whether a server that did not answer a call still answers anything. */
  #checked: Promise<void> = Promise.resolve();
  /** Number of times the connection was closed: a start that was waiting at that time is cancelled. */
  #ends = 0;

  /**
   * @param onChange called when the server reports that its tools have changed
   */
  constructor(
    name: string,
    settings: ServerSettings,
    { place, onChange }: { place: ServerPlace; onChange: () => void },
  ) {
    this.name = name;
    this.#settings = settings;
    this.#place = place;
    this.#onChange = onChange;
    this.#idle = new IdleLimit(place.idleMs, () => void this.close());
  }

  /**
   * Uses the connection for a call. @throws ServerError if the server cannot be reached, or the work fails
   *
   * @param hint what to do if the server answers with an error
   */
  use<T>(work: (client: Client) => Promise<T>, signal: AbortSignal, hint: string = REPEAT): Promise<T> {
    return this.#use(work, signal, { answered: hint, failed: REPEAT });
  }

  async #use<T>(work: (client: Client) => Promise<T>, signal: AbortSignal, remedies: Remedies): Promise<T> {
    try {
      return await this.#idle.during(waitUnlessAborted(this.#attempt(work), signal));
    } catch (error) {
      // A timeout is the server's fault; a cancellation is not.
      const { aborted, reason } = signal;
      const isTimeout = aborted && reason instanceof DOMException && reason.name === 'TimeoutError';
      if (!isTimeout) signal.throwIfAborted();
      throw this.#explain(isTimeout ? new Error('it did not answer in time') : error, remedies);
    }
  }

  async #attempt<T>(work: (client: Client) => Promise<T>): Promise<T> {
    await this.#checked;
    const connecting = (this.#connecting ??= this.#connect());
    const client = await connecting;
    const transport = this.#transport;
    try {
      return await work(client);
    } catch (error) {
      if (!isLostSession(error, transport)) throw error;
      if (connecting === this.#connecting) this.#connecting = undefined;
      return await (this.#connecting ??= this.#connect()).then(work);
    } finally {
      // Other requests of the lost session have been refused in the meantime.
      if (transport !== this.#transport) await transport?.close().catch(() => undefined);
    }
  }

  /** Reads the tools and other contents of the server. */
  describe(signal: AbortSignal): Promise<ServerFacts> {
    const read = async (client: Client): Promise<ServerFacts> => {
      const options = { timeout: this.#startMs, cacheMode: 'refresh', signal } as const;
      const { tools } = await client.listTools(undefined, options);
      const { prompts, resources } = client.getServerCapabilities() ?? {};
      const { name = this.name, version = '' } = client.getServerVersion() ?? {};
      const wrong = this.describeLeftOut('tools');
      if (tools.length === 0 && wrong !== '') throw new Error(`it has no tools that can be used: ${wrong}`);
      return {
        title: oneLine(`${name} ${version}`),
        tools,
        prompts: prompts === undefined ? [] : (await client.listPrompts(undefined, options)).prompts,
        hasResources: resources !== undefined,
        leftOut: this.describeLeftOut('tools', 'prompts'),
      };
    };
    const enter = `@${this.name}()`;
    return this.#use(read, signal, { answered: enter, failed: enter });
  }

  /** Says in one line what was left out of lists when they were last read; empty if nothing was. */
  describeLeftOut(...lists: readonly ListName[]): string {
    return this.#limits.describeLeftOut(...lists);
  }

  callTool(
    call: { readonly name: string; readonly arguments: Record<string, unknown> },
    context: CallContext,
    hint?: string,
  ): Promise<CallToolResult> {
    const { signal, progress: report } = context;
    // The router limits the time of a call, because it pauses while a person is asked.
    const timeout = LONGEST_MS;
    const onprogress: ProgressCallback = ({ progress, total, message }) => report(progress, total, message);
    this.#calls = [...this.#calls, context];
    const work = async (client: Client): Promise<CallToolResult> => {
      const once = () => client.callTool(call, { timeout, signal, onprogress });
      try {
        return await once();
      } catch (error) {
        const pages = listPagesToOpen(error);
        if (pages === undefined) throw error;
        await this.#haveOpened(pages, context);
      }
      return once().catch((error: unknown) => {
        throw listPagesToOpen(error) === undefined ? error : this.#makeUnopenedError('that is not done yet');
      });
    };
    return this.use(work, signal, hint).finally(() => {
      this.#calls = this.#calls.filter((one) => one !== context);
    });
  }

  /**
   * Explains that a call exceeded its time limit. A server that does not answer anything else either is ended, so that
   * the next use starts it again.
   */
  explainTimeout(tool: string, ms: number): TimeoutError {
    this.#checked = this.#checkAlive();
    const fact = `${this.name}: ${tool} did not answer within ${ms / 1000}s and was stopped, outcome unknown. Ask for less in one call; the user can set a longer "timeout" in the settings of ${this.name}.`;
    return new TimeoutError(`${fact}${this.#quoteLastWords()}`, [REPEAT]);
  }

  /** Ends a program, or the session with a remote server. May be called more than once. */
  async close(): Promise<void> {
    this.#ends++;
    this.#connecting?.catch(() => undefined);
    const transport = this.#transport;
    [this.#connecting, this.#transport] = [undefined, undefined];
    await transport?.close().catch(() => undefined);
  }

  async #checkAlive(): Promise<void> {
    this.#onChange();
    const connecting = this.#connecting;
    // A remote server is asked anew with each request.
    if (connecting === undefined || !isProgram(this.#settings)) return;
    try {
      const client = await connecting;
      await client.ping({ timeout: ALIVE_MS });
    } catch {
      if (connecting === this.#connecting && this.#calls.length === 0) await this.close();
    }
  }

  /** Returns what a program printed last, for the end of an error; empty if there is nothing. */
  #quoteLastWords(): string {
    const { lastWords = '' } = this.#program ?? {};
    return lastWords === '' ? '' : `\nIt printed last:\n${lastWords}`;
  }

  get #startMs(): number {
    return this.#settings.startTimeout ?? START_MS;
  }

  /** @throws ServerError if the person does not open every page */
  async #haveOpened(pages: readonly OpenRequest[], context: CallContext): Promise<void> {
    for (const page of pages) {
      const { action } = await askToOpen(page, context);
      if (action !== 'accept')
        throw this.#makeUnopenedError(action === 'decline' ? 'the user declined' : 'nobody has done that');
    }
  }

  /** The address is for the person only. */
  #makeUnopenedError(reason: string): ServerError {
    return new ServerError(`${this.name} wants the user to open a page in a browser first, and ${reason}.`, [
      'ask the user, then make the call again',
    ]);
  }

  async #pause(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const ends = this.#ends;
    setTimeout(resolve, Math.max(0, this.#notBefore - performance.now()), undefined).unref();
    await promise;
    if (ends !== this.#ends) throw new ServerError(`${this.name} was closed.`);
  }

  async #connect(): Promise<Client> {
    if (this.#failures > 0) await this.#pause();
    const maySample = this.#settings.sampling === true;
    // Loaded here because it takes long to load.
    const { Client: McpClient } = await import('@modelcontextprotocol/client');
    const client = new McpClient(
      { name: 'bae', version: '0.1.0' },
      {
        capabilities: { roots: {}, elicitation: { form: {}, url: {} }, ...(maySample && { sampling: {} }) },
        // Older programs may exit on an unknown request; over HTTP, older servers refuse it.
        versionNegotiation: { mode: isProgram(this.#settings) || this.#settings.type === 'sse' ? 'legacy' : 'auto' },
      },
    );
    client.setRequestHandler('roots/list', () => ({ roots: [{ uri: pathToFileURL(this.#place.folder).href }] }));
    // The protocol does not say which call a question belongs to, so the latest one is assumed.
    client.setRequestHandler('elicitation/create', ({ params }) => answerServer(params, this.#calls.at(-1)));
    if (maySample)
      client.setRequestHandler('sampling/createMessage', ({ params }) => askModel(params, this.#calls.at(-1)));
    client.setNotificationHandler('notifications/tools/list_changed', this.#onChange);
    client.setNotificationHandler('notifications/prompts/list_changed', this.#onChange);
    // The client is not an event target.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    client.onclose = () => {
      if (transport === this.#transport) this.#connecting = undefined;
    };
    let transport: Transport | undefined;
    try {
      transport = await this.#openTransport();
      this.#transport = transport;
      this.#limits = new MessageLimits();
      this.#limits.attach(this.#transport);
      await client.connect(this.#transport, { timeout: this.#startMs });
      // Not awaited: servers that do not answer this still work.
      const { tools, prompts } = client.getServerCapabilities() ?? {};
      const changing = { toolsListChanged: tools?.listChanged, promptsListChanged: prompts?.listChanged };
      if (client.getProtocolEra() === 'modern' && Object.values(changing).includes(true))
        client.listen(changing).catch(() => undefined);
      this.#failures = 0;
      return client;
    } catch (error) {
      this.#connecting = undefined;
      this.#notBefore = performance.now() + Math.min(LEAST_PAUSE_MS * 2 ** this.#failures++, MOST_PAUSE_MS);
      await client.close().catch(() => undefined);
      throw error;
    }
  }

  /** True if the settings of a server over HTTP have a key, so that a login would not help. */
  get #hasKey(): boolean {
    const { headers = {} } = this.#settings as { readonly headers?: object };
    return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  }

  async #openTransport(): Promise<Transport> {
    const { folder, env: variables } = this.#place;
    const settings = expandVariables(this.name, this.#settings, { workspaceFolder: folder, ...variables });
    this.#program = undefined;
    if (!isProgram(settings)) {
      this.#address = settings.url;
      const { SSEClientTransport, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
      // A redirect would send keys in the headers to another address.
      const authProvider = useLogin(this.name, settings.url, this.#place.login?.(settings.url));
      const options = {
        requestInit: { headers: settings.headers, redirect: 'error' as const },
        fetch: makeServerFetch(settings.url, settings.headers),
        authProvider,
        // A person has to allow additional scopes.
        onInsufficientScope: 'throw' as const,
      };
      const url = new URL(settings.url);
      return settings.type === 'sse'
        ? new SSEClientTransport(url, options)
        : new StreamableHTTPClientTransport(url, options);
    }
    const { ProgramTransport } = await import('./transport/program-transport.ts');
    const { command, args, env, cwd = folder } = settings;
    const environment = { ...this.#inheritedVariables(), ...env };
    const transport = new ProgramTransport({
      command,
      args,
      folder: resolve(folder, cwd),
      project: folder,
      environment,
      inherits: 'basics',
    });
    this.#program = transport;
    return transport;
  }

  /** Returns the variables that every program needs, without keys. */
  #inheritedVariables(): Record<string, string> {
    const names = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'TMPDIR'];
    const { env } = this.#place;
    return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
  }

  #noteScope(scope: string | undefined): Error {
    const url = this.#address ?? '';
    return noteWantedScope({ name: this.name, url, store: this.#place.login?.(url) }, scope);
  }

  #explain(error: unknown, { answered, failed }: Remedies): Error {
    if (error instanceof ServerError || (error as Error).name === 'ConfigurationError') return error as Error;
    const { code } = error as { readonly code?: unknown };
    // Errors of the protocol have numbers.
    const remedy = typeof code === 'number' ? answered : failed;
    const message = (error as Error).message.slice(0, LONGEST_REASON);
    if (findStatus(error) === 401 || (error as Error).name === 'UnauthorizedError')
      return this.#hasKey
        ? new ServerError(`${this.name} does not accept the key in its settings: correct it there.`, [remedy], error)
        : makeLoginError(this.name, 'it wants to know who is there', error);
    if ('requiredScope' in (error as Error))
      return this.#noteScope((error as { requiredScope?: string }).requiredScope);
    const { command } = this.#settings as { readonly command?: string };
    if (code === 'ENOENT' && command !== undefined)
      return new ServerError(
        `${this.name}: there is no program ${command}.`,
        [`install ${command}, or name it by its path in the settings`],
        error,
      );
    const reason = this.#address === undefined ? undefined : explainHttpFailure(error, this.#address);
    if (reason !== undefined) return new ServerError(`${this.name}: ${reason}.`, [remedy], error);
    const { failure } = this.#program ?? {};
    if (failure !== undefined)
      return new ServerError(
        `${this.name}: ${failure}, and was ended. Ask it for less: a part, a page, a filter.`,
        [remedy],
        error,
      );
    const fact = `${this.name}: ${message.replace(/\.$/, '')}.${this.#quoteLastWords()}`;
    return new ServerError(fact, [remedy], error);
  }
}
