import { resourcespace, tool, type Resourcespace, type ToolContext, type ToolOutput } from '@bae/core';
import { z } from 'zod';
import { findTarget } from '../address/find-symbol.ts';
import type { CheckChange } from '../change/check-change.ts';
import { editSymbol, type EditRequest, previewEdit } from '../change/edit-symbol.ts';
import { editTarget, pathOf } from '../change/edit-target.ts';
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

type EditArgs = z.output<typeof PARAMS.edit>;

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
    await this.#findSpaceOf(target);
    return readAddress(base, { target, page, all: false }, context);
  }

  @tool({
    description: 'The change of a symbol, loaded at once.\nWhat cannot be loaded is taken back.',
    params: PARAMS.edit,
    body: 'content',
    timeoutMs: 120_000,
    target(this: MetaSpace, { target }) {
      return pathOf(this.base, editTarget(target).target);
    },
    preview(this: MetaSpace, args, context) {
      return previewEdit(this.base, createMetaEdit(args), context);
    },
  })
  async edit(args: EditArgs, context: ToolContext): Promise<ToolOutput> {
    const space = await this.#findSpaceOf(editTarget(args.target).target);
    if (args.reload) await this.#approveReload(space, context);
    const how = { check: this.#parts.check, strict: args.strict };
    const edited = await editSymbol(this.base, { ...createMetaEdit(args), how }, context);
    const loaded =
      args.reload || space.needsRestart
        ? await this.#reloader.reload(space, context)
        : `Not loaded yet: <source.meta.reload:${space.name}>`;
    return { ...edited, text: `${edited.text}\n${loaded}` };
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

  async #findSpaceOf(address: string): Promise<ReloadableSpace> {
    return findSpaceOfFile(this.#spaces, await pathOf(this.base, address), address);
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

function createMetaEdit({ target, content, rename, delete: remove }: EditArgs): EditRequest {
  return { ...editTarget(target), body: content, rename, remove };
}
