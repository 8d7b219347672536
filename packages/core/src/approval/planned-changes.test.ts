import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { approvalPolicy, type ApprovalPolicy } from './approval-policy.ts';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { ConflictError, ParameterError, ResourceError } from '../errors/bae-error.ts';
import type { ApprovalRequest } from '../protocol/approver.ts';
import type { Change, ToolReturn } from '../protocol/tool-definition.ts';
import { structuralPruner } from '../pruner/structural-pruner.ts';
import { Registry } from '../registry/registry.ts';
import { ToolRouter, type DispatchOptions } from '../tool-router/tool-router.ts';

/** Timers that the test fires itself. */
class ManualTimers {
  readonly pending = new Set<() => void>();

  setTimeout = (callback: () => void): (() => void) => {
    this.pending.add(callback);
    return callback;
  };

  clearTimeout = (handle: unknown): void => void this.pending.delete(handle as () => void);

  fire(): void {
    for (const callback of Array.from(this.pending)) callback();
  }
}

/** A space with one tool `put` that plans, on a map of files, and everything that happened in order. */
function setting(policy: ApprovalPolicy = {}, plan?: (log: string[]) => Change | ToolReturn | Promise<Change>) {
  const files = new Map([['a', 'old']]);
  const log: string[] = [];
  const timers = new ManualTimers();
  const asked: ApprovalRequest[] = [];
  const ask: ApprovalPolicy['ask'] = async (request) => {
    asked.push(request);
    log.push(`ask: ${await request.preview?.()}`);
    return { decision: 'allow' };
  };
  const params = { target: z.string(), dry: z.boolean().default(false), text: z.string().default('new') };
  const put = tool(
    'The new text.',
    params,
    ({ target, dry, text }) => {
      log.push('plan');
      if (plan !== undefined) return plan(log);
      const before = files.get(target);
      if (before === undefined) throw new ResourceError(`no file '${target}'.`);
      const change: Change = {
        touches: [{ path: target }],
        preview: () => `${before} -> ${text}`,
        apply: () => {
          log.push('apply');
          if (files.get(target) !== before) throw new ConflictError(`${target} has changed in the meantime.`);
          files.set(target, text);
          return text;
        },
      };
      return dry ? change.preview() : change;
    },
    { plan: true, effect: 'write' },
  );
  const tree = new Registry(defineResourcespace({ name: 'files', description: 'Files.', tools: { put } }));
  const host = { clock: { now: () => 7 }, entropy: crypto, timers };
  const approver = approvalPolicy({ ask, ...policy });
  const router = new ToolRouter({ tree, approver, host, pruner: structuralPruner, cap: 2000 });
  const turn = new AbortController();
  const send = (arg: string, options: Partial<DispatchOptions> = {}) =>
    router.dispatch({ verb: 'put', arg, line: 1, tag: `<put:${arg}>` }, [], {
      signal: turn.signal,
      session: { id: 's', seen: new Map() },
      ...options,
    });
  return { send, files, log, timers, asked, turn, put };
}

