import type { Budget, Prompt, Question, Reply, Session, SessionRequest, Spending, Workspace } from '@bae/client';
import { z } from 'zod';

/** Maximum length of a prompt, in UTF-16 code units. */
const PROMPT_CAP = 400_000;

/** Text that every database can store. */
const text = (most: number) =>
  z
    .string()
    .max(most)
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'expected Unicode text without NUL');

const NAME = z.string().regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
const EFFECT = z.enum(['read', 'write', 'external']);

export const ID = z.uuid();

export const BUDGET = z
  .strictObject({
    tokens: z.int().min(1).max(1e12),
    dollars: z.number().positive().max(1e9),
    minutes: z.number().positive().max(1e7),
    calls: z.int().min(1).max(1e9),
  })
  .partial()
  .meta({ id: 'Budget' }) satisfies z.ZodType<Budget>;

export const WORKSPACE = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('none') }),
    z.strictObject({ type: z.literal('folder'), name: NAME }),
    z.strictObject({ type: z.literal('git'), repository: text(500), ref: text(200).optional() }),
  ])
  .meta({ id: 'Workspace' }) satisfies z.ZodType<Workspace>;

export const SESSION_REQUEST = z
  .strictObject({
    workspace: WORKSPACE.optional(),
    spaces: z.array(NAME).max(100).optional(),
    may: z.array(EFFECT).min(1).max(3).optional(),
    budget: BUDGET.optional(),
  })
  .meta({ id: 'SessionRequest' }) satisfies z.ZodType<SessionRequest>;

const SPENDING = z
  .object({ tokens: z.number(), dollars: z.number(), minutes: z.number(), calls: z.number() })
  .meta({ id: 'Spending' }) satisfies z.ZodType<Spending>;

export const SESSION = z
  .object({
    id: z.string(),
    created: z.iso.datetime(),
    owner: z.string(),
    state: z.enum(['idle', 'queued', 'working', 'waiting']),
    workspace: WORKSPACE,
    spaces: z.array(z.string()),
    may: z.array(EFFECT),
    budget: BUDGET,
    spent: SPENDING,
  })
  .meta({ id: 'Session' }) satisfies z.ZodType<Session>;

export const PROMPT_REQUEST = z.strictObject({ text: text(PROMPT_CAP).min(1) }).meta({ id: 'PromptRequest' });

export const BRANCH_REQUEST = z.strictObject({ message: text(5000).min(1) }).meta({ id: 'BranchRequest' });

export const PROMPT = z
  .object({
    id: z.string(),
    session: z.string(),
    state: z.enum(['queued', 'working', 'done']),
    outcome: z.string().optional(),
  })
  .meta({ id: 'Prompt' }) satisfies z.ZodType<Prompt>;

export const QUESTION = z
  .discriminatedUnion('type', [
    z.object({
      id: z.string(),
      type: z.literal('approval'),
      tag: z.string(),
      space: z.string(),
      tool: z.string(),
      effect: EFFECT,
      target: z.string(),
      touches: z.array(z.string()),
      reason: z.string().optional(),
      change: z.string(),
      hash: z.string(),
    }),
    z.object({
      id: z.string(),
      type: z.literal('question'),
      space: z.string(),
      tool: z.string(),
      text: z.string(),
      fields: z.record(z.string(), z.unknown()),
    }),
  ])
  .meta({ id: 'Question' }) satisfies z.ZodType<Question>;

export const REPLY = z
  .union([
    z.strictObject({
      decision: z.enum(['allow', 'deny']),
      hash: z.string().regex(/^[0-9a-f]{64}$/),
      remember: z.enum(['tool', 'target']).optional(),
      because: text(2000).optional(),
    }),
    z.strictObject({
      answers: z.record(NAME, z.union([text(100_000), z.number(), z.boolean()])).nullable(),
    }),
  ])
  .meta({ id: 'Reply' }) satisfies z.ZodType<Reply>;

/** An event; each type has its own fields: docs/reference/events.md. */
export const EVENT = z
  .looseObject({ type: z.string(), label: z.string(), turn: z.number() })
  .meta({ id: 'SessionEvent' });

export const PROBLEM = z
  .object({ error: z.object({ code: z.string(), message: z.string(), try: z.string().optional() }) })
  .meta({ id: 'Problem' });
