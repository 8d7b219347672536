import type { AgentEvent, Model } from '@bae/core';
import { approverFor, type AskPerson } from '../approval/approver-for.ts';
import { askAtTerminal } from '../approval/ask-at-terminal.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { chooseModelFor } from '../choose-model-for.ts';
import { composeAgent } from '../compose.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { keepSession } from '../sessions/keep-session.ts';
import { visibleLine } from '../terminal/make-visible.ts';
import { painterFor } from '../terminal/paint.ts';
import { LineReader } from '../terminal/line-reader.ts';
import { readAll } from '../terminal/read-all.ts';
import type { CommandContext } from './command.ts';
import { makeView } from './make-view.ts';
import { observed } from './observed.ts';
import { printNotices } from './print-notices.ts';
import { requireModel } from './require-model.ts';

/** `bae ask`: one turn. The answer goes to standard output, everything else beside it. */
export async function runAsk(context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  const prompt = await promptOf(context);
  const settings = await loadSettings(options, terminal.cwd, terminal.env);
  printNotices(settings, terminal);
  const { model, reason } = requireModel(await chooseModelFor(settings, terminal.env));
  terminal.err.write(`${painterFor(terminal.err)('debug', `model: ${visibleLine(reason)}`)}\n`);
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
  const ask = terminal.interactive ? { ask: askInBetween(context, stop) } : {};
  const approver = approverFor({ ...settings, yes: options.yes, ...ask });
  const kept = await keepSession(settings, context);
  const agent = composeAgent(settings, {
    model: observed(model, { options, terminal }),
    approver,
    kept: kept.parts,
    ...(!options.json && { terminal }),
  });
  const view = makeView({ options, terminal, tree: agent.tree });
  let outcome: string | undefined;
  agent.subscribe((event: AgentEvent) => {
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

async function promptOf({ positionals, terminal, signal }: CommandContext): Promise<string> {
  const isGiven = positionals.length > 0 && positionals.join() !== '-';
  const wantsInput = positionals.join() === '-' || (!isGiven && !terminal.inputIsTerminal);
  const prompt = isGiven ? positionals.join(' ') : wantsInput ? await readAll(terminal.input, signal) : '';
  if (prompt.trim() === '')
    throw new UsageError('bae ask needs a question: bae ask "Where is the port set?"', { command: 'ask' });
  return prompt;
}
