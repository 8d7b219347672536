import { createHash } from 'node:crypto';
import type { Prompt, Session, Workspace } from '@bae/client';
import { maskKeys } from '@bae/core/pipeline';
import { z } from 'zod';
import type { Dispatcher, Notifier, ServerStore, Token } from '../ports.ts';
import { refuseUnknownSpaces, findOwnSession, grantSession, listOwners, isUsable } from '../tokens/token.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { ApiError } from './api-error.ts';
import { CHECK_MS, streamEvents } from './event-stream.ts';
import { defineRoute, type Route } from './route.ts';
import {
  BRANCH_REQUEST,
  EVENT,
  ID,
  PROMPT,
  PROMPT_REQUEST,
  QUESTION,
  REPLY,
  SESSION,
  SESSION_REQUEST,
} from './schemas.ts';

/** Objects that the operations use. */
export interface ServerParts {
  readonly store: ServerStore;
  readonly notifier: Notifier;
  readonly dispatcher: Dispatcher;
  /** The workspaces that the operator offers. */
  readonly workspaces: Pick<Workspaces, 'check' | 'git'>;
  /** Lists the names of the spaces in a workspace; undefined when this process does not know them. */
  readonly listSpaces: (workspace: Workspace) => Promise<readonly string[] | undefined>;
  readonly streams: StreamLimits;
  /** Aborts when the server ends. */
  readonly closing: AbortSignal;
}

export interface StreamLimits {
  /** Maximum number of open streams for one token, and for all tokens. */
  readonly mostOfToken: number;
  readonly most: number;
  readonly heartbeatMs: number;
  readonly slowMs: number;
}

/** Maximum number of waiting prompts in one session. */
const MOST_WAITING = 20;

const SESSION_ID = z.strictObject({ id: ID });
const PLACE = z.string().regex(/^\d{1,15}$/, 'expected the id of an event');

