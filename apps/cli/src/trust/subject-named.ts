import { resolve } from 'node:path';
import { ConfigurationError } from '@bae/core';
import {
  codeDigest,
  configurationSubject,
  findPlugin,
  folderDigest,
  pluginSubject,
  readPlugin,
  type TrustEntry,
  type TrustSubject,
} from '@bae/plugins';
import type { CommandContext } from '../commands/command.ts';
import { kindOfPath } from '../config/disk.ts';
import { workingFolder } from '../config/settings.ts';

/**
 * What a person means by a file of settings, the folder of a package, or the name of one.
 *
 * @throws ConfigurationError when there is nothing of that name; PluginError when it is no package of resourcespaces
 */
export async function subjectNamed(
  named: string,
  { options, terminal }: Pick<CommandContext, 'options' | 'terminal'>,
): Promise<TrustSubject> {
  const root = workingFolder(options, terminal.cwd);
  const path = resolve(root, named);
  if (kindOfPath(path) === 'file') return configurationSubject(path, ['a file of settings']);
  const found = await findPlugin(kindOfPath(path) === 'folder' ? path : named, root);
  if ('problem' in found) throw new ConfigurationError(found.problem, ['bae trust']);
  return pluginSubject(readPlugin(found.folder));
}

/** The digest of something that was decided about, as it is now; undefined when it is not there any more. */
export function subjectNow({ kind, path }: TrustEntry): string | undefined {
  const there = kindOfPath(path);
  if (kind === 'plugin') return there === 'folder' ? folderDigest(path) : undefined;
  return there === 'file' ? codeDigest(path) : undefined;
}
