import { createHmac } from 'node:crypto';
import { ConfigurationError, findNearestName } from '@bae/core';
import { explainListenFailure, UsageError } from '../command-line/errors.ts';
import { printResult, type CommandContext } from '../command-line/command.ts';
import { composeAgent } from '../compose.ts';
import { addServer, changeUserServers, refuseServerOptions, importServers } from './add-server.ts';
import { findServerProblem, findUsedServer, inspectServer } from './inspect-server.ts';
import { openLogin } from '../config/load-servers.ts';
import { loadSettings, openSettings } from '../config/settings.ts';
import { openLineReader } from '../terminal/line-reader.ts';
import { readPipedLines } from '../terminal/piped-input.ts';
import { makeLineVisible } from '../terminal/terminal-text.ts';
import { getFolderKey, locateUserFolder } from '../user-key.ts';
import { once } from 'node:events';
import { readVersion } from '../package-folder.ts';
import { formatQuantity } from '@bae/workspace';

/** Time limit for a login in a browser, in milliseconds. */
const LOGIN_MS = 300_000;

/**
 * Time without a call after which a mounted server is ended where clients come and go, in milliseconds: no one tells when
 * a client is gone, and each has its own servers.
 */
const SERVED_IDLE_MS = 15 * 60_000;

type Subcommand = (context: CommandContext, args: readonly string[]) => Promise<number>;

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  list: showServers,
  doctor: checkServers,
  inspect: inspectServer,
  add: addServer,
  remove: removeServer,
  login: logInAt,
  logout: logOutOf,
  import: (context, more) => {
    refuseWords('import', more);
    return importServers(context);
  },
  serve: servePlaces,
};

/** Runs `bae mcp`, for servers of the Model Context Protocol as places, and for bae as such a server. */
export async function runMcp(context: CommandContext): Promise<number> {
  const [name = 'list', ...args] = context.positionals;
  const run = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  if (run !== undefined) {
    if (run !== addServer) refuseServerOptions(context.options, name);
    return run(context, args);
  }
  const nearest = findNearestName(name, Object.keys(SUBCOMMANDS));
  throw new UsageError(
    `bae mcp has no ${name}. ${nearest === undefined ? `There are ${Object.keys(SUBCOMMANDS).join(', ')}.` : `Did you mean bae mcp ${nearest}?`}`,
  );
}

/** Shows every server with its configuration file, its connection and its state. */
async function showServers(context: CommandContext, more: readonly string[]): Promise<number> {
  refuseWords('list', more);
  const { foundServers: servers } = await loadSettings(context);
  const lines = servers.flatMap(({ name, place = name, file, state, tools, about }) => {
    const facts = [
      place === name ? state : `${state} as ${place}()`,
      ...(tools === undefined ? [] : [formatQuantity(tools, 'tool')]),
    ];
    return [`${makeLineVisible(name)}  ${facts.join(', ')}  ${file}`, ...about.map((line) => `  ${line}`)].map(
      makeLineVisible,
    );
  });
  const none = '(no servers) bae mcp add NAME -- COMMAND… adds one, bae mcp import takes over those of other agents.';
  printResult(context, { servers }, () => (lines.length === 0 ? [none] : lines));
  return 0;
}

function refuseWords(command: string, words: readonly string[]): void {
  if (words.length > 0)
    throw new UsageError(
      `bae mcp ${command} takes no name; got ${words.join(' ')}. Of one server: bae mcp inspect NAME`,
    );
}

/** Starts every trusted server, and reports its tools or the reason why it does not respond. */
async function checkServers(context: CommandContext, more: readonly string[]): Promise<number> {
  refuseWords('doctor', more);
  const settings = await openSettings(context);
  const agent = composeAgent(settings, context);
  let code = 0;
  try {
    for (const { name, place, state, getOptions } of settings.foundServers) {
      if (place === undefined) {
        context.terminal.out.write(`-   ${makeLineVisible(name)}: ${state}\n`);
        continue;
      }
      const problem = findServerProblem(await agent.describe([place]));
      const { tools = [], leftOut = '' } = getOptions?.().memory?.read() ?? {};
      const facts = `${name}: ${formatQuantity(tools.length, 'tool')}${leftOut === '' ? '' : `. ${leftOut}`}`;
      if (problem !== undefined) code = 1;
      context.terminal.out.write(`${problem === undefined ? 'ok ' : 'no '} ${makeLineVisible(problem ?? facts)}\n`);
    }
  } finally {
    await agent.close();
  }
  return code;
}

async function removeServer(context: CommandContext, [name, ...more]: readonly string[]): Promise<number> {
  if (name === undefined || more.length > 0)
    throw new UsageError('bae mcp remove takes one name: bae mcp remove github');
  let isFound = false;
  const file = changeUserServers(context, ({ [name]: found, ...others }) => {
    isFound = found !== undefined;
    return others;
  });
  context.terminal.out.write(
    `${makeLineVisible(isFound ? `removed ${name} from ${file}` : `${file} has no server ${name}`)}\n`,
  );
  return isFound ? 0 : 1;
}