/** Lists all operations that require a token. */
export function listRoutes(parts: ServerParts): readonly Route[] {
  const { store, notifier, dispatcher } = parts;
  const audit = (token: Token, what: string, details: { session: string; detail?: string }): Promise<void> =>
    store.addAudit({ time: new Date(), by: token.name, what, ...details });
  return [
    defineRoute({
      method: 'post',
      path: '/v1/sessions',
      operation: 'createSession',
      summary: 'Start a session.',
      body: SESSION_REQUEST,
      status: 201,
      result: SESSION,
      async handle({ token, body }) {
        const granted = grantSession(token, body);
        await parts.workspaces.check(granted.workspace);
        const known = body.spaces && (await parts.listSpaces(granted.workspace));
        if (known !== undefined) refuseUnknownSpaces(token, body, known);
        const session = await store.createSession(granted);
        await audit(token, 'session created', { session: session.id, detail: JSON.stringify(granted.workspace) });
        return session;
      },
    }),
    defineRoute({
      method: 'get',
      path: '/v1/sessions',
      operation: 'listSessions',
      summary: 'The sessions of this token, newest first.',
      query: z.strictObject({ limit: z.coerce.number().int().min(1).max(200).default(50), before: ID.optional() }),
      result: z.object({ sessions: z.array(SESSION) }),
      handle: async ({ token, query }) => ({
        sessions: await store.listSessions({ owners: listOwners(token), ...query }),
      }),
    }),
    defineRoute({
      method: 'get',
      path: '/v1/sessions/{id}',
      operation: 'getSession',
      summary: 'A session, with what it has used.',
      params: SESSION_ID,
      result: SESSION,
      handle: ({ token, params }) => findOwnSession(store, token, params.id),
    }),
    defineRoute({
      method: 'post',
      path: '/v1/sessions/{id}/prompts',
      operation: 'addPrompt',
      summary: 'Ask something. The work goes on after the response: read the events.',
      params: SESSION_ID,
      body: PROMPT_REQUEST,
      headers: { 'Idempotency-Key': 'A prompt that is sent again with the same key is the same prompt.' },
      status: 202,
      result: PROMPT,
      async handle({ token, params, body, headers }) {
        const { id: session, owner } = await findOwnSession(store, token, params.id);
        if (owner !== token.name)
          throw new ApiError('forbidden', `the session belongs to ${owner}: only that token can send prompts to it.`);
        const key = readIdempotencyKey(headers.get('idempotency-key'));
        if ((await store.countWaiting(session)) >= MOST_WAITING)
          throw new ApiError('too_many', `${MOST_WAITING} prompts are already waiting in this session.`, {
            retryAfter: 5,
          });
        const { isNew, ...prompt } = await store.addPrompt(session, { text: body.text, key });
        if (isNew) {
          await store.append(session, { type: 'prompt-queued', label: '1', turn: 0, prompt: prompt.id });
          await audit(token, 'prompt', { session, detail: `${prompt.id} ${describeText(body.text)}` });
          notifier.notify(session);
        }
        await dispatcher.dispatch(session);
        return describePrompt(prompt);
      },
    }),
    defineRoute({
      method: 'get',
      path: '/v1/sessions/{id}/prompts/{prompt}',
      operation: 'getPrompt',
      summary: 'A prompt, and how it ended.',
      params: z.strictObject({ id: ID, prompt: ID }),
      result: PROMPT,
      async handle({ token, params }) {
        const { id } = await findOwnSession(store, token, params.id);
        const prompt = await store.readPrompt(params.prompt);
        if (prompt?.session !== id) throw new ApiError('not_found', `there is no prompt ${params.prompt} there.`);
        return describePrompt(prompt);
      },
    }),
    defineEventStream(parts),
    defineRoute({
      method: 'get',
      path: '/v1/sessions/{id}/questions',
      operation: 'listQuestions',
      summary: 'Open questions: consent to a call, or a question from a tool.',
      params: SESSION_ID,
      result: z.object({ questions: z.array(QUESTION) }),
      async handle({ token, params }) {
        const { id } = await findOwnSession(store, token, params.id);
        return { questions: await store.listQuestions(id) };
      },
    }),
    defineRoute({
      method: 'post',
      path: '/v1/sessions/{id}/questions/{question}',
      operation: 'reply',
      summary: 'Allow or refuse exactly the change that was shown, or answer a question from a tool.',
      params: z.strictObject({ id: ID, question: ID }),
      body: REPLY,
      result: z.object({ question: z.string() }),
      async handle({ token, params, body }) {
        const { id: session } = await findOwnSession(store, token, params.id);
        const kept = await store.readQuestion(params.question);
        if (kept?.session !== session)
          throw new ApiError('not_found', `there is no question ${params.question} there.`);
        const { question } = kept;
        if (!token.may.includes('approve'))
          throw new ApiError('forbidden', 'this token may not reply to questions.', {
            hint: 'bae serve token create NAME --may approve --sessions-of OTHER',
          });
        if (('decision' in body ? 'approval' : 'question') !== question.type)
          throw new ApiError('invalid', `body: this is not a reply to a question of the type ${question.type}.`);
        if ('hash' in body && 'hash' in question && body.hash !== question.hash)
          throw new ApiError('conflict', 'hash: the change in question is not the one that was shown.', {
            hint: `GET /v1/sessions/${session}/questions`,
          });
        if (kept.reply === undefined && kept.isClosed)
          throw new ApiError(
            'conflict',
            'nobody waits for this reply any more: time was up, the prompt was cancelled, or the model went on without it.',
            { hint: `GET /v1/sessions/${session}/questions` },
          );
        if (!(await store.addReply(question.id, body, token.name)))
          throw new ApiError('conflict', 'the question already has a reply, or has just been closed.');
        const detail = question.type === 'approval' ? `${question.tag} sha256:${question.hash}` : question.tool;
        await audit(token, 'decision' in body ? body.decision : 'answered', { session, detail });
        notifier.notify(session);
        return { question: question.id };
      },
    }),
    defineRoute({
      method: 'post',
      path: '/v1/sessions/{id}/cancel',
      operation: 'cancel',
      summary: 'Stop what runs, and cancel what waits.',
      params: SESSION_ID,
      result: z.object({ prompts: z.number().describe('prompts that are stopped or cancelled') }),
      async handle({ token, params }) {
        const { id: session } = await findOwnSession(store, token, params.id);
        const prompts = await store.requestCancel(session);
        if (prompts > 0) await audit(token, 'cancelled', { session });
        await dispatcher.dispatch(session);
        notifier.notify(session);
        return { prompts };
      },
    }),
    defineRoute({
      method: 'get',
      path: '/v1/sessions/{id}/patch',
      operation: 'getPatch',
      summary: 'What a session has changed in its repository, as a patch that git apply takes.',
      params: SESSION_ID,
      mediaType: 'text/x-diff',
      result: z.string(),
      async handle({ token, params }) {
        const { id, workspace } = await findOwnSession(store, token, params.id);
        const patch = await parts.workspaces.git.makePatch(id, asRepository(workspace));
        return new Response(patch, { headers: { 'content-type': 'text/x-diff; charset=utf-8' } });
      },
    }),
    defineRoute({
      method: 'post',
      path: '/v1/sessions/{id}/branch',
      operation: 'pushBranch',
      summary: 'Commit what a session has changed to the branch bae/ID of its repository, and push it.',
      params: SESSION_ID,
      body: BRANCH_REQUEST,
      result: z.object({ branch: z.string(), commit: z.string() }),
      async handle({ token, params, body }) {
        const { id, workspace, may } = await findOwnSession(store, token, params.id);
        const repository = asRepository(workspace);
        if (!may.includes('external') || !token.may.includes('external'))
          throw new ApiError('forbidden', 'pushing leaves this machine: session and token need the effect external.');
        const pushed = await parts.workspaces.git.pushBranch(id, repository, body.message);
        await audit(token, 'branch pushed', { session: id, detail: `${pushed.branch} ${pushed.commit}` });
        return pushed;
      },
    }),
    defineRoute({
      method: 'get',
      path: '/v1/sessions/{id}/export',
      operation: 'exportSession',
      summary: 'The session, and everything that happened in it, as lines of JSON.',
      params: SESSION_ID,
      mediaType: 'application/x-ndjson',
      result: z.string(),
      async handle({ token, params }) {
        const session = await findOwnSession(store, token, params.id);
        return new Response(streamLines(store, session), { headers: { 'content-type': 'application/x-ndjson' } });
      },
    }),
  ];
}

