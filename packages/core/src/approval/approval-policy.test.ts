import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { ApprovalRequest } from '../protocol/approver.ts';
import { approvalPolicy, type ApprovalPolicy, type ApprovalReply } from './approval-policy.ts';
import type { ApprovalRule } from './approval-rule.ts';

const signal = new AbortController().signal;

function request(changes: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    session: 's',
    space: 'home',
    tool: 'write',
    effect: 'write',
    tag: '<W:docs/a.md>',
    args: {},
    target: 'docs/a.md',
    ...changes,
  };
}

const secret = { tool: 'read', effect: 'read', target: '.env', reason: 'it may hold secrets' } as const;

/** What a policy decides; `ask` stands for a question that was put. */
async function decide(policy: ApprovalPolicy, changes: Partial<ApprovalRequest> = {}): Promise<string> {
  let asked = false;
  const ask: ApprovalPolicy['ask'] = async () => {
    asked = true;
    return { decision: 'deny' };
  };
  const { allow } = await approvalPolicy({ ask, ...policy }).approve(request(changes), signal);
  return asked ? 'ask' : allow ? 'allow' : 'deny';
}

async function reasonOf(policy: ApprovalPolicy, changes: Partial<ApprovalRequest> = {}): Promise<string> {
  const answer = await approvalPolicy(policy).approve(request(changes), signal);
  return answer.allow ? 'allowed' : answer.reason;
}

describe('a rule about a folder', () => {
  it.each(['docs', 'docs/', './docs', 'DOCS'])(
    'that denies %s covers everything in it, one that allows does not',
    async (target) => {
      const rule = (decision: ApprovalRule['decision']) => ({ rules: [{ target, decision }] });
      for (const inside of ['docs/a.md', 'docs/b/c.md']) {
        expect(await decide(rule('deny'), { target: inside })).toBe('deny');
        expect(await decide({ ...rule('ask'), otherwise: 'allow' }, { target: inside })).toBe('ask');
        expect(await decide(rule('allow'), { target: inside })).toBe('ask');
      }
      expect(await decide(rule('deny'), { target: 'docs2/a.md' })).toBe('ask');
    },
  );

  it('covers no more than what a wildcard at its end matches', async () => {
    expect(await decide({ rules: [{ target: 'docs/*', decision: 'deny' }] }, { target: 'docs/b/c.md' })).toBe('ask');
  });
});

describe('approvalPolicy, without rules', () => {
  it('asks about everything that changes something and about secrets', async () => {
    expect(await decide({})).toBe('ask');
    expect(await decide({}, { effect: 'external' })).toBe('ask');
    expect(await decide({}, secret)).toBe('ask');
  });

  it('refuses where nobody can be asked, and explains how to allow it', async () => {
    expect(await reasonOf({})).toBe(
      'write was not run: it has the effect \'write\', and no one is available to approve it. To allow it, give approvalPolicy the rule {"space":"home","tool":"write","decision":"allow"}.',
    );
    expect(await reasonOf({}, secret)).toBe(
      'read on .env was not run: it may hold secrets, and no one is available to approve it. To allow it, give approvalPolicy the rule {"space":"home","target":".env","decision":"allow"}.',
    );
    expect(await reasonOf({ ask: async () => undefined })).toMatch('no one is available to approve it');
  });

  it('applies another default when it is given', async () => {
    expect(await decide({ otherwise: 'allow' })).toBe('allow');
    expect(await decide({ otherwise: 'deny' })).toBe('deny');
    expect(await reasonOf({ otherwise: 'deny', remedy: () => 'Ask Ann.' })).toBe(
      "write was not run: it has the effect 'write', and that is not allowed here. Ask Ann.",
    );
  });

  it('does not allow secrets because everything else is allowed', async () => {
    expect(await decide({ otherwise: 'allow' }, secret)).toBe('ask');
    expect(await reasonOf({ otherwise: 'allow' }, secret)).toMatch('no one is available to approve it');
  });
});

