import { asModelText, createAgent, type Agent } from '@bae/core';
import type { ModelChoice } from '@bae/models';
import { provideWorkspace } from '@bae/workspace';
import { chooseModelFor } from '../choose-model.ts';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { createLazySandbox } from '../compose.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { createApprover } from '../consent/approver.ts';
import { findDevPackage, type DevPackage } from '../dev/dev-package.ts';
import { renderLoaded, renderDevOpening } from '../dev/dev-texts.ts';
import { LivePackage, type Loaded } from '../dev/live-package.ts';
import { watch } from '../dev/code-changes.ts';
import { openShellIo, type ShellIo } from '../shell/shell-io.ts';
import { Shell } from '../shell/shell.ts';
import { createPainter } from '../terminal/terminal-text.ts';
import { observeModel } from '../views/create-view.ts';

/** `bae dev`: a shell inside the spaces of one package, which is loaded anew whenever its code changes. */
export async function runDev(context: CommandContext): Promise<number> {
  const { positionals, options, terminal } = context;
  const [named = '.', ...more] = positionals;
  if (more.length > 0 || options.json)
    throw new UsageError(`bae dev takes one folder${options.json ? ', and no --json' : ''}: bae dev ./my-space.`);
  const settings = await loadSettings(context);
  const found = await findDevPackage(named, settings.root);
  const choice = await chooseModelFor(settings, terminal.env);
  const io = openShellIo(context);
  const live = new LivePackage(found, [provideWorkspace(settings.root, { journal: 'disk' })]);
  try {
    await develop({ context, settings, found, choice, io, live });
    return 0;
  } finally {
    io.source.close();
    await live.close();
    await choice.model?.dispose?.();
  }
}

interface Development {
  readonly context: CommandContext;
  readonly settings: Settings;
  readonly found: DevPackage;
  readonly choice: ModelChoice;
  readonly io: ShellIo;
  readonly live: LivePackage;
}

async function develop(parts: Development): Promise<void> {
  const { context, found, choice, io, live } = parts;
  const { terminal, signal } = context;
  const paint = createPainter(terminal.out);
  const report = (loaded: Loaded): void => {
    const line = renderLoaded(loaded, found.name, paint);
    if (line !== undefined) io.print(line);
  };
  // From here on, so that nothing that is saved while the package is built for the first time is missed.
  const stop = watch(found.stamp, async () => report(await live.reload(signal)));
  const agent = openAgent(parts);
  try {
    const loaded = await live.reload(signal);
    terminal.out.write(`${renderDevOpening(found, choice, paint)}\n`);
    const shell = new Shell({ context, agent, choice, source: io.source });
    io.connect(shell);
    const [only, ...others] = loaded.type === 'loaded' ? loaded.spaces : [];
    if (only === undefined || others.length > 0) report(loaded);
    else await agent.run(asModelText(`@${only.name}()`), { signal });
    await shell.run();
  } finally {
    stop();
  }
}

function openAgent({ context, settings, choice, io, live }: Development): Agent {
  return createAgent({
    home: live.home,
    approver: createApprover({ ...settings, yes: context.options.yes, ask: io.ask }),
    codeRunner: createLazySandbox(),
    ...(choice.model !== undefined && { model: observeModel(choice.model, context) }),
    ...(settings.cap !== undefined && { cap: settings.cap }),
  });
}
