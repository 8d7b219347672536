import type { Model } from '@bae/core';
import { chooseModelFor, requireModel } from '../choose-model.ts';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { composeAgent } from '../compose.ts';
import { openSettings, type Settings } from '../config/settings.ts';
import { createApprover, type AskPerson } from '../consent/approver.ts';
import { askAtTerminal } from '../consent/ask-approval.ts';
import { keepSession } from '../kept-session.ts';
import { LineReader } from '../terminal/line-reader.ts';
import { readAll } from '../terminal/piped-input.ts';
import { createPainter, makeLineVisible } from '../terminal/terminal-text.ts';
import { createView, observeModel } from '../views/create-view.ts';

/** `bae ask`: one turn. The answer goes to standard output, everything else beside it. */
export async function runAsk(context: CommandContext): Promise<number> {
  const { terminal } = context;
  const prompt = await readPrompt(context);
  const settings = await openSettings(context);
  const choice = await chooseModelFor(settings, terminal.env);
  const model = requireModel(choice);
  terminal.err.write(`${createPainter(terminal.err)('debug', `model: ${makeLineVisible(choice.reason)}`)}\n`);
  try {
    return await takeTurn(prompt, { context, settings, model });
  } finally {
    await model.dispose?.();
  }
}

interface Turn {
  readonly context: CommandContext;
  readonly settings: Settings;
  readonly model: Model;
}

async function takeTurn(prompt: string, { context, settings, model }: Turn): Promise<number> {
  const { options, terminal } = context;
  const stop = new AbortController();
  const ask = terminal.interactive ? askInBetween(context, stop) : undefined;
  const kept = await keepSession(settings, context);
  const agent = composeAgent(settings, {
    model: observeModel(model, { options, terminal }),
    approver: createApprover({ ...settings, yes: options.yes, ask }),
    kept: kept.parts,
    ...(!options.json && { terminal }),
  });
  const view = createView({ options, terminal, tree: agent.tree });
  let outcome: string | undefined;
  agent.subscribe((event) => {
    view.handle(event);
    if (event.type === 'turn-end') ({ outcome } = event);
  });
  try {
    await agent.ask(prompt, { signal: AbortSignal.any([context.signal, stop.signal]) });
    return outcome === 'answered' ? 0 : 1;
  } catch (error) {
    // Ctrl-C while a question is open arrives as a key, not as a signal.
    if (stop.signal.aborted) return 130;
    throw error;
  } finally {
    await agent.close();
    kept.close();
  }
}

/** Opens the keyboard only while a question is asked, so that Ctrl-C works as ever in between. */
function askInBetween({ terminal }: CommandContext, stop: AbortController): AskPerson {
  return async (request, signal) => {
    const reader = new LineReader(terminal);
    reader.onInterrupt = () => stop.abort();
    try {
      return await askAtTerminal({ terminal, reader, onInterrupt: () => stop.abort() })(request, signal);
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