describe('approvalPolicy, with rules', () => {
  const allow: ApprovalRule = { decision: 'allow' };
  const ask: ApprovalRule = { tool: 'write', decision: 'ask' };
  const deny: ApprovalRule = { target: 'docs/**', decision: 'deny' };

  it.each([
    [[allow], 'allow'],
    [[allow, ask], 'ask'],
    [[ask, allow], 'ask'],
    [[ask, deny], 'deny'],
    [[deny, ask], 'deny'],
    [[allow, deny], 'deny'],
    [[deny, allow], 'deny'],
    [[allow, ask, deny], 'deny'],
    [[deny, ask, allow], 'deny'],
  ])('lets deny win over ask, and ask over allow: %j', async (rules, decision) => {
    expect(await decide({ rules })).toBe(decision);
    expect(await decide({ rules, otherwise: 'allow' })).toBe(decision);
  });

  it('decides alike in any order of rules', async () => {
    const rule = fc.record(
      {
        space: fc.constantFrom('home', '*', 'tasks'),
        tool: fc.constantFrom('write', 'edit', '*'),
        target: fc.constantFrom('docs/**', '*.md', '**'),
        decision: fc.constantFrom('allow' as const, 'ask' as const, 'deny' as const),
      },
      { requiredKeys: ['decision'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(rule, { maxLength: 6 }), async (rules) => {
        expect(await decide({ rules: rules.toReversed() })).toBe(await decide({ rules }));
      }),
    );
  });

  it.each([
    [{ space: 'home' }, {}, true],
    [{ space: 'tasks' }, {}, false],
    [{ space: 'source.**' }, { space: 'source.meta' }, true],
    [{ space: 'source.*' }, { space: 'source' }, false],
    [{ tool: 'write' }, { tool: 'write' }, true],
    [{ tool: 'wri*' }, { tool: 'write' }, true],
    [{ tool: 'edit' }, { tool: 'write' }, false],
    [{ effect: 'external' as const }, { effect: 'external' as const }, true],
    [{ effect: 'external' as const }, {}, false],
    [{ target: 'docs/*' }, {}, true],
    [{ target: './docs//a.md' }, { target: 'docs/./a.md' }, true],
    [{ target: 'docs/**' }, { target: 'src/a.ts' }, false],
    [{ target: '/docs/**' }, {}, false],
    [{ space: 'home', tool: 'edit', target: '**' }, {}, false],
  ])('are for calls that fit every field: %j, %j: %s', async (fields, call, fits) => {
    expect(await decide({ rules: [{ ...fields, decision: 'deny' }] }, call)).toBe(fits ? 'deny' : 'ask');
    expect(await decide({ rules: [{ ...fields, decision: 'allow' }] }, call)).toBe(fits ? 'allow' : 'ask');
  });

  it('deny in any spelling, and allow only as written', async () => {
    for (const target of ['DOCS/a.md', 'docſ/a.md', 'docs/../docs/a.md', `docs/${'x'.repeat(5000)}`]) {
      expect(await decide({ rules: [{ target: 'docs/**', decision: 'deny' }] }, { target })).toBe('deny');
      expect(await decide({ rules: [{ target: 'docs/**', decision: 'allow' }] }, { target })).toBe('ask');
    }
    const composed: ApprovalRule = { target: 'caf\u00E9', decision: 'deny' };
    expect(await decide({ rules: [composed] }, { target: 'cafe\u0301' })).toBe('deny');
    expect(
      await decide(
        { rules: [{ space: 'GitHub', tool: 'MERGE', decision: 'deny' }] },
        { space: 'github', tool: 'merge' },
      ),
    ).toBe('deny');
  });

  it.each([
    ['command:git log*', 'git log', true],
    ['command:git log*', 'git log --oneline src/../a.ts', true],
    ['command:git log *', 'git log', false],
    ['command:git log', 'git log -p', false],
    ['command:npm test', 'npm test', true],
    ['command:npm test', 'npm  test', false],
    ['command:*', "sh -c 'a\nb'", true],
    ['**', 'git log', false],
    ['git log', 'git log', false],
    ['command:**/log', 'git log', false],
  ])('allow %s for the command %s: %s', async (pattern, command, allowed) => {
    const call = { tool: 'exec', effect: 'external', target: `command:${command}` } as const;
    expect(await decide({ rules: [{ target: pattern, decision: 'allow' }] }, call)).toBe(allowed ? 'allow' : 'ask');
  });

  it('deny commands in any case, by what they reach too, and where they are too long to compare', async () => {
    const rules = [{ target: 'command:rm *', decision: 'deny' }] as const;
    const call = (command: string, more: Partial<ApprovalRequest> = {}) =>
      decide({ rules }, { tool: 'exec', target: `command:${command}`, ...more });
    expect(await call('RM -rf x')).toBe('deny');
    expect(await call('ls ..')).toBe('ask');
    expect(await call('./tool x', { touches: ['command:./tool x', 'command:rm x'] })).toBe('deny');
    expect(await call(`ls ${'x'.repeat(5000)}`)).toBe('deny');
    const forFiles = [{ target: 'docs/**', decision: 'deny' }] as const;
    expect(await decide({ rules: forFiles }, { target: 'command:ls ..' })).toBe('ask');
    expect(await decide({ rules: [{ target: '**', decision: 'deny' }] }, { target: 'command:ls' })).toBe('deny');
  });

  it('cover secrets only where they name a target', async () => {
    expect(await decide({ rules: [{ decision: 'allow' }] }, secret)).toBe('ask');
    expect(await decide({ rules: [{ tool: 'read', effect: 'read', decision: 'allow' }] }, secret)).toBe('ask');
    expect(await decide({ rules: [{ target: '.env', decision: 'allow' }] }, secret)).toBe('allow');
    expect(await decide({ rules: [{ tool: 'read', decision: 'deny' }] }, secret)).toBe('deny');
  });

  it('are named when they deny, with what to do about it', async () => {
    expect(await reasonOf({ rules: [allow, deny] })).toBe(
      'write was not run: a rule denies it: {"target":"docs/**","decision":"deny"}. To allow it, change that rule.',
    );
    const remedy = (_: ApprovalRequest, rule?: ApprovalRule) => `See ${rule?.target}.`;
    expect(await reasonOf({ rules: [deny], remedy })).toMatch(/See docs\/\*\*\.$/);
  });

  it('are checked before anything runs', () => {
    const rules = [{ taget: 'docs/**', decision: 'deny' }] as unknown as ApprovalRule[];
    expect(() => approvalPolicy({ rules })).toThrow('rules[0].taget: no such field. Did you mean target?');
  });

  it('are what the outcome names, or that there is none for the call', async () => {
    const decideBy = async (policy: ApprovalPolicy) => (await approvalPolicy(policy).approve(request(), signal)).by;
    expect(await decideBy({ rules: [allow] })).toBe('rule');
    expect(await decideBy({ rules: [deny] })).toBe('rule');
    expect(await decideBy({ otherwise: 'allow' })).toBe('default');
    expect(await decideBy({})).toBe('nobody');
    expect(await decideBy({ ask: async () => ({ decision: 'allow', by: 'option' }) })).toBe('option');
  });

  it('are read once: a list that is changed later changes nothing', async () => {
    const rules: ApprovalRule[] = [deny];
    const approver = approvalPolicy({ rules });
    rules.pop();
    expect(await approver.approve(request(), signal)).toMatchObject({ allow: false });
  });
});

/** A policy whose person gives these answers in turn, and what is asked of that person. */
function answering(replies: readonly (ApprovalReply | undefined)[], policy: ApprovalPolicy = {}) {
  const ahead = [...replies];
  const asked: string[] = [];
  const ask: ApprovalPolicy['ask'] = async ({ tool, target }) => {
    asked.push(`${tool} ${target}`);
    return ahead.shift();
  };
  const approver = approvalPolicy({ ...policy, ask });
  const decide = async (changes: Partial<ApprovalRequest> = {}) =>
    (await approver.approve(request(changes), signal)).allow;
  return { approver, asked, decide };
}

describe('a reply', () => {
  it('holds for one call', async () => {
    const { asked, decide } = answering([{ decision: 'allow' }, { decision: 'deny' }]);
    expect([await decide(), await decide()]).toEqual([true, false]);
    expect(asked).toHaveLength(2);
  });

  it('gives the model a reason', async () => {
    const { approver } = answering([{ decision: 'deny' }, { decision: 'deny', reason: 'Use port 8080.' }]);
    expect(await approver.approve(request(), signal)).toEqual({
      allow: false,
      reason: 'write was not run: the user said no. Ask what to do instead.',
      by: 'person',
    });
    expect(await approver.approve(request(), signal)).toEqual({
      allow: false,
      reason: 'write was not run: the user said no. Use port 8080.',
      by: 'person',
    });
  });

  it('for the tool holds for all its calls in this space and session', async () => {
    const { asked, decide } = answering([{ decision: 'allow', remember: 'tool' }]);
    expect([await decide(), await decide({ target: 'elsewhere' })]).toEqual([true, true]);
    expect(await decide({ tool: 'edit' })).toBe(false);
    expect(await decide({ space: 'tasks' })).toBe(false);
    expect(await decide({ session: 'other' })).toBe(false);
    expect(asked).toHaveLength(4);
  });

  it('for the target holds in its folder and below', async () => {
    const { decide } = answering([{ decision: 'allow', remember: 'target' }]);
    expect(await decide()).toBe(true);
    for (const target of ['docs/b.md', './docs//c/d.md']) expect(await decide({ target })).toBe(true);
    for (const target of ['a.md', 'docs2/a.md', 'docs', 'docs/../a.md', 'DOCS/a.md', `docs/${'x'.repeat(5000)}`])
      expect(await decide({ target })).toBe(false);
    expect(await decide({ tool: 'edit', target: 'docs/a.md' })).toBe(false);
  });

  it('for a target in no folder holds for nothing else', async () => {
    const { decide } = answering([{ decision: 'allow', remember: 'target' }]);
    expect(await decide({ target: 'a.md' })).toBe(true);
    expect(await decide({ target: './a.md' })).toBe(true);
    expect(await decide({ target: 'b.md' })).toBe(false);
  });

  it('for a command holds for exactly this one, whatever is remembered', async () => {
    for (const remember of ['tool', 'target'] as const) {
      const { decide } = answering([{ decision: 'allow', remember }]);
      const run = (command: string) => decide({ tool: 'exec', effect: 'external', target: `command:${command}` });
      expect(await run('cat docs/a.md')).toBe(true);
      expect(await run('cat docs/a.md')).toBe(true);
      for (const other of ['cat docs/b.md', 'cat  docs/a.md', 'cat docs//a.md', 'cat docs/a.md x'])
        expect(await run(other)).toBe(false);
      expect(await decide({ tool: 'exec', effect: 'external', target: 'cat docs/a.md' })).toBe(false);
    }
  });

  it('may be a refusal for good, which wins over what was allowed', async () => {
    const { asked, decide } = answering([
      { decision: 'deny', remember: 'target' },
      { decision: 'allow', remember: 'tool' },
    ]);
    expect([await decide({ target: 'docs/a.md' }), await decide({ target: 'src/a.ts' })]).toEqual([false, true]);
    expect([await decide({ target: 'docs/b.md' }), await decide({ target: 'src/b.ts' })]).toEqual([false, true]);
    expect(asked).toHaveLength(2);
  });

  it('never wins over a rule that denies', async () => {
    const rules = [{ target: 'docs/private/**', decision: 'deny' }] as const;
    const { asked, decide } = answering([{ decision: 'allow', remember: 'tool' }], { rules });
    expect(await decide()).toBe(true);
    expect(await decide({ target: 'docs/private/a.md' })).toBe(false);
    expect(asked).toEqual(['write docs/a.md']);
  });

  it('for writes does not cover secrets, nor the other way round', async () => {
    const forWrites = answering([{ decision: 'allow', remember: 'tool' }]);
    await forWrites.decide({ tool: 'edit', target: '.env' });
    expect(await forWrites.decide({ ...secret, tool: 'edit', effect: 'write' })).toBe(false);
    const forSecrets = answering([{ decision: 'allow', remember: 'tool' }]);
    await forSecrets.decide({ ...secret, tool: 'edit', effect: 'write' });
    expect(await forSecrets.decide({ tool: 'edit', target: '.env' })).toBe(false);
  });

  it('about a secret holds for this file, whatever tool shows it', async () => {
    const { asked, decide } = answering([{ decision: 'allow', remember: 'tool' }]);
    expect(await decide(secret)).toBe(true);
    expect(await decide({ ...secret, tool: 'grep' })).toBe(true);
    expect(await decide({ ...secret, target: '.env.local' })).toBe(false);
    expect(await decide({ ...secret, reason: 'it costs 3 €' })).toBe(false);
    expect(asked).toEqual(['read .env', 'read .env.local', 'read .env']);
  });
});

describe('questions', () => {
  it('are never put two at a time, and not at all when the first reply settles the second', async () => {
    const open: PromiseWithResolvers<ApprovalReply>[] = [];
    const approver = approvalPolicy({
      ask: () => {
        const question = Promise.withResolvers<ApprovalReply>();
        open.push(question);
        return question.promise;
      },
    });
    const answers = ['write', 'write', 'edit'].map(async (tool) => approver.approve(request({ tool }), signal));
    await new Promise(setImmediate);
    expect(open).toHaveLength(1);
    open[0]?.resolve({ decision: 'allow', remember: 'tool' });
    await new Promise(setImmediate);
    expect(open).toHaveLength(2);
    open[1]?.resolve({ decision: 'deny' });
    expect((await Promise.all(answers)).map(({ allow }) => allow)).toEqual([true, true, false]);
  });

  it('do not hold up what was decided before', async () => {
    const never = new Promise<ApprovalReply>(() => undefined);
    const replies: (ApprovalReply | Promise<ApprovalReply>)[] = [{ decision: 'allow', remember: 'tool' }, never];
    const approver = approvalPolicy({ ask: async () => replies.shift() });
    await approver.approve(request(), signal);
    void approver.approve(request({ tool: 'edit' }), signal);
    expect(await approver.approve(request(), signal)).toEqual({ allow: true, by: 'earlier reply' });
  });

  it('settle at once when the turn is cancelled, and a reply that comes then is ignored', async () => {
    const question = Promise.withResolvers<ApprovalReply>();
    const asked: string[] = [];
    const approver = approvalPolicy({
      ask: ({ tool }) => {
        asked.push(tool);
        return asked.length === 1 ? question.promise : Promise.resolve({ decision: 'deny' });
      },
    });
    const turn = new AbortController();
    const answer = approver.approve(request(), turn.signal);
    const waiting = approver.approve(request({ tool: 'edit' }), turn.signal);
    const other = approver.approve(request({ tool: 'write' }), signal);
    await new Promise(setImmediate);
    turn.abort();
    expect([await answer, await waiting]).toMatchObject([{ allow: false }, { allow: false }]);
    question.resolve({ decision: 'allow', remember: 'tool' });
    expect(await other).toMatchObject({ allow: false });
    expect(asked).toEqual(['write', 'write']);
  });

  it('that cannot be put are refusals, and the next one is put', async () => {
    let fails = true;
    const approver = approvalPolicy({
      ask: () => {
        if (!fails) return Promise.resolve({ decision: 'allow' });
        fails = false;
        throw new Error('no terminal.');
      },
    });
    expect(await approver.approve(request(), signal)).toEqual({
      allow: false,
      by: 'nobody',
      reason: 'write was not run: asking for consent failed. no terminal.',
    });
    expect(await approver.approve(request(), signal)).toEqual({ allow: true, by: 'person' });
  });
});
