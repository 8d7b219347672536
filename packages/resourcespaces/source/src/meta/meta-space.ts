import {
  type Change,
  findNearestName,
  ResourceError,
  resourcespace,
  type Resourcespace,
  tool,
  type ToolContext,
  type ToolOutput,
  type Touch,
} from '@bae/core';
import {
  formatPath,
  formatQuantity,
  getChangeId,
  type Operation,
  undoChanges,
  type WorkspaceRoot,
} from '@bae/workspace';
import { z } from 'zod';
import { findTarget } from '../address/find-by-name.ts';
import { type EditPlace, findEditedPath, planEdit, splitEditTarget } from '../change/edit-symbol.ts';
import { ReloadError } from '../errors.ts';
import type { CodeCatalog, CodeModule } from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';
import { SOURCE_PARAMS } from '../params.ts';
import type { MetaHost, ReloadableSpace } from '../provide-source.ts';
import { outputRows } from '../read/paging.ts';
import { readAddress, renderModuleLine } from '../read/read-target.ts';

const PARAMS = {
  read: () =>
    z.object({
      target: z
        .string()
        .default('')
        .meta({ description: 'Space, or address of its code; a line range may follow', examples: [''] }),
      page: SOURCE_PARAMS.read().shape.page,
    }),
  edit: () =>
    SOURCE_PARAMS.edit()
      .omit({ test: true, content: true })
      .extend({
        reload: z.boolean().default(true).describe('Load it at once; false when more changes belong to it'),
        content: SOURCE_PARAMS.edit().shape.content,
      }),
  reload: () => z.object({ space: z.string().meta({ description: 'A space that read lists', examples: ['shop'] }) }),
} as const;

/** The code of the spaces that this session has loaded from its workspace. */
@resourcespace({ name: 'meta', description: 'Code of loaded spaces.' })
export class MetaSpace implements Resourcespace {
  readonly #base: () => CodeBase;
  readonly #host: MetaHost;
  readonly #reloader: Reloader;

  /** @param base returns the current state of the project */
  constructor(base: () => CodeBase, host: MetaHost) {
    this.#base = base;
    this.#host = host;
    this.#reloader = new Reloader(base().root, host);
  }

  async enter(): Promise<string> {
    return listLoadedSpaces(this.#spaces, await this.base.catalog());
  }

  @tool({
    description: 'The spaces; for one, its modules; for a symbol, its source.',
    params: PARAMS.read,
    range: true,
  })
  async read({ target, page }: z.output<ReturnType<typeof PARAMS.read>>, context: ToolContext): Promise<ToolOutput> {
    const { base } = this;
    if (target === '') return { text: await this.enter(), format: 'plain' };
    const space = this.#spaces.find(({ name }) => name === target);
    if (space !== undefined && context.range === undefined) return readSpace(base, { space, page }, context);
    const nearest = findNearestName(target, this.#names);
    // A name that is neither a space nor code.
    if (nearest !== undefined && (await findTarget(base, target)) === undefined) {
      const fact = `no space '${formatPath(target)}' is loaded from here. Did you mean ${nearest}?`;
      throw new ResourceError(fact, [`<source.meta.R:${nearest}>`]);
    }
    await this.#findSpaceOf({ target }, context);
    return readAddress(base, { target, page, every: false }, context);
  }

  @tool({
    description: 'The change of a symbol, loaded at once.\nWhat cannot be loaded is undone.',
    params: PARAMS.edit,
    body: 'content',
    timeoutMs: 120_000,
    plan: true,
    target(this: MetaSpace, args, context) {
      return findEditedPath(this.base, args, context);
    },
  })
  async edit(args: z.output<ReturnType<typeof PARAMS.edit>>, context: ToolContext): Promise<Change> {
    const space = await this.#findSpaceOf(args, context);
    const change = await planEdit(this.base, args, context);
    const apply = async (applied: ToolContext): Promise<ToolOutput> => {
      if (args.reload) await this.#approveReload(space, applied);
      const edited = await change.apply(applied);
      const loaded =
        args.reload || space.needsRestart
          ? await this.#reloader.reload(space, applied)
          : `Not loaded yet: ${applied.tag(`<source.meta.reload:${space.name}>`)}`;
      return { ...edited, text: `${edited.text}\n${loaded}` };
    };
    const touches = args.reload ? await this.#reloader.listTouches(space, context, change.touches) : change.touches;
    return { ...change, touches, apply };
  }

  @tool({
    description: 'Whether it could be loaded.\nRuns the code of a space as it is now; what cannot be loaded is undone.',
    params: PARAMS.reload,
    timeoutMs: 120_000,
    plan: true,
    target: ({ space }) => space,
  })
  async reload(
    { space: name }: z.output<ReturnType<typeof PARAMS.reload>>,
    context: ToolContext,
  ): Promise<Change | string> {
    const space = this.#spaces.find((one) => one.name === name);
    if (space === undefined) {
      const names = this.#names;
      const nearest = findNearestName(name, names) ?? names[0];
      const fact = `no space '${name}' is loaded from here (space: expected ${names.join(' or ')}).`;
      throw new ResourceError(fact, nearest === undefined ? [] : [`<source.meta.reload:${nearest}>`]);
    }
    if (space.needsRestart) return this.#reloader.reload(space, context);
    const touches = await this.#reloader.listTouches(space, context);
    const paths = touches.flatMap((touch) => ('path' in touch ? formatPath(touch.path) : []));
    const rest = paths.length === 0 ? '' : `; if it cannot be loaded, undoes the changes of ${paths.join(', ')}`;
    const apply = async (applied: ToolContext): Promise<string> => {
      await this.#approveReload(space, applied);
      return this.#reloader.reload(space, applied);
    };
    return { touches, preview: () => `runs the code of ${name}${rest}`, apply };
  }

  get #spaces(): readonly ReloadableSpace[] {
    return this.#host.spaces();
  }

  get #names(): readonly string[] {
    return this.#spaces.map(({ name }) => name);
  }

