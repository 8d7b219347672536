import { findIsolation, findLimits, type Isolation } from '@bae/project';
import { findRipgrep } from '@bae/workspace';
import { chooseModelFor } from '../choose-model.ts';
import { printResult, type CommandContext } from '../command-line/command.ts';
import { readCommands } from '../config/bae-config.ts';
import { isWritable } from '../config/disk.ts';
import { loadSettings, type Settings } from '../config/settings.ts';
import { wrapWords } from '../terminal/live-area.ts';
import { createPainter, makeLineVisible } from '../terminal/terminal-text.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** Finding, or problem with its solution. */
  readonly text: string;
  readonly essential: boolean;
}

const NODE = 24;
/** Number of columns for the mark before each check. */
const MARK = 2;

/** Runs `bae doctor`, which prints one line per requirement and fails if something essential is missing. */
export async function runDoctor(context: CommandContext): Promise<number> {
  const settings = await loadSettings(context).catch((error: Error) => error);
  const checks = [checkNode(process.versions.node), checkConfigFiles(settings)];
  if (!(settings instanceof Error))
    checks.push(
      checkFolder(settings.root),
      await checkModel(settings, context),
      await checkRipgrep(),
      await checkEnding(),
      await checkLimits(settings),
      ...listPackageChecks(settings),
    );
  const { out } = context.terminal;
  const paint = createPainter(out);
  const width = out.isTerminal ? out.columns() - 1 - MARK : Infinity;
  const render = ({ name, ok, text }: Check): string =>
    wrapWords(`${name}: ${makeLineVisible(text)}`, width)
      .map((line, row) => (row > 0 ? ' '.repeat(MARK) : `${ok ? paint('code', '✓') : paint('error', '✗')} `) + line)
      .join('\n');
  printResult(context, checks, () => checks.map(render));
  return checks.every(({ ok, essential }) => ok || !essential) ? 0 : 1;
}

function checkNode(version: string): Check {
  const ok = Number.parseInt(version, 10) >= NODE;
  const text = ok ? version : `${version}, but bae needs ${NODE}. Install Node ${NODE}.`;
  return { name: 'Node', ok, text, essential: true };
}

function checkConfigFiles(settings: Settings | Error): Check {
  const name = 'config';
  if (settings instanceof Error)
    return { name, ok: false, text: `${settings.message} Mend or remove it.`, essential: true };
  const text = settings.configFile ?? 'none; optional. A bae.config.json may name a model and a cap.';
  return { name, ok: true, text: [text, ...settings.notices].join(' '), essential: true };
}

function checkFolder(root: string): Check {
  const ok = isWritable(root);
  const remedy = 'Make it writable: chmod u+w, or use another folder: --cwd DIR';
  return { name: 'folder', ok, text: ok ? root : `${root} cannot be written to. ${remedy}`, essential: true };
}

/** Says of each package where its code runs, once for each way in which it is mounted. */
function listPackageChecks({ packages = [] }: Settings): readonly Check[] {
  const texts = packages.map(({ name, process: { isOwn, reason } }) => {
    const place = isOwn ? 'in a process of its own' : 'in the process of bae';
    return `${name} runs ${place}: ${reason}`;
  });
  return [...new Set(texts)].map((text) => ({ name: 'package', ok: true, text, essential: false }));
}

async function checkModel(settings: Settings, context: CommandContext): Promise<Check> {
  // A model is optional unless one was named.
  try {
    const { model, reason } = await chooseModelFor(settings, context);
    return { name: 'model', ok: model !== undefined, text: reason, essential: false };
  } catch (error) {
    return { name: 'model', ok: false, text: (error as Error).message, essential: true };
  }
}

async function checkRipgrep(): Promise<Check> {
  const path = await findRipgrep();
  const text = path ?? 'not installed; searches take longer. Install it: npx --yes pnpm@12.21.0 install';
  return { name: 'ripgrep', ok: path !== undefined, text, essential: false };
}

/** What ends together with a command, by the kind of isolation. */
const ENDINGS: Readonly<Record<Isolation['type'], string>> = {
  namespace: 'end together with everything they started (process namespaces)',
  group:
    'end with their process group; a daemon with a session of its own stays. On Linux, unshare and user namespaces would end it too.',
  tree: 'end with all processes below them; what a command leaves behind when it ends by itself stays.',
};

/** Checks whether the processes started by a command end with it. */
async function checkEnding(): Promise<Check> {
  const { type } = await findIsolation();
  return { name: 'commands', ok: type === 'namespace', text: ENDINGS[type], essential: false };
}

/** Says what the commands, scripts and tests of a model can write and reach here. */
async function checkLimits({ commands }: Pick<Settings, 'commands'>): Promise<Check> {
  const name = 'limits';
  const { limits = true, network = false, writable = [] } = readCommands(commands);
  const escapes = 'commands may write whatever you may, and use the network';
  if (!limits) return { name, ok: true, text: `off by commands.limits: ${escapes}`, essential: false };
  const support = await findLimits();
  if ('reason' in support) {
    return { name, ok: false, text: `none, since ${support.reason}: ${escapes}.`, essential: false };
  }
  const places = [
    'the workspace without protected files',
    'a /tmp of the session',
    'a home folder of the session',
    ...writable,
  ];
  const reach = network
    ? 'use the network, by commands.network'
    : 'have no network unless network=true is given and allowed';
  const text = `commands write only ${places.slice(0, -1).join(', ')} and ${places.at(-1)}, and ${reach}. With the network they reach the services of this machine.`;
  return { name, ok: true, text, essential: false };
}
