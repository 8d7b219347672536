import type { AvailableCommand } from '@agentclientprotocol/sdk';
import { asModelText, type Agent, type AgentEvent } from '@bae/core';
import type { Ledger } from '@bae/models';
import { fenceCode } from '../shell/transcript.ts';
import { describeContext } from '../shell/shell-commands.ts';
import { renderUsageTable } from '../views/usage-table.ts';

interface SessionParts {
  readonly agent: Agent;
  readonly ledger: Ledger;
  /** Last response of the model, if any. */
  readonly last: Extract<AgentEvent, { type: 'response-end' }> | undefined;
  /** Runs what the user has typed, which is consent. */
  readonly runTyped: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Commands of bae for an editor, which need no model. */
export const OWN_COMMANDS: readonly AvailableCommand[] = [
  { name: 'undo', description: 'undo the last change to files, or the last N', input: { hint: 'N' } },
  { name: 'context', description: 'how full the context of the model is' },
  { name: 'cost', description: 'tokens and money by turn, tool and place' },
];

/** Runs a command of bae. Resolves to what it says, or to undefined if the text is none. */
export async function runOwnCommand(
  text: string,
  { agent, ledger, last, runTyped }: SessionParts,
  signal: AbortSignal,
): Promise<string | undefined> {
  const [, name, argument = ''] = /^\/(undo|context|cost)(?:\s+(\d+))?\s*$/.exec(text) ?? [];
  if (name === 'context') return describeContext(last);
  if (name === 'cost') return fenceCode('', renderUsageTable(ledger));
  if (name !== 'undo') return undefined;
  const tag = asModelText(`<home.undo:${argument}>`);
  const { calls } = await runTyped(() => agent.run(tag, { signal, isTyped: true }));
  return calls.map(({ result }) => result.text).join('\n') || 'Nothing was undone.';
}
