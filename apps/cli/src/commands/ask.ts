import { resolve } from 'node:path';
import { ConfigurationError } from '@bae/core';
import { createLedger } from '@bae/models';
import { z } from 'zod';
import { chooseModelFor, WAYS_TO_A_MODEL } from '../choose-model.ts';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError, readErrorText } from '../command-line/errors.ts';
import { composeAgent } from '../compose.ts';
import { readTextFile } from '../config/disk.ts';
import { loadInstructions } from '../config/instructions.ts';
import { openSettings } from '../config/settings.ts';
import type { AskPerson } from '../consent/approver.ts';
import { askAtTerminal } from '../consent/ask-approval.ts';
import { UserRules } from '../consent/user-rules.ts';
import { keepSession } from '../kept-session.ts';
import { openLineReader } from '../terminal/line-reader.ts';
import { readAll } from '../terminal/piped-input.ts';
import { createPainter, makeLineVisible } from '../terminal/terminal-text.ts';
import { createView } from '../views/create-view.ts';
import { renderUsageTable } from '../views/usage-table.ts';

/** Runs `bae ask`, which is one turn. The answer goes to standard output, everything else to standard error. */
export async function runAsk(context: CommandContext): Promise<number> {
  const { options, terminal, signal } = context;
  const schema = options.schema === undefined ? undefined : readAnswerSchema(resolve(terminal.cwd, options.schema));
  const prompt = await readPrompt(context);
  const settings = await openSettings(context);
  const { model, reason } = await chooseModelFor(settings, context);
  if (model === undefined) throw new ConfigurationError('there is no model to ask.', [WAYS_TO_A_MODEL]);
  terminal.err.write(`${createPainter(terminal.err)('debug', `model: ${makeLineVisible(reason)}`)}\n`);
  const stop = new AbortController();
  try {
    const kept = await keepSession(settings, context);
    const ask = terminal.interactive ? createAsk(context, stop) : undefined;
    const instructions = await loadInstructions(settings.root, context);
    const agent = composeAgent(settings, context, { model, ask, kept: kept.parts, instructions });
    const view = createView({ options, terminal, tree: agent.tree });
    const ledger = createLedger(settings.prices ?? model.prices);
    let outcome: string | undefined;
    agent.subscribe((event) => {
      ledger.add(event);
      if (event.type === 'turn-end') ({ outcome } = event);
      return view(event);
    });
    try {
      const both = AbortSignal.any([signal, stop.signal]);
      await (schema === undefined ? agent.ask(prompt, { signal: both }) : agent.ask(prompt, { signal: both, schema }));
      return outcome === 'answered' ? 0 : 1;
    } finally {
      if (options.usage) terminal.err.write(`${renderUsageTable(ledger)}\n`);
      await agent.close();
      kept.close();
    }
  } catch (error) {
    // While a question is open, Ctrl-C arrives as a key, not as a signal.
    if (stop.signal.aborted) return 130;
    throw error;
  } finally {
    await model.dispose?.();
  }
}

/** @throws UsageError for a file that is missing or is not a JSON Schema */
function readAnswerSchema(file: string): z.ZodType {
  try {
    return z.fromJSONSchema(JSON.parse(readTextFile(file)) as Parameters<typeof z.fromJSONSchema>[0]);
  } catch (error) {
    throw new UsageError(`--schema ${file}: expected a file with a JSON Schema (${readErrorText(error)}).`);
  }
}

/** Opens the keyboard only while a question is asked; otherwise Ctrl-C would not reach the process as a signal. */
function createAsk({ terminal, root }: CommandContext, stop: AbortController): AskPerson {
  return async (request, signal) => {
    const reader = openLineReader(terminal);
    terminal.status.printAboveWith(reader.printAbove);
    reader.onInterrupt = () => stop.abort();
    try {
      return await askAtTerminal({ terminal, reader, rules: new UserRules(terminal.env, root) })(request, signal);
    } finally {
      reader.close();
    }
  };
}

async function readPrompt({ positionals, terminal, signal }: CommandContext): Promise<string> {
  const isDash = positionals.join() === '-';
  const isPiped = isDash || (positionals.length === 0 && !terminal.inputIsTerminal);
  const prompt = isPiped ? await readAll(terminal.input, signal) : positionals.join(' ');
  if (prompt.trim() === '') throw new UsageError('bae ask needs a question: bae ask "Where is the port set?"');
  return prompt;
}
