import type { CommandContext } from '../command-line/command.ts';
import type { FoundServer } from '../config/load-servers.ts';
import { askOnce } from '../consent/ask-approval.ts';
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
export async function renewTools(
  { name, getOptions }: UsedServer,
  { options, terminal, signal }: CommandContext,
): Promise<number> {
  const { out, err } = terminal;
  const { offerTools } = await import('@bae/mcp');
  const { change, allow } = await offerTools({ ...getOptions(), signal });
  if (change === undefined) {
    out.write(`${makeLineVisible(name)}: trusted already, as it is\n`);
    return 0;
  }
  const lines = change.map(({ kind, tool }) => `  ${kind}: ${tool.name}${appendDescription(tool.description)}`);
  const shown = lines.length === 0 ? ['  what differs is not known'] : lines;
  out.write(`${[`${name}: its tools are not those that you allowed.`, ...shown].map(makeLineVisible).join('\n')}\n`);
  const choices = [
    ['yes', 'yes, all of its tools', true],
    ['no', 'no', false],
  ] as const;
  if (!options.yes && !terminal.interactive) {
    err.write(`bae: not trusted: no one is available to confirm it.\nTry: bae trust ${makeLineVisible(name)} --yes\n`);
    return 1;
  }
  if (!options.yes && (await askOnce({ verb: 'trust', choices }, terminal, signal)) !== true) return 1;
  allow();
  out.write(`trusted: ${makeLineVisible(name)}\n`);
  return 0;
}

function appendDescription(description = ''): string {
  const text = description.replaceAll(/\s+/g, ' ').trim();
  if (text === '') return '';
  return text.length > LONGEST_TEXT ? ` -- ${text.slice(0, LONGEST_TEXT)}…` : ` -- ${text}`;
}