  /** Finds the space whose code an address names; the innermost of nested ones. */
  async #findSpaceOf(args: EditPlace, context: ToolContext): Promise<ReloadableSpace> {
    const path = await findEditedPath(this.base, args, context);
    const [space] = this.#spaces
      .filter(({ folder }) => isBelow(folder, path))
      .toSorted((a, b) => b.folder.length - a.folder.length);
    if (space !== undefined) return space;
    const { target } = splitEditTarget(args.target);
    const known = this.#names.join(', ');
    throw new ResourceError(`${target} is not code of a space that is loaded from here (there are ${known}).`, [
      `<source.R:${target}>`,
      '<source.meta.R:>',
    ]);
  }

  /** Asks for consent to run changed code: consent to change files is not consent to run them. */
  async #approveReload({ name, needsRestart }: ReloadableSpace, { requestApproval }: ToolContext): Promise<void> {
    if (!needsRestart) await requestApproval(`it runs the changed code of ${name} in bae itself`, name);
  }

  // Options of decorators cannot access #private members.

  /** The current state of the project. */
  private get base(): CodeBase {
    return this.#base();
  }
}

const REBUILD_MS = 60_000;

/** Reloads the code of spaces, and undoes a session's changes to code that can no longer be loaded. */
export class Reloader {
  readonly #root: WorkspaceRoot;
  readonly #host: MetaHost;
  /** Operations of the session that are part of the loaded code, by folder of code. */
  readonly #loaded = new Map<string, ReadonlySet<string>>();

  constructor(root: WorkspaceRoot, host: MetaHost) {
    this.#root = root;
    this.#host = host;
  }

  /** Reloads a space whose reload the user has already approved; returns the result, one line. */
  async reload(space: ReloadableSpace, context: ToolContext): Promise<string> {
    const { name, folder } = space;
    if (space.needsRestart) return `${name} runs the tools of this session: a change takes effect after restart.`;
    const own = await this.#listOperations(context);
    try {
      await this.#host.reload(name, context.signal);
    } catch (error) {
      return await this.#rollBack(space, error, context);
    }
    this.#loaded.set(folder, new Set(own.map(({ id }) => id)));
    return `Reloaded ${name}.`;
  }

