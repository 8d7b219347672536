import type { TrustState, TrustSubject } from '@bae/plugins';
import { describe, expect, it } from 'vitest';
import { openMemoryTerminal } from '../../test/memory-terminal.ts';
import { askTrust } from './ask-trust.ts';

const subject: TrustSubject = {
  kind: 'plugin',
  name: 'bae-resourcespace-tickets',
  path: '/shop/node_modules/bae-resourcespace-tickets',
  digest: '1',
  about: ['version 1.0.0', 'tickets() -- Support \u001B[31mtickets.', '  reads: read'],
};

async function ask(typed: string, state: TrustState = 'unknown', signal = new AbortController().signal) {
  const terminal = openMemoryTerminal({ interactive: true });
  const decision = askTrust([subject], { stateOf: () => state }, { terminal, signal });
  terminal.input.write(typed);
  return { decision: await decision, out: terminal.out.text };
}

describe('askTrust', () => {
  it('shows what would be trusted, harmless to the terminal', async () => {
    expect((await ask('y\r')).out).toBe(`\
Not trusted, and not used until you trust it:
bae-resourcespace-tickets -- /shop/node_modules/bae-resourcespace-tickets
  version 1.0.0
  tickets() -- Support ␛[31mtickets.
    reads: read
What you trust runs on this machine with all your rights, whatever it says of itself. When it changes, bae asks again.
`);
  });

  it('reports that something was trusted as it was before', async () => {
    expect((await ask('n\r', 'changed')).out).toContain(
      'bae-resourcespace-tickets (changed since you decided about it) -- /shop',
    );
  });

  it.each([
    ['y\r', 'trusted'],
    ['YES \r', 'trusted'],
    ['n\r', 'refused'],
    ['no\r', 'refused'],
  ])('takes %j as %s', async (typed, decision) => {
    expect((await ask(typed)).decision).toBe(decision);
  });

  it.each(['\u0003', '\u0004'])('decides nothing without an answer: %j', async (key) => {
    expect((await ask(key)).decision).toBeUndefined();
  });

  it('decides nothing when it is asked to stop', async () => {
    expect((await ask('', 'unknown', AbortSignal.abort())).decision).toBeUndefined();
  });
});
