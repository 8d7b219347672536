import { ConfigurationError, findNearestName } from '@bae/core';
import { isUsable, makeToken, type Right, type ServerStore, type Token } from '@bae/server';
import { printResult, type CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { makeLineVisible } from '../terminal/terminal-text.ts';
import { listSpaceNames } from './open-agent.ts';

const RIGHTS: readonly Right[] = ['read', 'write', 'external', 'approve'];
const DAYS = 90;
const DAY_MS = 86_400_000;
/** Maximum number of displayed audit entries. */
const MOST_SHOWN = 200;

/** Runs `bae serve token`, which creates, lists and revokes tokens. */
export async function runToken(
  store: ServerStore,
  [action = 'list', name, ...more]: readonly string[],
  context: CommandContext,
): Promise<number> {
  if (more.length > 0) throw new UsageError(`bae serve token ${action} takes one name; got '${more[0]}' too.`);
  if (action === 'list' && name === undefined) return listTokens(store, context);
  if (action !== 'create' && action !== 'revoke')
    throw new UsageError(`bae serve token takes create NAME, list, or revoke NAME; got '${action}'.`);
  if (name === undefined) throw new UsageError(`bae serve token ${action} needs a name: bae serve token ${action} ci`);
  return action === 'create' ? createToken(store, name, context) : revokeToken(store, name, context);
}

async function createToken(store: ServerStore, name: string, context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name))
    throw new UsageError(`bae serve token create: expected letters, digits, '.', '_' and '-'; got '${name}'.`);
  const known = await store.listTokens();
  if (known.some((one) => one.name === name))
    throw new ConfigurationError(`there is, or was, a token ${name}; names cannot be reused.`, [
      'bae serve token list',
    ]);
  const may = splitList(options.may ?? 'read').map((right) => readRight(right));
  const sessionsOf = splitList(options.sessionsOf);
  const unknown = sessionsOf.find((other) => known.every((one) => one.name !== other));
  if (unknown !== undefined) throw makeUnknownError(unknown, known);
  const spaces = splitList(options.spaces ?? '*');
  await checkSpaces(spaces, context);
  const created = new Date();
  const expires = new Date(created.getTime() + (options.days ?? DAYS) * DAY_MS);
  const { maxTokens: tokens, maxCost: dollars, maxMinutes: minutes, maxCalls: calls } = options;
  const { token, text } = makeToken({
    name,
    created,
    expires,
    may,
    sessionsOf,
    spaces,
    folders: splitList(options.folders),
    budget: { tokens, dollars, minutes, calls },
  });
  await store.addToken(token);
  await store.addAudit({ time: created, by: 'operator', what: 'token created', detail: describeToken(token) });
  if (!options.json) terminal.err.write(`${describeToken(token)}\nThis is shown once; only its hash is kept:\n`);
  terminal.out.write(options.json ? `${JSON.stringify({ name, token: text, expires })}\n` : `${text}\n`);
  return 0;
}

async function revokeToken(store: ServerStore, name: string, { terminal }: CommandContext): Promise<number> {
  const time = new Date();
  if (!(await store.revokeToken(name, time))) {
    const known = await store.listTokens();
    const revoked = known.find((one) => one.name === name)?.revoked;
    if (revoked === undefined) throw makeUnknownError(name, known);
    terminal.out.write(`${name} was revoked on ${formatDate(revoked)} already\n`);
    return 0;
  }
  await store.addAudit({ time, by: 'operator', what: 'token revoked', detail: name });
  terminal.out.write(`revoked: ${name}\n`);
  return 0;
}

async function listTokens(store: ServerStore, context: CommandContext): Promise<number> {
  const tokens = await store.listTokens();
  const lines = tokens.map(
    (token) => `${describeState(token).padEnd(8)} ${describeToken(token)}; ${describeUse(token)}`,
  );
  const none = ['(no tokens) bae serve token create NAME makes one.'];
  // The hash of a secret is not useful to people.
  const shown = tokens.map((token) => ({ ...token, hash: undefined, state: describeState(token) }));
  printResult(context, { tokens: shown }, () => (lines.length === 0 ? none : lines));
  return 0;
}

/** Runs `bae serve audit`, which lists the activity on the server, newest first. */
export async function showAudit(store: ServerStore, context: CommandContext): Promise<number> {
  const entries = await store.readAudit(MOST_SHOWN);
  printResult(context, { entries }, () =>
    entries.length === 0
      ? ['(nothing happened yet)']
      : entries.map(({ time, by, what, session = '', detail = '' }) =>
          makeLineVisible(`${time.toISOString().slice(0, 19)}  ${by}  ${what}  ${session}  ${detail}`.trimEnd()),
        ),
  );
  return 0;
}

function describeToken({ name, may, spaces, folders, sessionsOf, expires, budget }: Token): string {
  const parts = [
    `may ${may.join(', ')}`,
    `spaces ${spaces.join(', ') || 'none'}`,
    `folders ${folders.join(', ') || 'none'}`,
    ...(sessionsOf.length > 0 ? [`sessions of ${sessionsOf.join(', ')}`] : []),
    ...Object.entries(budget).flatMap(([limit, most]) => (most === undefined ? [] : `at most ${most} ${limit}`)),
    ...(expires === undefined ? [] : [`until ${formatDate(expires)}`]),
  ];
  return `${name}: ${parts.join('; ')}`;
}

function describeUse({ used }: Token): string {
  return used === undefined ? 'never used' : `last used ${formatDate(used)}`;
}

function describeState(token: Token): string {
  if (token.revoked !== undefined) return 'revoked';
  return isUsable(token, new Date()) ? 'in use' : 'expired';
}

/** Refuses spaces that do not exist: a token would be made that allows less than it says. */
async function checkSpaces(spaces: readonly string[], context: CommandContext): Promise<void> {
  const asked = spaces.filter((name) => name !== '*');
  const known = asked.length === 0 ? [] : await listSpaceNames(context.root, context);
  const wrong = asked.find((name) => !known.includes(name));
  if (wrong === undefined) return;
  const nearest = findNearestName(wrong, known);
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  const right = nearest === undefined ? known : spaces.map((one) => (one === wrong ? nearest : one));
  throw new ConfigurationError(`--spaces: there is no space ${wrong}.${meant} There are ${known.join(', ')}.`, [
    `--spaces ${right.join()}`,
    'for a space of other settings, --cwd FOLDER or --config FILE',
  ]);
}

function readRight(text: string): Right {
  const right = RIGHTS.find((one) => one === text);
  if (right !== undefined) return right;
  throw new UsageError(`--may: expected some of ${RIGHTS.join(', ')}; got '${text}'.`, { command: 'serve' });
}

function makeUnknownError(name: string, known: readonly Token[]): ConfigurationError {
  const nearest = findNearestName(
    name,
    known.map((one) => one.name),
  );
  const hint = nearest === undefined ? 'bae serve token list' : `bae serve token list (did you mean ${nearest}?)`;
  return new ConfigurationError(`there is no token ${name}.`, [hint]);
}

function formatDate(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Returns the parts of a list such as `a,b`. */
export function splitList(list = ''): readonly string[] {
  return list
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