function defineEventStream({ store, notifier, streams, closing }: ServerParts): Route {
  const open = new Map<string, number>();
  let all = 0;
  /** Tokens that were read a moment ago, for the many streams of one. */
  const recent = new Map<string, Promise<Token | undefined>>();
  const read = (id: string): Promise<Token | undefined> => {
    const known = recent.get(id) ?? store.findToken(id);
    if (!recent.has(id)) setTimeout(() => recent.delete(id), CHECK_MS / 2).unref();
    recent.set(id, known);
    return known;
  };
  const count = (name: string, change: 1 | -1): void => {
    all += change;
    const next = (open.get(name) ?? 0) + change;
    if (next === 0) open.delete(name);
    else open.set(name, next);
  };
  return defineRoute({
    method: 'get',
    path: '/v1/sessions/{id}/events',
    operation: 'streamEvents',
    summary: 'Everything that happens in a session, as server-sent events.',
    params: SESSION_ID,
    query: z.strictObject({
      after: PLACE.optional().describe('as Last-Event-ID'),
      follow: z.enum(['true', 'false']).default('true').describe('false ends the stream after the last event'),
    }),
    headers: { 'Last-Event-ID': 'Only events after this one are sent.' },
    mediaType: 'text/event-stream',
    result: EVENT,
    async handle({ token, params, query, headers, signal, drop }) {
      const { id: session } = await findOwnSession(store, token, params.id);
      const last = headers.get('last-event-id') ?? query.after ?? '0';
      const after = PLACE.safeParse(last);
      if (!after.success) throw new ApiError('invalid', 'Last-Event-ID: expected the id of an event.');
      if ((open.get(token.name) ?? 0) >= streams.mostOfToken || all >= streams.most)
        throw new ApiError('too_many', 'too many open streams.', { retryAfter: 10 });
      count(token.name, 1);
      let isCounted = true;
      const stream = streamEvents({
        session,
        after: Number(after.data),
        follow: query.follow === 'true',
        store,
        notifier,
        isAllowed: async () => isUsable((await read(token.id)) ?? token, new Date()),
        heartbeatMs: streams.heartbeatMs,
        slowMs: streams.slowMs,
        signal: AbortSignal.any([signal, closing]),
        drop,
        onEnd: () => {
          if (isCounted) count(token.name, -1);
          isCounted = false;
        },
      });
      return new Response(stream, {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
      });
    },
  });
}

/** Number of events that an export reads at once. */
const PAGE = 100;

function streamLines(store: ServerStore, session: Session): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let after = 0;
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(`${JSON.stringify({ session })}\n`)),
    async pull(controller) {
      const events = await store.readEvents(session.id, after, PAGE);
      after = events.at(-1)?.seq ?? after;
      if (events.length > 0)
        controller.enqueue(encoder.encode(events.map((event) => `${JSON.stringify(event)}\n`).join('')));
      if (events.length < PAGE) controller.close();
    },
  });
}

function asRepository(workspace: Session['workspace']): Extract<Session['workspace'], { type: 'git' }> {
  if (workspace.type === 'git') return workspace;
  throw new ApiError('conflict', `the workspace of the session is not a repository: its type is ${workspace.type}.`);
}

function describePrompt({ id, session, state, outcome }: Prompt): Prompt {
  return { id, session, state, ...(outcome !== undefined && { outcome }) };
}

/** Maximum number of characters of a prompt in the audit, and of those that are searched for keys. */
const LONGEST_START = 60;
const LONGEST_SEARCHED = 5000;

/** Describes a text for the audit: its hash, by which the whole text can be recognized, and its beginning. */
function describeText(text: string): string {
  const start = maskKeys(text.slice(0, LONGEST_SEARCHED)).replaceAll(/\s+/g, ' ').trim();
  const shown = start.length > LONGEST_START ? `${start.slice(0, LONGEST_START).toWellFormed()}…` : start;
  return `sha256:${createHash('sha256').update(text).digest('hex')} ${shown}`;
}

function readIdempotencyKey(key: string | null): string | undefined {
  if (key === null) return undefined;
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new ApiError('invalid', 'Idempotency-Key: expected 1 to 200 printable characters of ASCII.');
}
