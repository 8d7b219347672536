import { inject, resourcespace, type Resourcespace, tool, type ToolContext } from '@bae/core';
import { WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';

const PARAMS = {
  touch: z.object({ target: z.string(), text: z.string().default('') }),
  drop: z.object({ target: z.string() }),
};

/** Changes files as the session that calls it. */
@resourcespace({ name: 'editor', description: 'Files to change.' })
export class EditorSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;

  constructor(@inject(WORKSPACE_ROOT) root: WorkspaceRoot) {
    this.#root = root;
  }

  enter(): string {
    return '';
  }

  @tool({ description: 'A file with a text.', params: PARAMS.touch, body: 'text', effect: 'write' })
  async touch({ target, text }: z.output<typeof PARAMS.touch>, { session }: ToolContext) {
    await this.#root.write(target, text === '' ? '' : `${text.trimEnd()}\n`, { session: session.id });
    return 'written';
  }

  @tool({ description: 'No file.', params: PARAMS.drop, effect: 'write' })
  async drop({ target }: z.output<typeof PARAMS.drop>, { session }: ToolContext) {
    await this.#root.remove(target, { session: session.id });
    return 'removed';
  }
}
