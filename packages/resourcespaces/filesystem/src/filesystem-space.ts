import { inject, resourcespace, tool, type Resourcespace, type SearchHit, type ToolContext } from '@bae/core';
import { WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { describeRoot } from './describe-root.ts';
import { editFile } from './edit-file.ts';
import { fileTarget } from './file-target.ts';
import { globFiles } from './glob-files.ts';
import { grepFiles } from './grep-files.ts';
import { FILE_PARAMS, type ArgsOf } from './params.ts';
import { readTarget } from './read-target.ts';
import { searchFiles } from './search-files.ts';
import { wholeFile } from './whole-file.ts';
import { writeFile } from './write-file.ts';

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
    return readTarget(this.#root, await fileTarget(this.#root, target, context), context.session);
  }

  @tool({
    description: 'How much was written. Writes a whole file; parent folders are created.',
    params: FILE_PARAMS.write,
    body: 'content',
    range: true,
  })
  async write({ target, content }: ArgsOf<'write'>, context: ToolContext) {
    const path = wholeFile(await fileTarget(this.#root, target, context));
    return writeFile(this.#root, { path, content, block: context.block }, context.session);
  }

  @tool({
    description: 'The new lines. Replaces the lines of a range (a.ts:2-3) by the body, or the text `old` by `new`.',
    params: FILE_PARAMS.edit,
    body: 'content',
    range: true,
  })
  async edit({ target, old, new: replacement, all, content: body }: ArgsOf<'edit'>, context: ToolContext) {
    const { path, range } = await fileTarget(this.#root, target, context);
    return editFile(this.#root, { path, range, old, replacement, all, body, block: context.block }, context.session);
  }

  @tool({ description: 'Paths of the files that match a pattern such as src/**/*.ts.', params: FILE_PARAMS.glob })
  glob({ pattern, all }: ArgsOf<'glob'>, { signal }: ToolContext) {
    return globFiles(this.#root, { pattern, all, signal });
  }

  @tool({ description: 'Lines that match a regular expression, as path:line: text.', params: FILE_PARAMS.grep })
  grep({ pattern: argument, path, all }: ArgsOf<'grep'>, { signal }: ToolContext) {
    return grepFiles(this.#root, { argument, path, all, signal });
  }
}
