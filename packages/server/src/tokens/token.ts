import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Session, SessionRequest, Workspace } from '@bae/client';
import { findNearestName } from '@bae/core';
import type { Token, NewServedSession, ServerStore } from '../ports.ts';
import { ApiError } from '../http/api-error.ts';
import { isWithinBudget } from '../work/budget.ts';

/** Matches `bae_`, the public id, and the secret. */
const TOKEN = /^bae_([0-9a-f]{16})_([0-9A-Za-z_-]{43})$/;

/** Creates a token. The text is shown once: only its hash is stored. */
export function makeToken(properties: Omit<Token, 'id' | 'hash'>): { readonly token: Token; readonly text: string } {
  const id = randomBytes(8).toString('hex');
  const secret = randomBytes(32).toString('base64url');
  return { token: { ...properties, id, hash: hashSecret(secret) }, text: `bae_${id}_${secret}` };
}

/** Finds a token by its text; undefined when it does not exist, or is no longer in use. */
export async function findByText(
  text: string,
  find: (id: string) => Promise<Token | undefined>,
  now: Date,
): Promise<Token | undefined> {
  const [, id = '', secret = ''] = TOKEN.exec(text) ?? [];
  const token = id === '' ? undefined : await find(id);
  // Takes the same time whether the token exists or not.
  const isRight = timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(token?.hash ?? hashSecret('')));
  return token !== undefined && isRight && isUsable(token, now) ? token : undefined;
}

export function isUsable({ revoked, expires }: Token, now: Date): boolean {
  return revoked === undefined && (expires === undefined || expires > now);
}

function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * Completes the session that a token requests.
 *
 * @throws ApiError when it requests more than the token allows
 */
export function grantSession(token: Token, request: SessionRequest): NewServedSession {
  const effects = token.may.filter((right) => right !== 'approve');
  const { workspace = { type: 'none' }, spaces = token.spaces, may = effects, budget = {} } = request;
  const space = spaces.find((name) => !isAllowed(token.spaces, name));
  if (space !== undefined) refuseGrant(`the space ${space}`, 'spaces', token.spaces);
  const effect = may.find((one) => !effects.includes(one));
  if (effect !== undefined) refuseGrant(`the effect ${effect}`, 'may', effects);
  if (!may.includes('read'))
    throw new ApiError('forbidden', 'may: a session reads; this one would have no right to.', {
      hint: 'bae serve token create NAME --may read',
    });
  if (!mayUse(token, workspace)) refuseGrant('this workspace', 'folders', token.folders);
  if (!isWithinBudget(token.budget, budget))
    throw new ApiError('forbidden', `budget: at most ${JSON.stringify(token.budget)} for this token.`);
  return { owner: token.name, workspace, spaces, may, budget };
}

/**
 * Refuses spaces that do not exist, because a session that lacks one of its spaces would look as if it had it.
 *
 * @throws ApiError with the nearest name, and the spaces to send instead
 */
export function refuseUnknownSpaces(token: Token, { spaces = [] }: SessionRequest, known: readonly string[]): void {
  const wrong = spaces.findIndex((name) => !known.includes(name));
  if (wrong < 0) return;
  const name = spaces[wrong]!;
  const offered = known.filter((one) => isAllowed(token.spaces, one));
  const nearest = findNearestName(name, offered);
  const right = spaces.filter((one) => offered.includes(one));
  const instead = [...right, ...(nearest === undefined ? [] : [nearest])];
  const meant = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  throw new ApiError(
    'invalid',
    `spaces.${wrong}: there is no space ${name}.${meant} There are ${offered.join(', ')}.`,
    {
      hint: JSON.stringify({ spaces: Array.from(new Set(instead.length > 0 ? instead : offered)) }),
    },
  );
}

/** Finds a session. Sessions of other tokens are treated as missing, unless the token may see them. */
export async function findOwnSession(store: ServerStore, token: Token, id: string): Promise<Session> {
  const session = await store.readSession(id);
  if (session === undefined || !listOwners(token).includes(session.owner))
    throw new ApiError('not_found', `there is no session ${id} for this token.`, { hint: 'GET /v1/sessions' });
  return session;
}

/** Lists the names of the tokens whose sessions a token may see. */
export function listOwners({ name, sessionsOf }: Token): readonly string[] {
  return [name, ...sessionsOf];
}

function mayUse({ folders }: Token, workspace: Workspace): boolean {
  if (workspace.type === 'none' || folders.includes('*')) return true;
  if (workspace.type === 'folder') return folders.includes(workspace.name);
  return folders.some((one) => one.includes('://') && isAddressBelow(one, workspace.repository));
}

/** Tests whether an address is a given address or starts with it and a slash. */
function isAddressBelow(folder: string, address: string): boolean {
  return address === folder || address.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function isAllowed(names: readonly string[], name: string): boolean {
  return names.includes('*') || names.includes(name);
}

function refuseGrant(what: string, field: string, allowed: readonly string[]): never {
  const list = allowed.length === 0 ? 'nothing' : allowed.join(', ');
  throw new ApiError('forbidden', `${field}: this token does not allow ${what}; it allows ${list}.`);
}
