import { ConfigurationError, nearestName, type Agent } from '@bae/core';
import { units, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import { approverFor } from '../approval/approver-for.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { composeAgent } from '../compose.ts';
import { loadSettings } from '../config/settings.ts';
import { everySpace, spaceOutline } from '../space-outline.ts';
import { makeVisible } from '../terminal/make-visible.ts';
import { painterFor } from '../terminal/paint.ts';
import type { CommandContext } from './command.ts';
import { printNotices } from './print-notices.ts';

/** `bae inspect`: what the model sees on entering a space, and how many tokens that takes. */
export async function runInspect({ positionals, options, terminal }: CommandContext): Promise<number> {
  const [name = 'home', ...more] = positionals;
  if (more.length > 0)
    throw new UsageError(`bae inspect takes one space; got ${positionals.length}.`, { command: 'inspect' });
  const settings = await loadSettings(options, terminal.cwd, terminal.env);
  printNotices(settings, terminal);
  const agent = composeAgent(settings, { approver: approverFor({ yes: false }) });
  try {
    const space = resolved(agent, name);
    const text = await agent.describe(space === 'home' ? [] : space.split('.'));
    const size = { units: units(text), tokens: Math.ceil(units(text) / UNITS_PER_TOKEN) };
    if (options.json) terminal.out.write(`${JSON.stringify({ space, text, ...size })}\n`);
    else
      terminal.out.write(
        `${makeVisible(text)}\n\n${painterFor(terminal.out)('quiet', `${size.tokens} tokens (${size.units} units)`)}\n`,
      );
    return 0;
  } finally {
    await agent.close();
  }
}

function resolved(agent: Agent, name: string): string {
  const wanted = name
    .replace(/^@/, '')
    .replace(/\(\)$/, '')
    .replace(/^home\./, '');
  if (wanted === agent.tree.home.name) return 'home';
  const paths = everySpace(spaceOutline(agent.tree)).map(({ path }) => path);
  if (paths.includes(wanted)) return wanted;
  const meant = nearestName(wanted, paths) ?? paths.find((path) => path.endsWith(`.${wanted}`));
  const hint = meant === undefined ? `There are ${paths.slice(0, 12).join(', ')}.` : `Did you mean ${meant}?`;
  throw new ConfigurationError(`no space '${name}'. ${hint}`, [`bae inspect ${meant ?? 'home'}`]);
}
