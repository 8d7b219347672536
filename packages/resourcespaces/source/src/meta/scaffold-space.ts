import { posix } from 'node:path';
import { ResourceError, type Change } from '@bae/core';
import { formatQuantity, formatPath } from '@bae/workspace';
import type { CodeBase } from '../modules/module-index.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { ArgsOf } from '../params.ts';
import type { MetaHost, SpaceRequest } from '../provide-source.ts';

const LONGEST_NAME = 60;

/**
 * Returns true for a name without dots and without content, which creates a resourcespace; with content it is a module.
 */
export function isNewSpace({ target, content }: Pick<ArgsOf<'write'>, 'target' | 'content'>): boolean {
  return content.trim() === '' && /^[^.#/\\[\]]+$/.test(target.trim());
}

/**
 * Plans to create a resourcespace: all its files, or none.
 *
 * @throws ResourceError when no space can have that name, or there are no templates; ProtectedFileError for a path that
 *   no tool may write
 */
export async function planScaffold(
  base: CodeBase,
  request: ArgsOf<'write'>,
  host: MetaHost | undefined,
): Promise<Change> {
  const name = request.target.trim();
  refuseModuleOptions(request);
  const { folder, files, steps } = await createScaffold({ name, language: await findLanguage(base) }, host);
  await refuseTaken(base, name, folder);
  const drafts = [...files].map(([file, { text }]) => {
    return { file: base.root.open(`${folder}/${file}`), content: text, action: 'scaffold' };
  });
  const change = await base.root.planGroup(drafts);
  return change.map(async (_, { tag }) => {
    const view = (await base.index.catalog()).moduleAt(drafts[0]?.file.path ?? '');
    const lines = [
      `Created space ${name}: ${formatQuantity(files.size, 'file')} in ${folder}`,
      ...[...files].map(([file, { about }]) => (about === '' ? `  ${file}` : `  ${file} -- ${about}`)),
      'Not in use yet: that is up to the user, since no tool changes the settings of bae.',
      ...steps.map((step, index) => `  ${index + 1}. ${step}`),
      ...(view === undefined ? [] : [`Go on with ${tag(`<R:${view.name}>`)}`]),
      `Undo all of it with ${tag('<undo:>')}`,
    ];
    return { text: lines.join('\n'), format: 'plain', hint: formatQuantity(files.size, 'file') } as const;
  });
}

async function findLanguage(base: CodeBase): Promise<SpaceRequest['language']> {
  const { modules } = await base.catalog();
  const isTyped = modules.some(({ path }) => /\.[cm]?tsx?$/.test(path)) || (await base.root.exists('tsconfig.json'));
  return isTyped ? 'typescript' : 'javascript';
}

async function createScaffold(request: SpaceRequest, host: MetaHost | undefined) {
  const { name } = request;
  if (host === undefined) {
    const command = `bae create space ${/^[\w-]+$/.test(name) ? name : 'NAME'}`;
    throw new ResourceError(
      `a name without content makes a resourcespace, and this agent has no templates for one: the command bae has them. Let the user run ${command}, or send the content of a module.`,
      [command, `<W:${showName(name)}>content</W>`],
    );
  }
  const scaffold = await host.scaffold(request);
  if (scaffold.type === 'files') return scaffold;
  const { reason, nearest } = scaffold;
  throw new ResourceError(
    `'${showName(name)}' cannot be the name of a new resourcespace: ${reason}. Did you mean ${nearest}? Nothing was written.`,
    [`<W:${nearest}></W>`],
  );
}

function refuseModuleOptions({ target, overwrite, export: exported, strict, test }: ArgsOf<'write'>): void {
  const options = { overwrite, export: exported, strict, test: test !== undefined };
  const given = Object.entries(options).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (given.length === 0) return;
  const name = showName(target.trim());
  const [are, them] = given.length === 1 ? ['is', 'it'] : ['are', 'them'];
  throw new ResourceError(
    `${given.join(', ')} ${are} for modules, and ${name} without content is a new resourcespace. Leave ${them} out, or send the module. Nothing was written.`,
    [`<W:${name}></W>`],
  );
}

async function refuseTaken(base: CodeBase, name: string, folder: string): Promise<void> {
  const catalog = await base.catalog();
  const owner = findOwner(name, catalog);
  if (owner !== undefined) {
    throw new ResourceError(
      `${name} is ${owner} of this project, and no new resourcespace can have its name. Choose another one, or send the content of a module. Nothing was written.`,
      [`<R:${name}>`],
    );
  }
  const obstacle = await findObstacle(base, folder);
  if (obstacle === undefined) return;
  const address = obstacle.replaceAll('/', '.');
  throw new ResourceError(
    `${formatPath(obstacle)} already exists, and the new resourcespace ${name} would be made in ${formatPath(folder)}. Choose another name, or let the user move what is there. Nothing was written.`,
    [catalog.folder(address) === undefined ? '<R:>' : `<R:${address}>`],
  );
}

function findOwner(name: string, catalog: CodeCatalog): string | undefined {
  if (catalog.packages.some(({ label }) => label === name)) return 'a package';
  if (catalog.folder(name) !== undefined) return 'a folder';
  return catalog.findModule(name) === undefined ? undefined : 'a module';
}

/** Returns the folder itself if it exists, or else a file whose path is one of the folders above it. */
async function findObstacle({ root }: CodeBase, folder: string): Promise<string | undefined> {
  if ((await root.info(folder)).kind !== 'missing') return folder;
  for (let above = posix.dirname(folder); above !== '.'; above = posix.dirname(above)) {
    const { kind } = await root.info(above);
    if (kind === 'file' || kind === 'special') return above;
  }
  return undefined;
}

function showName(name: string): string {
  return formatPath(name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);
}