  /** Lists the files of a change, and those that are changed back when the code cannot be loaded. */
  async listTouches({ folder }: ReloadableSpace, context: ToolContext, own: readonly Touch[] = []) {
    const pending = await this.#listPending(folder, context);
    const undone = pending.filter(({ path }) => isBelow(folder, path)).map(({ path }) => ({ path }));
    const byName = new Map([...own, ...undone].map((touch) => ['path' in touch ? touch.path : touch.outside, touch]));
    return [...byName.values()];
  }

  /** Lists the operations since the code was loaded, newest first. */
  async #listPending(folder: string, context: ToolContext): Promise<readonly Operation[]> {
    const loaded = this.#loaded.get(folder);
    const all = await this.#listOperations(context);
    const last = all.findIndex(({ id }) => loaded?.has(id) === true);
    return last < 0 ? all : all.slice(0, last);
  }

  async #rollBack(space: ReloadableSpace, error: unknown, context: ToolContext): Promise<string> {
    const { name, folder } = space;
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const cause = `${name} cannot be loaded: ${reason.replace(/\.$/, '')}.`;
    const pending = await this.#listPending(folder, context);
    const own = pending.filter(({ path }) => isBelow(folder, path));
    if (own.length > 0 && own.every(({ before }) => before === undefined))
      return `Warning: ${cause} Only new modules were added, and they stay; the previous code stays in use.`;
    if (own.length === 0) throw new ReloadError(`${cause} The previous code stays in use.`, [], error);
    const changes = new Set(own.map(getChangeId));
    const since = pending.slice(0, pending.findLastIndex((operation) => changes.has(getChangeId(operation))) + 1);
    if (since.length > own.length)
      throw new ReloadError(
        `${cause} Not rolled back: other files were changed in between, or together with it. The previous code stays in use.`,
        ['<undo:>'],
        error,
      );
    const { errors: [problem] = [], text } = await undoChanges(this.#root, { steps: changes.size }, context);
    if (problem !== undefined)
      throw new ReloadError(`${cause} Not everything was rolled back: ${problem.message}`, [], error);
    // The signal of the call is not used: the build output has to match the code even when the call was aborted.
    await this.#host.rebuild(name, AbortSignal.timeout(REBUILD_MS));
    throw new ReloadError(`${cause} Rolled back.\n${text}`, [`<source.meta.R:${name}>`], error);
  }

  async #listOperations({ session }: ToolContext): Promise<readonly Operation[]> {
    return (await this.#root.operations()).filter((operation) => operation.session === session.id);
  }
}

/** Rules for changing a space that are not visible in its code. */
const CONVENTIONS = [
  'conventions:',
  '  The first line of the description of a tool describes the result.',
  '  Wrong input throws an error: what is wrong, why, and a tag that works.',
  '  A tool that changes something declares its effect; state that has to survive a reload is kept in files.',
];

function listLoadedSpaces(spaces: readonly ReloadableSpace[], catalog: CodeCatalog): string {
  return spaces
    .map((space) => {
      const when = space.needsRestart ? ', a change takes effect after restart' : '';
      const count = formatQuantity(listModules(catalog, space).length, 'module');
      return `${space.name} -- ${space.folder === '' ? '.' : space.folder} (${count}${when})`;
    })
    .join('\n');
}

/** Lists the modules of a space, one line each, and the conventions for changing them, which are omitted for code. */
export async function readSpace(
  base: CodeBase,
  { space, page }: { readonly space: ReloadableSpace; readonly page: number },
  context: ToolContext,
): Promise<ToolOutput> {
  const catalog = await base.catalog();
  const modules = listModules(catalog, space);
  const outlines = await base.index.outlines(modules, context.signal);
  const rows = modules.map((module) => renderModuleLine(module, outlines.get(module)));
  const head = [listLoadedSpaces([space], catalog)];
  return outputRows({ head, rows: [...rows, ...CONVENTIONS], all: rows, page, call: `R:${space.name}`, context });
}

function isBelow(folder: string, path: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

function listModules({ modules }: CodeCatalog, { folder }: ReloadableSpace): readonly CodeModule[] {
  return modules.filter(({ path, name, declares }) => !declares && !name.endsWith('.test') && isBelow(folder, path));
}
