import { relative } from 'node:path';
import { ConfigurationError } from '@bae/core';
import { findPlugin, PluginError, writeManifest, type PluginManifest, type SpaceManifest } from '@bae/plugins';
import { provideDataFolder, provideWorkspace, formatQuantity } from '@bae/workspace';
import { printResult, type CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { getPathKind, makeTemporaryFolder } from '../config/disk.ts';

/** Runs `bae manifest`, which runs the code of a package and writes a manifest that describes its spaces. */
export async function runManifest(context: CommandContext): Promise<number> {
  const { positionals, root } = context;
  const [named = '.', ...more] = positionals;
  if (more.length > 0) throw new UsageError(`bae manifest takes one package or folder; got ${positionals.length}.`);
  const found = await findPlugin(getPathKind(`${root}/${named}`) === 'folder' ? `./${named}` : named, root);
  if ('problem' in found) throw new ConfigurationError(found.problem, ['bae manifest ./FOLDER']);
  const data = makeTemporaryFolder();
  const provide = [provideWorkspace(found.folder), provideDataFolder(data.path)];
  const { manifest, file, changed } = await writeManifest(found.folder, provide)
    .catch((error: unknown) => {
      throw error instanceof PluginError && error.hints.length === 0 ? hintAt(error, named) : error;
    })
    .finally(data.remove);
  const line = `${relative(root, file)} ${changed ? 'written' : 'is as it was'}: ${summarize(manifest)}`;
  printResult(context, { file, changed, manifest }, () => [line]);
  return 0;
}

/** Names the command that is of use once the package is corrected as the message says. */
function hintAt(error: PluginError, named: string): PluginError {
  return new PluginError(error.message, [`correct it, then: bae manifest${named === '.' ? '' : ` ${named}`}`], error);
}

function summarize({ spaces, hooks = [] }: PluginManifest): string {
  const all = spaces.flatMap(flattenSpaces);
  const tools = all.reduce((sum, space) => sum + space.tools.length, 0);
  const more = hooks.length === 0 ? '' : `, ${formatQuantity(hooks.length, 'hook')} ${quoteNames(hooks)}`;
  return `${formatQuantity(all.length, 'space')} ${quoteNames(spaces)}, ${formatQuantity(tools, 'tool')}${more}`;
}

function quoteNames(list: readonly { readonly name: string }[]): string {
  return `(${list.map(({ name }) => name).join(', ')})`;
}

function flattenSpaces(space: SpaceManifest): readonly SpaceManifest[] {
  return [space, ...space.children.flatMap(flattenSpaces)];
}
