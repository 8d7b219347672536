import { approverFor } from '../approval/approver-for.ts';
import { UsageError } from '../arguments/usage-error.ts';
import { composeAgent } from '../compose.ts';
import { loadSettings } from '../config/settings.ts';
import { spaceOutline, type SpaceOutline } from '../space-outline.ts';
import { visibleLine } from '../terminal/make-visible.ts';
import { painterFor, type Painter } from '../terminal/paint.ts';
import type { CommandContext } from './command.ts';
import { printNotices } from './print-notices.ts';

/** `bae spaces`: the tree of spaces with their tools. */
export async function runSpaces({ positionals, options, terminal }: CommandContext): Promise<number> {
  if (positionals.length > 0) {
    throw new UsageError(`bae spaces takes no arguments; to see one space: bae inspect ${positionals[0]}`, {
      command: 'spaces',
    });
  }
  const settings = await loadSettings(options, terminal.cwd, terminal.env);
  printNotices(settings, terminal);
  const agent = composeAgent(settings, { approver: approverFor({ yes: false }) });
  const outline = spaceOutline(agent.tree);
  await agent.close();
  const lines = options.json ? [JSON.stringify(outline)] : treeLines(outline, painterFor(terminal.out));
  terminal.out.write(`${lines.join('\n')}\n`);
  return 0;
}

function treeLines(outline: SpaceOutline, paint: Painter, depth = 0): readonly string[] {
  const { path, description, tools, children } = outline;
  const indent = '  '.repeat(depth);
  const name = depth === 0 ? path : `${path}()`;
  const about = description === '' ? '' : ` -- ${visibleLine(description)}`;
  return [
    `${indent}${paint('strong', visibleLine(name))}${about}`,
    ...(tools.length === 0 ? [] : [`${indent}  ${paint('quiet', tools.join(', '))}`]),
    ...children.flatMap((child) => treeLines(child, paint, depth + 1)),
  ];
}
