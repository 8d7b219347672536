import { resourcespace, tool, type Change, type Resourcespace, type ToolContext, type ToolOutput } from '@bae/core';
import { z } from 'zod';
import { findTarget } from '../address/find-symbol.ts';
import type { CheckChange } from '../change/check-change.ts';
import { findEditedPath, planEdit, splitEditTarget } from '../change/edit-symbol.ts';
import type { CodeBase } from '../modules/code-base.ts';
import { SOURCE_PARAMS } from '../params.ts';
import type { MetaHost, ReloadableSpace } from '../provide-source.ts';
import { readAddress } from '../read/read-target.ts';
import { findSpace, findSpaceOfFile, listLoadedSpaces, readSpace, refuseMisspelt } from './loaded-spaces.ts';
import { Reloader } from './reloader.ts';

const PARAMS = {
  read: z.object({
    target: z
      .string()
      .default('')
      .meta({ description: 'Space, or address of its code; a line range may follow', examples: [''] }),
    page: SOURCE_PARAMS.read.shape.page,
  }),
  edit: SOURCE_PARAMS.edit.omit({ test: true, content: true }).extend({
    reload: z.boolean().default(true).describe('Load it at once; false when more changes belong to it'),
    content: SOURCE_PARAMS.edit.shape.content,
  }),
  reload: z.object({ space: z.string().meta({ description: 'A space that read lists', examples: ['shop'] }) }),
} as const;

/** What the code of spaces is read and changed with. */
interface MetaParts {
  /** The project as it is at the moment of the call. */
  readonly base: () => CodeBase;
  readonly check: CheckChange;
  readonly host: MetaHost;
}

/** The code of the spaces that this session has loaded from its workspace. */
@resourcespace({ name: 'meta', description: 'Code of loaded spaces.' })
export class MetaSpace implements Resourcespace {
  readonly #parts: MetaParts;
  readonly #reloader: Reloader;

  constructor(parts: MetaParts) {
    this.#parts = parts;
    this.#reloader = new Reloader(parts.base().root, parts.host);
  }

  async enter(): Promise<string> {
    return listLoadedSpaces(this.#spaces, await this.base.catalog());
  }

  @tool({
    description: 'The spaces; of one its modules, of a symbol its source.',
    params: PARAMS.read,
    range: true,
  })
  async read({ target, page }: z.output<typeof PARAMS.read>, context: ToolContext): Promise<ToolOutput> {
    const { base } = this;
    if (target === '') return { text: await this.enter(), format: 'plain' };
    const space = this.#spaces.find(({ name }) => name === target);
    if (space !== undefined && context.range === undefined) return readSpace(base, { space, page }, context);
    if ((await findTarget(base, target)) === undefined) refuseMisspelt(this.#spaces, target);
    await this.#findSpaceOf(target, context);
    return readAddress(base, { target, page, all: false }, context);
  }

  @tool({
    description: 'The change of a symbol, loaded at once.\nWhat cannot be loaded is taken back.',
    params: PARAMS.edit,
    body: 'content',
    timeoutMs: 120_000,
    plan: true,
    target(this: MetaSpace, { target }, context) {
      return findEditedPath(this.base, target, context);
    },
  })
  async edit(args: z.output<typeof PARAMS.edit>, context: ToolContext): Promise<Change> {
    const space = await this.#findSpaceOf(args.target, context);
    const change = await planEdit(this.base, { ...args, check: this.#parts.check }, context);
    const apply = async (applied: ToolContext): Promise<ToolOutput> => {
      if (args.reload) await this.#approveReload(space, applied);
      const edited = await change.apply(applied);
      const loaded =
        args.reload || space.needsRestart
          ? await this.#reloader.reload(space, applied)
          : `Not loaded yet: <source.meta.reload:${space.name}>`;
      return { ...edited, text: `${edited.text}\n${loaded}` };
    };
    return { ...change, apply };
  }

  @tool({
    description: 'Whether it could be loaded.\nRuns the code of a space as it is now; what cannot be loaded is undone.',
    params: PARAMS.reload,
    effect: 'read',
    timeoutMs: 120_000,
    target: ({ space }) => space,
  })
  async reload({ space: name }: z.output<typeof PARAMS.reload>, context: ToolContext): Promise<string> {
    const space = findSpace(this.#spaces, name);
    await this.#approveReload(space, context);
    return this.#reloader.reload(space, context);
  }

  get #spaces(): readonly ReloadableSpace[] {
    return this.#parts.host.spaces();
  }

  async #findSpaceOf(address: string, context: ToolContext): Promise<ReloadableSpace> {
    const path = await findEditedPath(this.base, address, context);
    return findSpaceOfFile(this.#spaces, path, splitEditTarget(address).target);
  }

  /** Consent to change files is no consent to run them. */
  async #approveReload({ name, needsRestart }: ReloadableSpace, { requestApproval }: ToolContext): Promise<void> {
    if (!needsRestart) await requestApproval(`it runs the changed code of ${name} in bae itself`, name);
  }

  // Options of decorators cannot reach #private members.

  /** The project as it is at the moment of the call. */
  private get base(): CodeBase {
    return this.#parts.base();
  }
}
