import { ResourceError, type ToolContext, type ToolOutput } from '@bae/core';
import { retryOnConflict, formatQuantity, formatPath, renderUnifiedDiff } from '@bae/workspace';
import { writeTogether } from '../change/module-change.ts';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { ArgsOf } from '../params.ts';
import type { MetaHost, ScaffoldFile, SpaceRequest, SpaceScaffold } from '../provide-source.ts';

/** A write that creates a resourcespace, and what it is planned with. */
export interface NewSpace {
  readonly base: CodeBase;
  readonly request: ArgsOf<'write'>;
  /** Has the templates; undefined when there are none. */
  readonly host: MetaHost | undefined;
}

interface PlannedFile extends ScaffoldFile {
  /** Below the root. */
  readonly path: string;
  /** In the folder of the space. */
  readonly name: string;
}

/** A space that can be created, or shown before. */
interface PlannedScaffold {
  readonly name: string;
  /** Below the root; nothing is there. */
  readonly folder: string;
  readonly files: readonly PlannedFile[];
  /** What a person has to do afterwards. */
  readonly steps: readonly string[];
}

/** Longest name in an error, in characters. */
const LONGEST_NAME = 60;

/**
 * True when a write creates a resourcespace, not a module: for a name without dots and without content. With content
 * it is a module, since modules of a small project have such names, too.
 */
export function isNewSpace({ target, content }: Pick<ArgsOf<'write'>, 'target' | 'content'>): boolean {
  return content.trim() === '' && /^[^.#/\\[\]]+$/.test(target.trim());
}

/**
 * The target of creating a space for rules over consent. It is no plain path, since several files are created: no rule
 * for some files may allow it, and every rule that forbids some forbids it.
 *
 * @throws what creating it would fail with
 */
export async function findScaffoldScope(space: NewSpace): Promise<string> {
  const { folder } = await planScaffold(space);
  return `${folder}/../(a new resourcespace)`;
}

/**
 * Shows the files of a new space, and writes none.
 *
 * @throws what creating it would fail with
 */
export async function previewScaffold(space: NewSpace): Promise<string> {
  const { files } = await planScaffold(space);
  return files
    .map(({ path, text }) => renderUnifiedDiff({ path: formatPath(path), before: undefined, after: text }))
    .join('');
}

/**
 * Creates a resourcespace: all its files, or none.
 *
 * @throws what planning it throws, and what writing a file fails with; then nothing is changed
 */
export async function scaffoldSpace(space: NewSpace, context: ToolContext): Promise<ToolOutput> {
  const { root, index } = space.base;
  return retryOnConflict(
    () => planScaffold(space),
    async (planned) => {
      const files = planned.files.map(({ path, text }) => ({ path, text, expected: null, action: 'scaffold' }));
      await writeTogether(root, files, context);
      const [view] = planned.files;
      const address = view && (await index.catalog()).moduleAt(view.path)?.name;
      const next = address === undefined ? [] : [`Go on with ${context.tag(`<R:${address}>`)}`];
      const text = [...summarizeScaffold(planned), ...next, `Take all of it back with ${context.tag('<undo:>')}`].join(
        '\n',
      );
      return { text, format: 'plain', hint: formatQuantity(planned.files.length, 'file') };
    },
  );
}

function summarizeScaffold({ name, folder, files, steps }: PlannedScaffold): readonly string[] {
  return [
    `Created space ${name}: ${formatQuantity(files.length, 'file')} in ${folder}`,
    ...files.map(({ name, about }) => (about === '' ? `  ${name}` : `  ${name} -- ${about}`)),
    'Not in use yet: that is up to the user, since no tool changes the settings of bae.',
    ...steps.map((step, index) => `  ${index + 1}. ${step}`),
  ];
}

/**
 * Works out the files of a new space, and writes none.
 *
 * @throws ResourceError when there can be no space of that name, or there are no templates; ProtectedFileError for a
 *   place that no tool may write
 */
export async function planScaffold(space: NewSpace): Promise<PlannedScaffold> {
  const { base, request } = space;
  const name = request.target.trim();
  refuseModuleOptions(request);
  const { folder, files, steps } = await createScaffold(space, { name, language: await findLanguage(base) });
  await refuseTaken(base, { name, folder });
  const planned = [...files].map(([file, { text, about }]) => ({ path: `${folder}/${file}`, name: file, text, about }));
  for (const { path } of planned) base.root.checkWritable(path);
  return { name, folder, files: planned, steps };
}

/** TypeScript if any of the project is. */
async function findLanguage(base: CodeBase): Promise<SpaceRequest['language']> {
  const { modules } = await base.catalog();
  const isTyped = modules.some(({ path }) => /\.[cm]?tsx?$/.test(path)) || (await base.root.exists('tsconfig.json'));
  return isTyped ? 'typescript' : 'javascript';
}

async function createScaffold(
  { host }: NewSpace,
  request: SpaceRequest,
): Promise<SpaceScaffold & { readonly type: 'files' }> {
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

/** Refuses options that only modules have. */
function refuseModuleOptions({ target, overwrite, export: exported, strict, test }: NewSpace['request']): void {
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

/** Refuses a name that something in the project has, and a folder that exists. */
async function refuseTaken(
  base: CodeBase,
  { name, folder }: { readonly name: string; readonly folder: string },
): Promise<void> {
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
    `${formatPath(obstacle)} is there already, and the new resourcespace ${name} would be made in ${formatPath(folder)}. Choose another name, or let the user move what is there. Nothing was written.`,
    [catalog.folder(address) === undefined ? '<R:>' : `<R:${address}>`],
  );
}

function findOwner(name: string, catalog: CodeCatalog): string | undefined {
  if (catalog.packages.some(({ label }) => label === name)) return 'a package';
  if (catalog.folder(name) !== undefined) return 'a folder';
  return (catalog.module(name) ?? catalog.moduleMeant(name)) === undefined ? undefined : 'a module';
}

/** The folder itself if it exists, else a file where one of the folders above it would have to be. */
async function findObstacle({ root }: CodeBase, folder: string): Promise<string | undefined> {
  if ((await root.info(folder)).kind !== 'missing') return folder;
  const parts = folder.split('/').slice(0, -1);
  for (const [index] of parts.entries()) {
    const above = parts.slice(0, index + 1).join('/');
    const { kind } = await root.info(above);
    if (kind === 'file' || kind === 'special') return above;
  }
  return undefined;
}

function showName(name: string): string {
  return formatPath(name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME)}…` : name);
}
