import { findNearestName } from '@bae/core';
import type { RecordedApproval, SessionInfo, Store } from '@bae/store';
import { printResult, type CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { resolveRoot } from '../config/settings.ts';
import { UserRules } from '../consent/user-rules.ts';
import { findSession, isUnused, MOST_SESSIONS, openKeptStore } from '../kept-session.ts';
import { makeLineVisible, makeVisible, truncate } from '../terminal/terminal-text.ts';
import { formatQuantity } from '@bae/workspace';

/** Runs `bae sessions`, which lists the conversations that can be resumed, newest first. */
export async function runSessions(context: CommandContext): Promise<number> {
  const store = await openKeptStore(context.root, context);
  const all = store?.sessions(MOST_SESSIONS) ?? [];
  const sessions = all.filter((session) => !isUnused(session)).slice(0, MOST_LISTED);
  store?.close();
  const { out } = context.terminal;
  // On a screen, each row takes one line and shows only the beginning of the id.
  const rows = sessions.map((session) =>
    out.isTerminal
      ? truncate(renderSession({ ...session, id: session.id.slice(0, ID) }), out.columns() - 1)
      : renderSession(session),
  );
  const lines = rows.length === 0 ? ['(no sessions) bae ask "…" starts one.'] : rows;
  printResult(context, { sessions }, () => lines);
  return 0;
}

function renderSession({ id, label, started, turns, calls, prompt, isOwn = true }: SessionInfo): string {
  const when = started.toISOString().slice(0, 16).replace('T', ' ');
  const counts = `${formatQuantity(turns, 'turn')}, ${formatQuantity(calls, 'call')}`;
  const name = label === '1' ? '' : `@${makeLineVisible(label)}  `;
  const whose = isOwn ? '' : 'not signed by you  ';
  return `${id}  ${when}  ${counts}  ${whose}${name}${prompt === undefined ? '' : makeLineVisible(prompt)}`.trimEnd();
}

const MOST_LISTED = 20;
const MOST_DECISIONS = 200;
/** Length of a displayed session id, in characters. */
const ID = 13;

type RememberedConsent = NonNullable<ReturnType<Store['snapshot']>['consents']>[number];

type NamedRule = ReturnType<UserRules['read']>[number] & { readonly name: string };

/** Where the replies of a person are kept. */
interface ApprovalPlaces {
  readonly store: Store | undefined;
  readonly found: readonly SessionConsents[];
  readonly userRules: UserRules;
}

/** Session with the replies that are valid in it. */
interface SessionConsents {
  readonly session: string;
  readonly started: Date;
  readonly consents: readonly RememberedConsent[];
}

/**
 * Runs `bae approvals`, which lists the replies that are valid for the rest of a session, and the rules that were made
 * by replies. `forget` revokes them.
 */
export async function runApprovals(context: CommandContext): Promise<number> {
  const [action = 'list', wanted, ...more] = context.positionals;
  if (more.length > 0 || !['list', 'forget'].includes(action) || (action === 'list') !== (wanted === undefined)) {
    const got = JSON.stringify(context.positionals.join(' '));
    const nearest = findNearestName(action, ['list', 'forget']);
    const meant = nearest === undefined || nearest === action ? '' : ` Did you mean ${nearest}?`;
    throw new UsageError(
      `bae approvals takes list, or forget with a session, a rule such as r1, or all; got ${got}.${meant}`,
    );
  }
  const store = await openKeptStore(context.root, context);
  try {
    const userRules = new UserRules(context.terminal.env, resolveRoot(context.options, context.terminal.cwd));
    const found = store === undefined ? [] : listConsents(store);
    if (wanted !== undefined) return forget({ store, found, userRules }, { ...context, wanted });
    const rules = userRules.read().map((rule, index) => ({ name: `r${index + 1}`, ...rule }));
    const rows = found.flatMap(renderConsents);
    const lines = rows.length === 0 ? ['(no answer applies for the rest of a session)'] : rows;
    printResult(context, { approvals: found, rules }, () => [
      ...lines,
      ...(rules.length === 0 ? [] : [`rules of yours for this folder, in ${userRules.shownFile}:`]),
      ...rules.map(renderRule),
      'Other rules are "approve" in the configuration; bae trust --list shows what may run here.',
    ]);
    return 0;
  } finally {
    store?.close();
  }
}

/** Revokes replies. Nothing is deleted: a record is added, so that earlier consent can still be proven. */
function forget(
  { store, found, userRules }: ApprovalPlaces,
  context: CommandContext & { readonly wanted: string },
): number {
  const { wanted } = context;
  const rule = /^r(\d+)$/.exec(wanted)?.[1];
  const isForSessions = wanted !== 'all' && rule === undefined;
  const id = isForSessions ? findSession(store?.sessions(MOST_SESSIONS) ?? [], wanted).id : undefined;
  const meant = rule === undefined ? found.filter(({ session }) => id === undefined || session === id) : [];
  for (const { session } of meant) store?.log(session).record({ kind: 'consents-forgotten' });
  const rules = isForSessions ? 0 : userRules.forget(rule === undefined ? undefined : Number(rule) - 1);
  const count = meant.reduce((sum, { consents }) => sum + consents.length, rules);
  printResult(context, { forgotten: count }, () => [
    count === 0
      ? 'Nothing to forget.'
      : `Forgotten: ${count}. A session that is running asks again once it is resumed.`,
  ]);
  return 0;
}

function renderRule({ name, decision, space = 'any place', tool = 'any tool', target }: NamedRule): string {
  const where = target === undefined ? '' : `: ${target}`;
  return makeLineVisible(`  ${name}  ${decision}  ${tool} in ${space}${where}`);
}

function listConsents(store: Store): readonly SessionConsents[] {
  return store
    .sessions(MOST_SESSIONS)
    .map(({ id, started }) => ({ session: id, started, consents: store.snapshot(id).consents ?? [] }))
    .filter(({ consents }) => consents.length > 0);
}

function renderConsents({ session, started, consents }: SessionConsents): readonly string[] {
  return [`${session.slice(0, ID)}  ${formatTime(started)}`, ...consents.map((one) => `  ${renderConsent(one)}`)];
}

function renderConsent({ decision, space, tool, scope, reason }: RememberedConsent): string {
  const what = tool === undefined ? 'any tool' : tool;
  const where = scope === 'everything' ? 'everything' : 'below' in scope ? `below ${scope.below}/` : scope.exactly;
  const why = reason === undefined ? '' : ` although ${reason}`;
  return makeLineVisible(`${decision}  ${what} in ${space}: ${where}${why}`);
}

/**
 * Runs `bae audit`, which lists the decisions about calls, newest first, and reports whether the record is complete.
 */
export async function runAudit(context: CommandContext): Promise<number> {
  const [wanted, ...more] = context.positionals;
  if (more.length > 0) throw new UsageError('bae audit takes one session, or none for all.');
  const store = await openKeptStore(context.root, context);
  try {
    const sessions = store?.sessions(MOST_SESSIONS) ?? [];
    const one = wanted === undefined ? undefined : findSession(sessions, wanted).id;
    const decisions = store?.approvals({ limit: MOST_DECISIONS, ...(one !== undefined && { session: one }) }) ?? [];
    const checked = sessions.filter(({ id }) =>
      one === undefined ? decisions.some(({ session }) => session === id) : id === one,
    );
    const changed = checked.filter(({ id }) => store?.isProven(id) === false);
    printResult(context, { decisions, sessions: checked.length, changed: changed.map(({ id }) => id) }, () => [
      ...(decisions.length === 0
        ? ['(nothing has been decided yet)']
        : decisions.flatMap((row) => renderDecision(row, context))),
      describeProof(checked, changed),
    ]);
    return changed.length === 0 ? 0 : 1;
  } finally {
    store?.close();
  }
}

function renderDecision({ session, time, approval }: RecordedApproval, { options }: CommandContext): readonly string[] {
  const { allowed, by = 'not known', tool, space, target, touches = [], reason, shown } = approval;
  const others = touches.filter((touch) => touch !== target);
  const about = [target, ...others].filter((text) => text !== '').join(', ');
  const why = reason === undefined ? '' : `, asked because ${reason}`;
  const line = `${formatTime(time)}  ${allowed ? 'allowed' : 'refused'} by ${by}  ${tool} in ${space}: ${about}${why}`;
  const seen = shown === undefined ? '(nobody was shown the change)' : makeVisible(shown).trimEnd();
  const change = options.changes ? seen.split('\n') : [];
  return [`${makeLineVisible(line)}  ${session.slice(0, ID)}`, ...change.map((text) => `    ${text}`)];
}

function describeProof(checked: readonly SessionInfo[], changed: readonly SessionInfo[]): string {
  if (checked.length === 0) return 'No session has a record yet.';
  const count = formatQuantity(checked.length, 'session');
  if (changed.length === 0)
    return `Nothing in the record was changed: ${count}, each entry signed with your key. Entries missing at its end are not noticed.`;
  const names = changed.slice(0, 5).map(({ id }) => id.slice(0, ID));
  return `NOT VERIFIED: ${names.join(', ')}: written without your key, or changed since.`;
}

function formatTime(time: Date): string {
  return time.toLocaleString('sv-SE');
}
