import {
  inject,
  resourcespace,
  type Change,
  type Resourcespace,
  type SearchHit,
  tool,
  type ToolContext,
} from '@bae/core';
import { planUndo, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { planFileEdit } from './edit-file.ts';
import {
  explainMissingFile,
  openItself,
  openTarget,
  requireWholeFile,
  splitTarget,
  type ChangeTarget,
} from './file-target.ts';
import { FolderState } from './folder-state.ts';
import { globFiles } from './glob-files.ts';
import { grepFiles, searchFiles } from './search-files.ts';
import { type ArgsOf, FILE_OUTPUTS, FILE_PARAMS } from './params.ts';
import { planDelete, planFolder, planMove } from './move-file.ts';
import { readElsewhere, readFileTarget } from './read-file.ts';
import { planFileWrite, refuseSymbol } from './write-file.ts';

/** The files of one folder. This is the home space unless an agent chooses another. */
@resourcespace({ name: 'filesystem', description: 'Files and folders: read, write, edit, find and search.' })
export class FilesystemSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;
  readonly #state: FolderState;

  constructor(@inject(WORKSPACE_ROOT) root: WorkspaceRoot) {
    this.#root = root;
    this.#state = new FolderState(root);
  }

  enter(): Promise<string> {
    return this.#state.describe();
  }

  search(query: string, limit: number): Promise<readonly SearchHit[]> {
    return searchFiles(this.#root, query, limit);
  }

  @tool({
    description: 'A file, lines of it (a.ts:2-40), or what is in a folder.',
    params: FILE_PARAMS.read,
    seesDraft: true,
    range: true,
  })
  async read({ target }: ArgsOf<'read'>, context: ToolContext) {
    const file = splitTarget(target, context);
    try {
      return await readFileTarget(this.#root, file, context);
    } catch (error) {
      return await readElsewhere(this.#root, error, { file, context });
    }
  }

  @tool({
    description: 'A whole file with this text.\nThe answer is its new size. Parent folders are created.',
    params: FILE_PARAMS.write,
    idempotent: true,
    seesDraft: true,
    body: 'content',
    range: true,
    plan: true,
    target(this: FilesystemSpace, args, context) {
      return this.openTarget(args, context);
    },
  })
  async write({ content }: ArgsOf<'write'>, context: ToolContext) {
    const file = requireWholeFile(context.target as ChangeTarget);
    await refuseSymbol(file, context);
    return planFileWrite(file, content, context);
  }

  @tool({
    description:
      'New lines for a.ts:2-3, or <old>…</old><new>…</new> below.\nThe answer is the diff. The body takes the place of the lines, or is blocks of old and new text.',
    params: FILE_PARAMS.edit,
    seesDraft: true,
    body: 'content',
    range: true,
    plan: true,
    target(this: FilesystemSpace, args, context) {
      return this.openTarget(args, context);
    },
  })
  async edit(args: ArgsOf<'edit'>, context: ToolContext) {
    try {
      return await planFileEdit(this.#root, args, context);
    } catch (error) {
      const { file, range } = context.target as ChangeTarget;
      throw await explainMissingFile(this.#root, error, {
        file: { path: file.given, ...(range && { range }) },
        context,
      });
    }
  }

  @tool({
    description: 'Files that match a pattern such as src/**/*.ts.',
    params: FILE_PARAMS.glob,
    seesDraft: true,
    output: FILE_OUTPUTS.glob,
  })
  glob(args: ArgsOf<'glob'>, context: ToolContext) {
    return globFiles(this.#root, args, context);
  }

  @tool({
    description: 'Lines that match a regular expression: path:line: text.',
    params: FILE_PARAMS.grep,
    seesDraft: true,
    output: FILE_OUTPUTS.grep,
  })
  grep(args: ArgsOf<'grep'>, context: ToolContext) {
    return grepFiles(this.#root, args, context);
  }

  @tool({
    description: 'A file deleted, or a folder with everything in it.',
    params: FILE_PARAMS.delete,
    seesDraft: true,
    range: true,
    plan: true,
    target(this: FilesystemSpace, args, context) {
      return this.openItself(args, context);
    },
  })
  delete(_: ArgsOf<'delete'>, context: ToolContext) {
    return planDelete(this.#root, context);
  }

  @tool({
    description: 'A file or folder moved to another path.',
    params: FILE_PARAMS.move,
    seesDraft: true,
    range: true,
    plan: true,
    target(this: FilesystemSpace, args, context) {
      return this.openItself(args, context);
    },
  })
  move({ to }: ArgsOf<'move'>, context: ToolContext) {
    return planMove(this.#root, to, context);
  }

  @tool({
    description: 'A new folder, with those above it.\nWriting a file makes its folders anyway.',
    params: FILE_PARAMS.mkdir,
    plan: true,
    target: ({ target }) => target,
  })
  mkdir({ target }: ArgsOf<'mkdir'>, context: ToolContext) {
    return planFolder(this.#root, target, context);
  }

  @tool({
    description: 'The last changes of this session undone.\nA file that was changed since stays.',
    params: FILE_PARAMS.undo,
    effect: 'write',
    target: () => '',
    plan: true,
  })
  undo({ steps }: ArgsOf<'undo'>, context: ToolContext): Promise<Change | string> {
    return planUndo(this.#root, { steps }, context);
  }

  // Not #private: the options of a decorator cannot access private members.
  private openTarget({ target }: { readonly target: string }, context: ToolContext): Promise<ChangeTarget> {
    return openTarget(this.#root, target, context);
  }

  private openItself({ target }: { readonly target: string }, context: ToolContext): Promise<ChangeTarget> {
    return openItself(this.#root, target, context);
  }
}
