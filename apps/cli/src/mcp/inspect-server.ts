import { ConfigurationError, findNearestName } from '@bae/core';
import { countUnits, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import { printResult, type CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { composeAgent } from '../compose.ts';
import { openSettings, type Settings } from '../config/settings.ts';
import { createPainter, makeLineVisible, makeVisible } from '../terminal/terminal-text.ts';
import { findFoundServer, type FoundServer } from '../config/load-servers.ts';
import { formatQuantity } from '@bae/workspace';

/** Text that a model sees at a place of a server, with its length in tokens. */
interface Screen {
  readonly place: string;
  readonly text: string;
  readonly tokens: number;
}

/**
 * Runs `bae mcp inspect SERVER`, which starts a server and shows the model's view of it, place by place. Compares its
 * tokens with those of a list of all tools in every request.
 */
export async function inspectServer(context: CommandContext, [name, ...more]: readonly string[]): Promise<number> {
  if (name === undefined || more.length > 0)
    throw new UsageError('bae mcp inspect takes one name: bae mcp inspect github');
  const settings = await openSettings(context);
  const { place, getOptions } = findUsedServer(name, settings, 'inspect');
  const agent = composeAgent(settings, context);
  try {
    const look = async (path: readonly string[]): Promise<Screen> => {
      const text = await agent.describe(path);
      return { place: path.join('.'), text, tokens: estimateCost(text) };
    };
    const entry = await look([place]);
    const problem = findServerProblem(entry.text);
    if (problem !== undefined) throw new ConfigurationError(problem, ['bae mcp doctor']);
    const below = await Promise.all(agent.tree.below([place]).map((child) => look([place, child.name])));
    const tools = getOptions().memory?.read()?.tools ?? [];
    const definitions = tools.map(({ name: tool, description, inputSchema }) => ({ tool, description, inputSchema }));
    const home = estimateCost(`${place}() -- ${agent.tree.at([place])?.description ?? ''}`);
    const flat = estimateCost(JSON.stringify(definitions));
    const costs = { tools: tools.length, home, flat, screens: [entry, ...below] };
    printResult(context, costs, () => renderCosts(name, costs, createPainter(context.terminal.out)));
    return 0;
  } finally {
    await agent.close();
  }
}

function renderCosts(
  name: string,
  {
    tools,
    home,
    flat,
    screens,
  }: { readonly tools: number; readonly home: number; readonly flat: number; readonly screens: readonly Screen[] },
  paint: ReturnType<typeof createPainter>,
): readonly string[] {
  return [
    ...screens.flatMap(({ text, tokens }) => [makeVisible(text), paint('quiet', `${tokens} tokens`), '']),
    `${makeLineVisible(name)}: ${formatQuantity(tools, 'tool')}. As a flat list they are ${flat} tokens of every request;`,
    `here they are ${home} at home, and ${screens.map(({ place, tokens }) => `${tokens} in ${place}`).join(', ')}, once each when it is entered.`,
  ];
}

function estimateCost(text: string): number {
  return Math.ceil(countUnits(text) / UNITS_PER_TOKEN);
}

/**
 * Returns why a server cannot be used, and what the user can type, as its place says when it is entered; undefined if it
 * can be used.
 */
export function findServerProblem(text: string): string | undefined {
  const [, problem, remedy] = /state unavailable: (?:\w+: )?(.*)(?:\nTry: ([^@<].*))?/.exec(text) ?? [];
  return problem === undefined || remedy === undefined ? problem : `${problem} Try: ${remedy}`;
}

/**
 * Finds a server that is used here.
 *
 * @param verb subcommand of `bae mcp` that needs it
 * @throws ConfigurationError with the command to run next for one that does not exist or is not trusted
 */
export function findUsedServer(
  name: string,
  { foundServers }: Pick<Settings, 'foundServers'>,
  verb: string,
): Required<Pick<FoundServer, 'place' | 'getOptions'>> {
  const found = findFoundServer(name, foundServers);
  const { place, getOptions } = found ?? {};
  if (place !== undefined && getOptions !== undefined) return { place, getOptions };
  if (found !== undefined) throw new ConfigurationError(`${name} is ${found.state}.`, ['bae trust']);
  const nearest = findNearestName(
    name,
    foundServers.map((one) => one.name),
  );
  throw new ConfigurationError(`there is no server ${name}.`, [
    nearest === undefined ? 'bae mcp' : `bae mcp ${verb} ${nearest}`,
  ]);
}
