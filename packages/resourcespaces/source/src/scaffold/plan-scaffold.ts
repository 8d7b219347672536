import { ResourceError } from '@bae/core';
import type { ScaffoldFile, SpaceRequest, SpaceScaffold } from '../meta/meta-host.ts';
import type { CodeBase } from '../modules/code-base.ts';
import { emptyWrite, shownName, type NewSpace } from './new-space.ts';
import { refuseModuleOptions } from './refuse-module-options.ts';
import { refuseTaken } from './refuse-taken.ts';

/** A file that is to be made. */
export interface PlannedFile extends ScaffoldFile {
  /** Below the root. */
  readonly path: string;
  /** In the folder of the space. */
  readonly name: string;
}

/** A space that is ready to be made, or to be shown to whoever decides about it. */
export interface PlannedScaffold {
  readonly name: string;
  /** Below the root; nothing is there. */
  readonly folder: string;
  readonly files: readonly PlannedFile[];
  /** What a person has to do afterwards. */
  readonly steps: readonly string[];
}

/**
 * Works out the files of a new space, and writes none.
 *
 * @throws ResourceError when there can be no space of that name, or nobody knows what one is made of;
 *   ProtectedFileError for a place that no tool may write
 */
export async function planScaffold(space: NewSpace): Promise<PlannedScaffold> {
  const { base, request } = space;
  const name = request.target.trim();
  refuseModuleOptions(space);
  const { folder, files, steps } = await scaffoldOf(space, { name, language: await languageOf(base) });
  await refuseTaken(base, { name, folder });
  const planned = [...files].map(([file, { text, about }]) => ({ path: `${folder}/${file}`, name: file, text, about }));
  for (const { path } of planned) base.root.checkWritable(path);
  return { name, folder, files: planned, steps };
}

async function scaffoldOf({ host }: NewSpace, request: SpaceRequest): Promise<SpaceFiles> {
  if (host === undefined) throw noTemplates(request.name);
  const scaffold = await host.scaffold(request);
  if (scaffold.type === 'files') return scaffold;
  const { reason, nearest } = scaffold;
  throw new ResourceError(
    `'${shownName(request.name)}' cannot be the name of a new resourcespace: ${reason}. Did you mean ${nearest}? Nothing was written.`,
    [emptyWrite(nearest)],
  );
}

type SpaceFiles = Extract<SpaceScaffold, { readonly type: 'files' }>;

/** That of the project: TypeScript as soon as any of it is. */
async function languageOf(base: CodeBase): Promise<SpaceRequest['language']> {
  const { modules } = await base.catalog();
  const isTyped = modules.some(({ path }) => /\.[cm]?tsx?$/.test(path)) || (await base.root.exists('tsconfig.json'));
  return isTyped ? 'typescript' : 'javascript';
}

function noTemplates(name: string): ResourceError {
  const known = /^[\w-]+$/.test(name) ? name : 'NAME';
  return new ResourceError(
    `a name without content makes a resourcespace, and this agent has no templates for one: the command bae has them. Let the user run bae create space ${known}, or send the content of a module.`,
    [`bae create space ${known}`, `<W:${shownName(name)}>content</W>`],
  );
}