describe('a tool that plans', () => {
  it('is planned once, asked for with its preview, and the same plan is applied', async () => {
    const { send, files, log, asked } = setting();
    expect(await send('a')).toMatchObject({ ok: true, text: 'new', ran: true, effect: 'write' });
    expect(log).toEqual(['plan', 'ask: old -> new', 'apply']);
    expect(asked[0]).toMatchObject({ touches: ['a'], target: 'a' });
    expect(files.get('a')).toBe('new');
  });

  it('changes nothing when consent is refused', async () => {
    const { send, files, log } = setting({ ask: async () => ({ decision: 'deny' }) });
    expect(await send('a')).toMatchObject({ ok: false, errorType: 'ApprovalError', ran: false });
    expect([log, files.get('a')]).toEqual([['plan'], 'old']);
  });

  it('needs no consent for a plan that returns a result, which has the effect of reading', async () => {
    const { send, log } = setting({ otherwise: 'deny' });
    expect(await send('a dry=true')).toMatchObject({ ok: true, text: 'old -> new', ran: true, effect: 'read' });
    expect(log).toEqual(['plan']);
  });

  it('is not planned when a rule denies its target, so that an error of the plan reveals nothing', async () => {
    const { send, log } = setting({ rules: [{ target: 'secret/**', decision: 'deny' }] });
    expect((await send('secret/x')).errorType).toBe('ApprovalError');
    expect(log).toEqual([]);
    expect((await send('x')).text).toContain("no file 'x'.");
  });

  it('is denied when a rule denies one of the files that it touches', async () => {
    const change = { touches: [{ path: 'a' }, { path: 'secret/x' }], preview: () => '', apply: () => 'done' };
    const { send } = setting({ rules: [{ target: 'secret/**', decision: 'deny' }] }, () => change);
    expect((await send('a')).errorType).toBe('ApprovalError');
  });

  it('is allowed by a rule for every file that it touches', async () => {
    const change = { touches: [{ path: 'docs/a' }, { path: 'docs/b' }], preview: () => '', apply: () => 'done' };
    const rules = [{ target: 'docs/**', decision: 'allow' }] as const;
    expect((await setting({ rules, otherwise: 'deny' }, () => change).send('7')).text).toBe('done');
    const other = { ...change, touches: [...change.touches, { outside: 'npm install' }] };
    expect((await setting({ rules, otherwise: 'deny' }, () => other).send('7')).ok).toBe(false);
  });

  it('is not allowed because a rule or an earlier reply is for its target, when it touches something else', async () => {
    const change = { touches: [{ path: 'docs/a' }, { path: 'src/a' }], preview: () => '', apply: () => 'done' };
    const rules = [{ target: 'docs/**', decision: 'allow' }] as const;
    expect((await setting({ rules, otherwise: 'deny' }, () => change).send('docs/a')).ok).toBe(false);
    let touches: Change['touches'] = [{ path: 'docs/a' }];
    const replies: ApprovalRequest[] = [];
    const ask: ApprovalPolicy['ask'] = async (request) => {
      replies.push(request);
      return { decision: 'allow', remember: 'target' };
    };
    const { send } = setting({ ask }, () => ({ ...change, touches }));
    for (const next of [touches, [{ path: 'docs/a' }, { path: 'src/a' }]]) {
      touches = next;
      await send('docs/a');
    }
    expect(replies).toHaveLength(2);
    await send('docs/a');
    expect(replies).toHaveLength(3);
  });

  it('is planned and asked for again when what it was planned on changed while the person was asked', async () => {
    const shown: (string | undefined)[] = [];
    const { send, files, log } = setting({
      ask: async (request) => {
        shown.push(await request.preview?.());
        if (shown.length === 1) files.set('a', 'of the person');
        return { decision: 'allow' };
      },
    });
    expect(await send('a')).toMatchObject({ ok: true, text: 'new' });
    expect(shown).toEqual(['old -> new', 'of the person -> new']);
    expect(log).toEqual(['plan', 'apply', 'plan', 'apply']);
  });

  it('is not asked for again when the new plan shows the same', async () => {
    let applied = 0;
    const change: Change = {
      touches: [{ path: 'a' }],
      preview: () => 'the same',
      apply: () => {
        if (++applied < 3) throw new ConflictError('a was touched.');
        return 'done';
      },
    };
    const { send, asked, log } = setting({}, () => change);
    expect((await send('a')).text).toBe('done');
    expect([asked.length, log]).toEqual([1, ['plan', 'ask: the same', 'plan', 'plan']]);
  });

  it('gives up with the conflict when something keeps changing what it was planned on', async () => {
    const fail = () => {
      throw new ConflictError('a was touched.');
    };
    const { send } = setting({}, () => ({ touches: [], preview: () => '', apply: fail }));
    expect(await send('a')).toMatchObject({ ok: false, errorType: 'ConflictError', ran: true });
  });

  it('has one time limit for plan and apply, which does not run while a person is asked', async () => {
    const waits: number[] = [];
    const { send, timers, log } = setting({
      ask: async () => {
        waits.push(timers.pending.size);
        return { decision: 'allow' };
      },
    });
    expect((await send('a')).ok).toBe(true);
    expect([waits, timers.pending.size, log]).toEqual([[0], 0, ['plan', 'apply']]);
    const stuck = setting({}, () => new Promise<Change>(() => undefined));
    const result = stuck.send('a');
    while (stuck.log.length === 0) await Promise.resolve();
    stuck.timers.fire();
    expect((await result).errorType).toBe('TimeoutError');
  });

  it('begins to have an unknown outcome only when it is applied', async () => {
    const began: string[] = [];
    const { send, log, turn } = setting({
      ask: async () => {
        began.push('asked');
        turn.abort();
        return { decision: 'allow' };
      },
    });
    await expect(send('a', { onRun: () => began.push('began') })).rejects.toThrow('cancel');
    expect([began, log]).toEqual([['asked'], ['plan']]);
  });

  it('is applied by invoke in one step, for callers that have consent already', async () => {
    const { put, files } = setting();
    const definition = put.named('put');
    expect(await definition.invoke({ target: 'a', dry: false, text: 'newer' }, {} as never)).toBe('newer');
    expect(files.get('a')).toBe('newer');
  });

  it('may reject its arguments: the usage and a working call are added', async () => {
    const { send } = setting({}, () => {
      throw new ParameterError('target: expected a file of the shop.');
    });
    expect((await send('a')).text).toBe(
      'ParameterError: target: expected a file of the shop.\nUsage: put(target: string, dry: boolean = false, text: string = "new")\nTry: <put:src/app.ts>',
    );
  });
});
