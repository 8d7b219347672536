import { relative } from 'node:path';
import { findNearestName, ResourceError } from '@bae/core';
import { runProgram } from '@bae/project';
import type { WorkspaceRoot } from '@bae/workspace';

/** Settings that keep git from running code from the repository and from fetching anything. */
const SETTINGS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.editor=false',
  'core.sshCommand=false',
  'core.quotePath=false',
  'color.ui=false',
  'commit.gpgSign=false',
  'tag.gpgSign=false',
  'gpg.program=false',
  'gpg.ssh.program=false',
  'gpg.x509.program=false',
  'log.showSignature=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.allow=never',
  'credential.helper=',
  'submodule.recurse=false',
  'diff.ignoreSubmodules=dirty',
  'safe.bareRepository=explicit',
] as const;

/** Variable with an empty value, for settings whose name may contain `=`. */
const NOTHING = 'BAE_NOTHING';

const ENVIRONMENT = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_PAGER: 'cat',
  [NOTHING]: '',
  LC_ALL: 'C.UTF-8',
} as const;

export interface GitRequest {
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  /** Exit codes that count as success, besides 0. Default: none. */
  readonly alsoFine?: readonly number[];
}

/** Runs the git of this machine in the repository that contains a workspace. */
export class Git {
  readonly #root: WorkspaceRoot;

  constructor(root: WorkspaceRoot) {
    this.#root = root;
  }

  /**
   * Runs git and returns its output.
   *
   * @throws ResourceError if there is no repository, or with git's message if it fails
   */
  async run({ args, signal, alsoFine = [] }: GitRequest): Promise<string> {
    const filters = await this.listOwnFilters(signal);
    const off = filters.flatMap((name) =>
      ['clean', 'smudge', 'process', 'required'].map((field) => `--config-env=filter.${name}.${field}=${NOTHING}`),
    );
    return this.#start({ args: [...makeSettings(SETTINGS), ...off, ...args], signal, alsoFine });
  }

  /**
   * Checks that git works on the files of the workspace, because the settings of a repository could point elsewhere.
   *
   * @throws ResourceError if there is no repository, or it points elsewhere
   */
  async checkPlace(signal: AbortSignal): Promise<void> {
    const top = (await this.run({ args: ['rev-parse', '--show-toplevel'], signal })).trimEnd();
    if (!relative(top, this.#root.folder).startsWith('..')) return;
    throw new ResourceError('the settings of this repository lead to files outside of the workspace.', ['@home()']);
  }

  /**
   * Returns true if a revision or range names the content of a file, which git shows without the name of the file: an
   * object by its hash or tag, or a path in a commit or in the index.
   */
  async namesContent(revision: string, signal: AbortSignal): Promise<boolean> {
    const ask = async (...args: readonly string[]) =>
      (await this.#start({ args: [...makeSettings(SETTINGS), ...args], signal, alsoFine: [128] })).trim();
    const type = await ask('cat-file', '-t', revision);
    if (type === 'commit' || type === 'tree') return false;
    if (type === 'blob') return true;
    const objects = (await ask('rev-parse', '--end-of-options', revision)).match(OBJECT) ?? [];
    const types = await Promise.all(objects.map((object) => ask('cat-file', '-t', `${object}^{}`)));
    return types.includes('blob');
  }

  /** Lists the file filters that the repository itself configures: programs, which must not run here. */
  async listOwnFilters(signal: AbortSignal): Promise<readonly string[]> {
    const list = ['config', '--includes', '--show-scope', '--name-only', '--null', '--get-regexp', '^filter\\.'];
    const output = await this.#start({ args: [...makeSettings(SETTINGS), ...list], signal, alsoFine: [1] });
    const parts = output.split('\0');
    const names = parts.flatMap((scope, index) => {
      if (scope !== 'local' && scope !== 'worktree') return [];
      return /^filter\.(.+)\.[^.]+$/.exec(parts[index + 1] ?? '')?.[1] ?? [];
    });
    return [...new Set(names)];
  }

  async #start({ args, signal, alsoFine = [] }: GitRequest): Promise<string> {
    const { folder } = this.#root;
    const program = { command: 'git', args, folder, inherits: 'basics', environment: ENVIRONMENT } as const;
    const { code, output, errors } = await runProgram(program, signal).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      throw new ResourceError('git is not installed. The user can install it.', ['@home()'], error);
    });
    if (code === 0 || (code !== null && alsoFine.includes(code))) return output;
    const text = (errors || output).replaceAll(/^(?:fatal|error|hint): /gm, '').trim();
    const [, unknown] = UNKNOWN_REVISION.exec(text) ?? [];
    // The names of branches are asked for only by a question about one.
    if (unknown !== undefined && args[0] !== 'for-each-ref')
      throw await this.#explainUnknown(unknown, { text, command: args[0] }, signal);
    throw explainFailure(text);
  }

  /** Says which branches and tags have a name like one that is not there: `origin/next` for `next`. */
  async #explainUnknown(
    name: string,
    { text, command }: { readonly text: string; readonly command: string | undefined },
    signal: AbortSignal,
  ): Promise<ResourceError> {
    const last = name.slice(name.lastIndexOf('/') + 1).replace(/[~^].*$/, '');
    const args = ['for-each-ref', '--format=%(refname:short)'];
    const names = (await this.run({ args, signal, alsoFine: [128] })).split('\n').filter((ref) => ref !== '');
    const best = names.find((ref) => ref === last || ref.endsWith(`/${last}`)) ?? findNearestName(last, names);
    const meant = best === undefined ? '' : ` Did you mean ${best}?`;
    // A file that no longer exists is a path only where it is said to be one.
    const ofPath = `<${command === 'diff' ? 'diff' : 'log'}:path=${name}>`;
    const history = name.includes('..') || best !== undefined ? [] : [ofPath];
    const hints = best === undefined ? [] : [`<show:${best}>`, `<log:${best}>`];
    return new ResourceError(`git: ${text.slice(0, LONGEST_CAUSE)}${meant}`, [
      ...hints,
      ...history,
      '<branches:>',
      '<log:>',
    ]);
  }
}

/** Hash of an object, in a line of git. */
const OBJECT = /(?<=^\^?)[0-9a-f]{40,64}$/gm;

const UNKNOWN_REVISION = /^(?:bad revision|ambiguous argument|invalid object name) '([\w@./~^-]+)'/;

function makeSettings(settings: readonly string[]): readonly string[] {
  return ['--no-pager', ...settings.flatMap((setting) => ['-c', setting])];
}

const LONGEST_CAUSE = 600;

/** @param text what git printed, without `fatal:` before it */
function explainFailure(text: string): ResourceError {
  // The rest is a line of that file, which can be any file of this machine.
  if (text.startsWith('invalid object name: '))
    return new ResourceError('the file of the setting blame.ignoreRevsFile does not list commits.', ['<log:>']);
  if (text.startsWith('not a git repository'))
    return new ResourceError('this folder is not in a git repository. Ask the user to create one: git init', [
      '@home()',
    ]);
  if (/dubious ownership/.test(text)) {
    const fact = 'the repository belongs to another user, and git refuses to read it.';
    return new ResourceError(`${fact} Ask the user whether to trust it: git config --global --add safe.directory`, [
      '@home()',
    ]);
  }
  return new ResourceError(`git: ${text.slice(0, LONGEST_CAUSE)}`, ['<status:>', '<log:>']);
}
