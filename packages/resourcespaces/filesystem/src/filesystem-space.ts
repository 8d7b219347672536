import { inject, resourcespace, type Resourcespace, type SearchHit, tool, type ToolContext } from '@bae/core';
import { previewUndo, showPath, undoChanges, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { editFile, type EditRequest } from './edit-file.ts';
import { fileTarget, wholeFile } from './file-target.ts';
import { globFiles } from './glob-files.ts';
import { grepFiles, searchFiles } from './grep-files.ts';
import { type ArgsOf, FILE_PARAMS } from './params.ts';
import { previewEdit, previewWrite } from './preview-change.ts';
import { readTarget } from './read-file.ts';
import { writeFile, type WriteRequest } from './write-file.ts';

/** The files of one folder: the space that acts at home unless an agent says otherwise. */
@resourcespace({ name: 'filesystem', description: 'Files and folders: read, write, edit, find and search.' })
export class FilesystemSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;

  constructor(@inject(WORKSPACE_ROOT) root: WorkspaceRoot) {
    this.#root = root;
  }

  enter(): Promise<string> {
    return describeRoot(this.#root);
  }

  search(query: string, limit: number): Promise<readonly SearchHit[]> {
    return searchFiles(this.#root, query, limit);
  }

  @tool({
    description: 'A file, some of its lines (a.ts:2-40), or the entries of a folder.',
    params: FILE_PARAMS.read,
    range: true,
  })
  async read({ target }: ArgsOf<'read'>, context: ToolContext) {
    return readTarget(this.#root, await fileTarget(this.#root, target, context), context);
  }

  @tool({
    description: 'How much was written. Writes a whole file; parent folders are created.',
    params: FILE_PARAMS.write,
    body: 'content',
    range: true,
    target(this: FilesystemSpace, { target }, context) {
      return this.realPath(target, context);
    },
    preview(this: FilesystemSpace, args, context) {
      return this.previewWrite(args, context);
    },
  })
  async write(args: ArgsOf<'write'>, context: ToolContext) {
    return writeFile(this.#root, await this.#writeRequest(args, context), context);
  }

  @tool({
    description: 'The new lines. Replaces the lines of a range (a.ts:2-3) by the body, or the text `old` by `new`.',
    params: FILE_PARAMS.edit,
    body: 'content',
    range: true,
    target(this: FilesystemSpace, { target }, context) {
      return this.realPath(target, context);
    },
    preview(this: FilesystemSpace, args, context) {
      return this.previewEdit(args, context);
    },
  })
  async edit(args: ArgsOf<'edit'>, context: ToolContext) {
    return editFile(this.#root, await this.#editRequest(args, context), context);
  }

  @tool({ description: 'Paths of the files that match a pattern such as src/**/*.ts.', params: FILE_PARAMS.glob })
  glob({ pattern, all }: ArgsOf<'glob'>, context: ToolContext) {
    return globFiles(this.#root, { pattern, all }, context);
  }

  @tool({ description: 'Lines that match a regular expression, as path:line: text.', params: FILE_PARAMS.grep })
  grep({ pattern: argument, path, all }: ArgsOf<'grep'>, context: ToolContext) {
    return grepFiles(this.#root, { argument, path, all }, context);
  }

  @tool({
    description: 'What was undone. Takes back the last changes of this session, exactly; a file changed since stays.',
    params: FILE_PARAMS.undo,
    effect: 'write',
    target: () => '',
    preview(this: FilesystemSpace, { steps }, context) {
      return this.previewUndo(steps, context);
    },
  })
  undo({ steps }: ArgsOf<'undo'>, context: ToolContext) {
    return undoChanges(this.#root, { steps }, context);
  }

  /** The one spelling of a file: below the root, without links. */
  private async realPath(target: string, context: ToolContext): Promise<string> {
    const { path } = await fileTarget(this.#root, target, context);
    return (await this.#root.info(path)).path;
  }

  private async previewWrite(args: ArgsOf<'write'>, context: ToolContext): Promise<string> {
    return previewWrite(this.#root, await this.#writeRequest(args, context), context);
  }

  private async previewEdit(args: ArgsOf<'edit'>, context: ToolContext): Promise<string> {
    return previewEdit(this.#root, await this.#editRequest(args, context), context);
  }

  private previewUndo(steps: number, context: ToolContext): Promise<string> {
    return previewUndo(this.#root, { steps }, context);
  }

  async #writeRequest({ target, content }: ArgsOf<'write'>, context: ToolContext): Promise<WriteRequest> {
    const path = wholeFile(await fileTarget(this.#root, target, context));
    return { path, content, block: context.block };
  }

  async #editRequest(args: ArgsOf<'edit'>, context: ToolContext): Promise<EditRequest> {
    const { target, old, new: replacement, all, content: body } = args;
    const { path, range } = await fileTarget(this.#root, target, context);
    return { path, range, old, replacement, all, body, source: sourceOf(context) };
  }
}

function sourceOf({ fromCode, block }: ToolContext): EditRequest['source'] {
  if (fromCode) return 'code';
  return block ? 'block' : 'inline';
}

const LARGEST_HEAD = 4096;

/** What is the case in a workspace right now: `Folder bae: 14 entries. Git branch: main.` */
async function describeRoot(root: WorkspaceRoot): Promise<string> {
  const entries = (await root.list('.')).length;
  const folder = `Folder ${showPath(root.name)}: ${entries} ${entries === 1 ? 'entry' : 'entries'}.`;
  const branch = await gitBranch(root);
  return branch === undefined ? folder : `${folder} Git branch: ${showPath(branch)}.`;
}

/** The branch that is checked out; undefined without a plain `.git` folder, or on no branch. */
async function gitBranch(root: WorkspaceRoot): Promise<string | undefined> {
  try {
    const { kind, size } = await root.info('.git/HEAD');
    if (kind !== 'file' || size > LARGEST_HEAD) return undefined;
    return /^ref: refs\/heads\/(.+)$/m.exec((await root.readText('.git/HEAD', { secrets: true })).text)?.[1];
  } catch {
    return undefined;
  }
}
