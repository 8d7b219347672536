import { asModelText, createAgent, type Agent } from '@bae/core';
import type { ModelChoice } from '@bae/models';
import { provideWorkspace } from '@bae/workspace';
import { approverFor, type AskPerson } from '../approval/approver-for.ts';
import { askAtTerminal } from '../approval/ask-at-terminal.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { chooseModelFor } from '../choose-model-for.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { watch } from '../dev/code-changes.ts';
import { devPackage, type DevPackage } from '../dev/dev-package.ts';
import { LivePackage, type Loaded } from '../dev/live-package.ts';
import { loadedLine, openingOf } from '../dev/dev-texts.ts';
import { lazySandbox } from '../lazy-sandbox.ts';
import { openShell, runToEnd } from '../shell/open-shell.ts';
import { LineReader } from '../terminal/line-reader.ts';
import type { LineSource } from '../terminal/line-source.ts';
import { painterFor } from '../terminal/paint.ts';
import { PipedLines } from '../terminal/piped-lines.ts';
import type { CommandContext } from './command.ts';
import { observed } from './observed.ts';

/** Where lines come from, and how to say something meanwhile. */
interface Desk {
  readonly source: LineSource;
  readonly ask?: AskPerson;
  say(line: string): void;
  /** Hears how to cancel what is running. */
  onShell(cancel: () => boolean): void;
}

/** `bae dev`: a shell inside the spaces of one package, which is loaded anew whenever its code changes. */
export async function runDev(context: CommandContext): Promise<number> {
  const { positionals, options, terminal } = context;
  const [named = '.', ...more] = positionals;
  if (more.length > 0 || options.json)
    throw new UsageError(`bae dev takes one folder${options.json ? ', and no --json' : ''}: bae dev ./my-space.`, {
      command: 'dev',
    });
  const settings = await loadSettings(options, terminal.cwd, terminal.env);
  const found = await devPackage(named, settings.root);
  const choice = await chooseModelFor(settings, terminal.env);
  const desk = terminal.interactive ? keyboard(context) : pipe(context);
  const live = new LivePackage(found, [provideWorkspace(settings.root, { journal: 'disk' })]);
  try {
    await develop({ context, settings, found, choice, desk, live });
    return 0;
  } finally {
    desk.source.close();
    await live.close();
    await choice.model?.dispose?.();
  }
}

interface Development {
  readonly context: CommandContext;
  readonly settings: Settings;
  readonly found: DevPackage;
  readonly choice: ModelChoice;
  readonly desk: Desk;
  readonly live: LivePackage;
}

async function develop(parts: Development): Promise<void> {
  const { context, found, choice, desk, live } = parts;
  const { terminal, signal } = context;
  const paint = painterFor(terminal.out);
  const tell = (loaded: Loaded): void => {
    const line = loadedLine(loaded, found.name, paint);
    if (line !== undefined) desk.say(line);
  };
  // From here on, so that nothing that is saved while the package is built for the first time is missed.
  const stop = watch(found.stamp, async () => tell(await live.reload(signal)));
  const agent = agentFor(parts);
  try {
    const loaded = await live.reload(signal);
    terminal.out.write(`${openingOf(found, choice, paint)}\n`);
    const shell = openShell({ context, agent, choice, source: desk.source });
    desk.onShell(() => shell.cancel());
    const [only, ...others] = loaded.type === 'loaded' ? loaded.spaces : [];
    if (only === undefined || others.length > 0) tell(loaded);
    else await agent.run(asModelText(`@${only.name}()`), { signal });
    await runToEnd(shell, desk.source, agent);
  } finally {
    stop();
  }
}

function agentFor({ context, settings, choice, desk, live }: Development): Agent {
  const { ask } = desk;
  return createAgent({
    home: live.home,
    approver: approverFor({ ...settings, yes: context.options.yes, ...(ask !== undefined && { ask }) }),
    codeRunner: lazySandbox(),
    ...(choice.model !== undefined && { model: observed(choice.model, context) }),
    ...(settings.cap !== undefined && { cap: settings.cap }),
  });
}

function keyboard({ terminal }: CommandContext): Desk {
  const reader = new LineReader(terminal);
  return {
    source: reader,
    ask: askAtTerminal({ terminal, reader, onInterrupt: () => reader.onInterrupt() }),
    say: (line) => reader.above(line),
    onShell(cancel) {
      reader.onInterrupt = () => {
        if (!cancel()) process.kill(process.pid, 'SIGINT');
      };
    },
  };
}

function pipe({ terminal }: CommandContext): Desk {
  const say = (line: string): void => terminal.out.write(`${line}\n`);
  return { source: new PipedLines(terminal.input), say, onShell: () => undefined };
}
