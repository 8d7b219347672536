import type { CommandContext } from '../command-line/command.ts';
import type { FoundServer } from '../config/load-servers.ts';
import { confirm } from '../consent/ask-approval.ts';
import { makeLineVisible } from '../terminal/terminal-text.ts';

/** A server that is trusted, and so can be started. */
export type UsedServer = Required<Pick<FoundServer, 'name' | 'getOptions'>>;

/** Longest description of a tool that is shown, in UTF-16 code units. */
const LONGEST_TEXT = 200;

/**
 * Shows how the tools of a used server differ from those that the user allowed, and allows them if a person confirms.
 *
 * @throws ServerError when the server does not answer
 */
export async function renewTools({ name, getOptions }: UsedServer, context: CommandContext): Promise<number> {
  const { signal } = context;
  const { out } = context.terminal;
  const { offerTools } = await import('@bae/mcp');
  const { change, allow } = await offerTools({ ...getOptions(), signal });
  if (change === undefined) {
    out.write(`${makeLineVisible(name)}: trusted already, as it is\n`);
    return 0;
  }
  const lines = change.map(({ kind, tool }) => `  ${kind}: ${tool.name}${appendDescription(tool.description)}`);
  const shown = lines.length === 0 ? ['  what differs is not known'] : lines;
  out.write(`${[`${name}: its tools are not those that you allowed.`, ...shown].map(makeLineVisible).join('\n')}\n`);
  const about = { refused: 'not trusted', command: `bae trust ${makeLineVisible(name)}` };
  if (!(await confirm({ verb: 'trust', yes: 'yes, all of its tools', ...about }, context))) return 1;
  allow();
  out.write(`trusted: ${makeLineVisible(name)}\n`);
  return 0;
}

function appendDescription(description = ''): string {
  const text = description.replaceAll(/\s+/g, ' ').trim();
  if (text === '') return '';
  return text.length > LONGEST_TEXT ? ` -- ${text.slice(0, LONGEST_TEXT)}…` : ` -- ${text}`;
}
