import { join } from 'node:path';
import { createAgent, type SpaceDefinition } from '@bae/core';
import type { ModelChoice } from '@bae/models';
import { provideDataFolder, provideWorkspace } from '@bae/workspace';
import { chooseModelFor } from '../choose-model.ts';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { createLazySandbox, listLimits, listOwnFiles } from '../compose.ts';
import { locatePluginData } from '../config/load-config.ts';
import { loadSettings } from '../config/settings.ts';
import { createApprover } from '../consent/approver.ts';
import { watch, findDevPackage, type DevPackage } from '../dev/dev-package.ts';
import { openLivePackage, type Loaded } from '../dev/live-package.ts';
import { openShellIo } from '../shell/shell-io.ts';
import { runShellLoop } from '../shell/shell.ts';
import { createPainter, makeLineVisible, makeVisible, type Painter } from '../terminal/terminal-text.ts';
import { getFolderKey } from '../user-key.ts';
import { observeModel } from '../views/create-view.ts';

/** Runs `bae dev`, a shell inside the spaces of one package, which is reloaded whenever its code changes. */
export async function runDev(context: CommandContext): Promise<number> {
  const { positionals, options, terminal, signal } = context;
  const [named = '.', ...more] = positionals;
  if (more.length > 0 || options.json)
    throw new UsageError(`bae dev takes one folder${options.json ? ', and no --json' : ''}: bae dev ./my-space.`);
  const settings = await loadSettings(context);
  const found = await findDevPackage(named, settings.root);
  const choice = await chooseModelFor(settings, context);
  const io = openShellIo(context);
  const provide = [
    provideWorkspace(settings.root, {
      journal: 'disk',
      journalKey: () => getFolderKey(terminal.env, settings.root),
      ownFiles: listOwnFiles(settings, context),
    }),
    provideDataFolder(join(locatePluginData(settings.root, terminal.env), found.name)),
  ];
  const live = openLivePackage(found, provide, settings.hooks);
  const paint = createPainter(terminal.out);
  const report = (loaded: Loaded): void => {
    const line = renderLoaded(loaded, found.name, paint);
    if (line !== undefined) io.print(line);
  };
  // Starts before the first build, so that no file saved during the build is missed.
  const stop = watch(found.stamp, async () => report(await live.reload(signal)));
  try {
    const agent = createAgent({
      home: live.home,
      hooks: live.hooks,
      approver: createApprover({ ...settings, yes: options.yes, ask: io.ask }),
      codeRunner: createLazySandbox(),
      model: choice.model && observeModel(choice.model, context),
      ...listLimits(settings),
    });
    live.follow(agent);
    const loaded = await live.reload(signal);
    terminal.out.write(`${renderDevOpening(found, choice, paint)}\n`);
    const [only, ...others] = loaded.type === 'loaded' ? loaded.spaces : [];
    const first = only === undefined || others.length > 0 ? undefined : `@${only.name}()`;
    if (first === undefined) report(loaded);
    await runShellLoop({ context, agent, choice, io, first });
    return 0;
  } finally {
    stop();
    io.source.close();
    await live.close();
    await choice.model?.dispose?.();
  }
}

/** Renders the first line, which names the open package and says that it is reloaded. */
export function renderDevOpening({ name, folder }: DevPackage, { model, reason }: ModelChoice, paint: Painter): string {
  const who = model === undefined ? 'no model' : `model: ${reason}`;
  return `${paint('strong', 'bae dev')} ${makeLineVisible(name)} · reloads when ${makeLineVisible(folder)} changes · ${makeLineVisible(who)}`;
}

/** Renders the outcome of a reload; undefined if nothing changed. */
export function renderLoaded(loaded: Loaded, name: string, paint: Painter): string | undefined {
  if (loaded.type === 'failed')
    return paint('error', `not loaded, what was there before stays: ${makeVisible(loaded.reason)}`);
  if (loaded.type === 'same') return undefined;
  const hooks = loaded.hooks.map((hook) => `hook ${makeLineVisible(hook)}`);
  const parts = [...loaded.spaces.map(describeLoadedSpace), ...hooks];
  return paint('hint', `loaded ${makeLineVisible(name)}: ${parts.join('; ')}`);
}

function describeLoadedSpace({ name, tools }: SpaceDefinition): string {
  const names = Object.keys(tools);
  return makeLineVisible(names.length === 0 ? name : `${name} (${names.join(', ')})`);
}
