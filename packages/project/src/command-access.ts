import type { Provision } from '@bae/core';

/** Token for the access to commands: `@inject(COMMANDS, { isOptional: true }) commands?: CommandAccess`. */
export const COMMANDS = Symbol.for('bae.commands');

/** Whether commands can be run in a session, as its app decides. */
export interface CommandAccess {
  /** True if there is a place `terminal()` that runs commands. */
  readonly isOpen: boolean;
  /** How a person opens it, as a clause: `the user can start bae with --allow-commands`. */
  readonly remedy: string;
}

/** Tells the spaces of an agent whether commands can be run. */
export function provideCommandAccess(access: CommandAccess): Provision {
  return { token: COMMANDS, value: access };
}

/** How a command can be run: a sentence, if it cannot be run at once, and otherwise the tag that runs it. */
export interface CommandAdvice {
  readonly text: string;
  readonly hints: readonly string[];
}

/** Advises how to run a command; without a known access, nothing is advised. */
export function adviseCommand(access: CommandAccess | undefined, command: string): CommandAdvice {
  if (access === undefined) return { text: '', hints: [] };
  if (access.isOpen) return { text: '', hints: [`<terminal.exec:${command}>`] };
  return { text: `${describeClosedCommands(access)} Then \`${command}\` can be run.`, hints: [] };
}

/** Says in one sentence that commands are off, and how a person opens them. */
export function describeClosedCommands({ remedy }: CommandAccess): string {
  return `Commands are off: ${remedy}.`;
}
