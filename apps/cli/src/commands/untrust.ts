import { resolve, sep } from 'node:path';
import { packageName, realPath, TrustStore, type TrustEntry } from '@bae/plugins';
import { UsageError } from '../arguments/usage-error.ts';
import { workingFolder } from '../config/settings.ts';
import { entryLine } from '../trust/trust-texts.ts';
import type { CommandContext } from './command.ts';

/** `bae untrust`: forgets what was decided about one thing, or about everything in the folder. */
export function runUntrust({ positionals, options, terminal }: CommandContext): Promise<number> {
  const [named, ...more] = positionals;
  if (more.length > 0)
    throw new UsageError(`bae untrust takes one file, folder or package; got ${positionals.length}.`, {
      command: 'untrust',
    });
  const root = realPath(workingFolder(options, terminal.cwd))!;
  const forgotten = TrustStore.ofUser(terminal.env).forget((entry) => isMeant(entry, root, named));
  const lines = forgotten.map((entry) => entryLine(entry, 'forgotten'));
  terminal.out.write(lines.length === 0 ? '(nothing was decided about that)\n' : `${lines.join('\n')}\n`);
  return Promise.resolve(forgotten.length === 0 && named !== undefined ? 1 : 0);
}

function isMeant({ path, name }: TrustEntry, root: string, named: string | undefined): boolean {
  const isHere = path === root || path.startsWith(`${root}${sep}`);
  if (named === undefined) return isHere;
  return path === resolve(root, named) || name === named || name === packageName(named);
}