/** Lets the user log in at a server over HTTP, in a browser on this machine or another one. */
async function logInAt(context: CommandContext, args: readonly string[]): Promise<number> {
  const { terminal, signal } = context;
  const { name, options, url } = await findRemoteServer(context, { args, verb: 'login' });
  const { learnTools, logIn } = await import('@bae/mcp');
  const { settings } = options;
  const store = openLogin(locateUserFolder(terminal.env), url);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LOGIN_MS)]);
  const source = terminal.interactive ? openLineReader(terminal) : readPipedLines(terminal.input);
  const pasted = async (): Promise<string> => {
    const line = await source.next('Or paste the address that the browser was sent to: ');
    // Without a keyboard, only the redirect of the browser completes the login.
    return line.kind === 'line' ? line.text : new Promise<never>(() => undefined);
  };
  const show = (address: URL): void => {
    terminal.out.write(`Open this address in a browser, and allow the access there:\n\n  ${address.href}\n\n`);
  };
  const confirm = async (receiver: string, before: string | undefined): Promise<boolean> => {
    const change = before === undefined ? '' : `; until now it went to ${before}`;
    terminal.out.write(`${makeLineVisible(`${name} wants its client secret sent to ${receiver}${change}.`)}\n`);
    if (!terminal.interactive) return false;
    const line = await source.next('Send it there? y or n: ');
    return line.kind === 'line' && /^y(es)?$/i.test(line.text.trim());
  };
  try {
    const isNew = await logIn({ name, settings, env: terminal.env, store, show, pasted, confirm, signal: limit });
    // Makes its tools known from the first response on.
    const problem = await learnTools({ ...options, signal: limit });
    if (problem !== undefined) terminal.err.write(`${makeLineVisible(problem)}\n`);
    terminal.out.write(`${makeLineVisible(isNew ? `logged in at ${name}` : `${name} needs no login`)}\n`);
    return 0;
  } catch (error) {
    if (limit.aborted && !signal.aborted)
      throw new ConfigurationError(
        `no answer came from the browser in five minutes.`,
        [`bae mcp login ${name}`],
        error,
      );
    throw error;
  } finally {
    source.close();
  }
}

async function logOutOf(context: CommandContext, args: readonly string[]): Promise<number> {
  const { name, url } = await findRemoteServer(context, { args, verb: 'logout' });
  const store = openLogin(locateUserFolder(context.terminal.env), url);
  const isKnown = store.read()?.tokens !== undefined;
  if (isKnown) store.write({ url });
  context.terminal.out.write(
    `${makeLineVisible(isKnown ? `logged out of ${name}` : `there was no login at ${name}`)}\n`,
  );
  return 0;
}

/** Finds an HTTP server that is used here. @throws UsageError without a name; ConfigurationError for a program */
async function findRemoteServer(
  context: CommandContext,
  { args: [name, ...more], verb }: { readonly args: readonly string[]; readonly verb: string },
) {
  if (name === undefined || more.length > 0)
    throw new UsageError(`bae mcp ${verb} takes one name: bae mcp ${verb} github`);
  const options = findUsedServer(name, await loadSettings(context), verb).getOptions();
  const { getAddress } = await import('@bae/mcp');
  const url = getAddress(name, options.settings, context.terminal.env);
  if (url === undefined)
    throw new ConfigurationError(`${name} is a program: it needs no login.`, ['give it its keys with env']);
  return { name, options, url };
}

/**
 * Runs `bae mcp serve`, which offers the places of this folder to another agent, over standard input and output or
 * HTTP.
 */
async function servePlaces(context: CommandContext, more: readonly string[]): Promise<number> {
  refuseWords('serve', more);
  const { terminal, signal, options } = context;
  const [{ ClientConsent, serveAgent, serveHttp, serveStdio }, settings] = await Promise.all([
    import('@bae/mcp-server'),
    openSettings(context, options.http === undefined ? {} : { serverIdleMs: SERVED_IDLE_MS }),
  ]);
  const consent = new ClientConsent();
  const agent = composeAgent(settings, context, {
    ask: consent.ask,
    askPerson: consent.askQuestion,
    openCommands: 'the user can set commands: true in a settings file and name it with --config',
    wrapApprover: (inner) => consent.wrap(inner),
  });
  const makeServer = serveAgent({ agent, consent, version: readVersion() });
  try {
    if (options.http === undefined) {
      const lines = { input: terminal.input, write: (text: string) => terminal.out.write(text) };
      await serveStdio(makeServer, lines, signal);
      return 0;
    }
    const token = makeServeToken(terminal.env, settings.root);
    const { http: port } = options;
    const served = await serveHttp(makeServer, { port, token }).catch((error: NodeJS.ErrnoException) => {
      throw explainListenFailure(error, { address: '127.0.0.1', port, retry: 'bae mcp serve --http 0' });
    });
    terminal.err.write(
      `bae serves this folder at ${served.url} until Ctrl+C. Clients send the header\n\n  Authorization: Bearer ${token}\n\n`,
    );
    if (!signal.aborted) await once(signal, 'abort');
    await served.close();
    return 0;
  } finally {
    await agent.close();
  }
}

/** Derives the token of a folder, which is always the same and cannot be known by the content of the folder. */
function makeServeToken(env: CommandContext['terminal']['env'], root: string): string {
  return createHmac('sha256', getFolderKey(env, root)).update('mcp serve').digest('base64url');
}
