import { relative } from 'node:path';
import { ConfigurationError } from '@bae/core';
import { findPlugin, writeManifest, type SpaceManifest } from '@bae/plugins';
import { provideWorkspace } from '@bae/workspace';
import { UsageError } from '../arguments/usage-error.ts';
import { kindOfPath } from '../config/disk.ts';
import { workingFolder } from '../config/settings.ts';
import type { CommandContext } from './command.ts';

/** `bae manifest`: writes down what a package has, so that nobody has to run it to know. This one runs it. */
export async function runManifest({ positionals, options, terminal }: CommandContext): Promise<number> {
  const [named = '.', ...more] = positionals;
  if (more.length > 0)
    throw new UsageError(`bae manifest takes one package or folder; got ${positionals.length}.`, {
      command: 'manifest',
    });
  const root = workingFolder(options, terminal.cwd);
  const found = await findPlugin(kindOfPath(`${root}/${named}`) === 'folder' ? `./${named}` : named, root);
  if ('problem' in found) throw new ConfigurationError(found.problem, ['bae manifest ./FOLDER']);
  const { manifest, file, changed } = await writeManifest(found.folder, [provideWorkspace(found.folder)]);
  if (options.json) terminal.out.write(`${JSON.stringify({ file, changed, manifest })}\n`);
  else
    terminal.out.write(
      `${relative(root, file)} ${changed ? 'written' : 'is as it was'}: ${summary(manifest.spaces)}\n`,
    );
  return 0;
}

function summary(spaces: readonly SpaceManifest[]): string {
  const all = spaces.flatMap(withChildren);
  const tools = all.reduce((sum, space) => sum + space.tools.length, 0);
  return `${counted(all.length, 'space')} (${spaces.map(({ name }) => name).join(', ')}), ${counted(tools, 'tool')}`;
}

function withChildren(space: SpaceManifest): readonly SpaceManifest[] {
  return [space, ...space.children.flatMap(withChildren)];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
