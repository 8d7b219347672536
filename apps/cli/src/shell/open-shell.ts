import type { Agent } from '@bae/core';
import type { ModelChoice } from '@bae/models';
import type { CommandContext } from '../commands/command.ts';
import { isDebug, makeView } from '../commands/make-view.ts';
import type { LineSource } from '../terminal/line-source.ts';
import { TypedView } from '../views/typed-view.ts';
import { Shell } from './shell.ts';

/** What a shell is opened with. */
export interface ShellPlan {
  readonly context: CommandContext;
  readonly agent: Agent;
  readonly choice: ModelChoice;
  readonly source: LineSource;
}

/** A shell that shows things as the command line asks for, and ends when the process is asked to stop. */
export function openShell({ context, agent, choice, source }: ShellPlan): Shell {
  const { options, terminal, signal } = context;
  // Whoever waits for a line does not hear that the process was asked to stop.
  signal.addEventListener('abort', () => source.close(), { once: true });
  const turns = makeView({ options, terminal, tree: agent.tree });
  const typed = isDebug(options) ? turns : new TypedView(terminal.out);
  const code = isDebug(options) ? turns : new TypedView(terminal.out, 'lines');
  const hasModel = choice.model !== undefined;
  return new Shell({ agent, source, terminal, turns, typed, code, hasModel, debug: options.debug, signal });
}

/** Runs a shell, and lets go of what it works with. */
export async function runToEnd(shell: Shell, source: LineSource, agent: Agent): Promise<void> {
  try {
    await shell.run();
  } finally {
    source.close();
    await agent.close();
  }
}
