import { resourcespace, tool, type Resourcespace, type ToolContext, type ToolOutput } from '@bae/core';
import { z } from 'zod';
import { lookUp } from '../address/look-up.ts';
import { type EditRequest, editSymbol, previewEdit } from '../change/edit-symbol.ts';
import { editTarget, pathOf } from '../change/edit-target.ts';
import type { CheckChange } from '../change/check-change.ts';
import { CodeBase } from '../modules/code-base.ts';
import { SOURCE_PARAMS } from '../params.ts';
import { readTarget } from '../read/read-target.ts';
import type { MetaHost, ReloadableSpace } from './meta-host.ts';
import { listSpaces, readSpace } from './read-space.ts';
import { refuseMisspelt } from './refuse-misspelt.ts';
import { Reloader } from './reloader.ts';
import { spaceNamed, spaceOfFile } from './space-code.ts';

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

type ReadArgs = z.output<typeof PARAMS.read>;
type EditArgs = z.output<typeof PARAMS.edit>;

/** What the code of spaces is read and changed with. */
export interface MetaParts {
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
    return listSpaces(this.#spaces, await this.#parts.base().catalog());
  }

  @tool({
    description: 'The spaces; of one its modules, of a symbol its source.',
    params: PARAMS.read,
    range: true,
  })
  async read({ target, page }: ReadArgs, context: ToolContext): Promise<ToolOutput> {
    const base = this.#parts.base();
    if (target === '') return { text: await this.enter(), format: 'plain' };
    const space = this.#spaces.find(({ name }) => name === target);
    if (space !== undefined && context.range === undefined) return readSpace(base, { space, page }, context);
    if ((await lookUp(base, target)) === undefined) refuseMisspelt(this.#spaces, target);
    await this.#spaceOf(target);
    return readTarget(base, { target, page, all: false, range: context.range }, context);
  }

  @tool({
    description: 'The change of a symbol, loaded at once.\nWhat cannot be loaded is taken back.',
    params: PARAMS.edit,
    body: 'content',
    timeoutMs: 120_000,
    target(this: MetaSpace, { target }) {
      return this.editPath(target);
    },
    preview(this: MetaSpace, args, context) {
      return this.previewEdit(args, context);
    },
  })
  async edit(args: EditArgs, context: ToolContext): Promise<ToolOutput> {
    const { base, check } = this.#parts;
    const space = await this.#spaceOf(editTarget(args.target).target);
    const isLoaded = args.reload && !space.needsRestart;
    if (isLoaded) await this.#askToRun(space, context);
    const edited = await editSymbol(base(), { ...requestOf(args), how: { check, strict: args.strict } }, context);
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
    const space = spaceNamed(this.#spaces, name);
    if (!space.needsRestart) await this.#askToRun(space, context);
    return this.#reloader.reload(space, context);
  }

  get #spaces(): readonly ReloadableSpace[] {
    return this.#parts.host.spaces();
  }

  async #spaceOf(address: string): Promise<ReloadableSpace> {
    return spaceOfFile(this.#spaces, await pathOf(this.#parts.base(), address), address);
  }

  /** Consent to a change of files is none to run what was changed. */
  async #askToRun({ name }: ReloadableSpace, { requestApproval }: ToolContext): Promise<void> {
    await requestApproval(`it runs the changed code of ${name} in bae itself`, name);
  }

  private async editPath(address: string): Promise<string> {
    return pathOf(this.#parts.base(), editTarget(address).target);
  }

  private async previewEdit(args: EditArgs, context: ToolContext): Promise<string> {
    return previewEdit(this.#parts.base(), requestOf(args), context);
  }
}

function requestOf({ target, content, rename, delete: remove }: EditArgs): EditRequest {
  return { ...editTarget(target), body: content, rename, remove };
}
