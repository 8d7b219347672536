import { ConfigurationError, findNearestName, type Agent } from '@bae/core';
import { countUnits, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import { printResult, type CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { composeAgent } from '../compose.ts';
import { openSettings } from '../config/settings.ts';
import { listSpaces, outlineSpaces, type SpaceOutline } from '../space-outline.ts';
import { createPainter, makeVisible, makeLineVisible, type Painter } from '../terminal/terminal-text.ts';

/** Runs `bae spaces`, which prints the tree of spaces with their tools. */
export async function runSpaces(context: CommandContext): Promise<number> {
  const { positionals, terminal } = context;
  if (positionals.length > 0)
    throw new UsageError(`bae spaces takes no arguments; to see one space: bae inspect ${positionals[0]}`);
  const agent = composeAgent(await openSettings(context), context);
  const outline = outlineSpaces(agent.tree);
  await agent.close();
  printResult(context, outline, () => renderOutline(outline, createPainter(terminal.out)));
  return 0;
}

function renderOutline(outline: SpaceOutline, paint: Painter, depth = 0): readonly string[] {
  const { path, description, tools, children } = outline;
  const indent = '  '.repeat(depth);
  const name = depth === 0 ? path : `${path}()`;
  const about = description === '' ? '' : ` -- ${makeLineVisible(description)}`;
  return [
    `${indent}${paint('strong', makeLineVisible(name))}${about}`,
    ...(tools.length === 0 ? [] : [`${indent}  ${paint('quiet', tools.join(', '))}`]),
    ...children.flatMap((child) => renderOutline(child, paint, depth + 1)),
  ];
}

/** Runs `bae inspect`, which shows the text that the model sees on entering a space, and its length in tokens. */
export async function runInspect(context: CommandContext): Promise<number> {
  const { positionals, terminal } = context;
  const [name = 'home', ...more] = positionals;
  if (more.length > 0) throw new UsageError(`bae inspect takes one space; got ${positionals.length}.`);
  const agent = composeAgent(await openSettings(context), context);
  try {
    const space = findPath(agent, name);
    const text = await agent.describe(space === 'home' ? [] : space.split('.'));
    const size = { units: countUnits(text), tokens: Math.ceil(countUnits(text) / UNITS_PER_TOKEN) };
    const cost = createPainter(terminal.out)('quiet', `${size.tokens} tokens (${size.units} units)`);
    printResult(context, { space, text, ...size }, () => [makeVisible(text), '', cost]);
    return 0;
  } finally {
    await agent.close();
  }
}

function findPath(agent: Agent, name: string): string {
  const wanted = name.replaceAll(/^@?(?:home\.)?|\(\)$/g, '');
  if (wanted === agent.tree.home.name) return 'home';
  const paths = listSpaces(outlineSpaces(agent.tree)).map(({ path }) => path);
  if (paths.includes(wanted)) return wanted;
  const meant = findNearestName(wanted, paths) ?? paths.find((path) => path.endsWith(`.${wanted}`));
  const hint = meant === undefined ? `There are ${paths.slice(0, 12).join(', ')}.` : `Did you mean ${meant}?`;
  throw new ConfigurationError(`no space '${name}'. ${hint}`, [`bae inspect ${meant ?? 'home'}`]);
}
