import { ParameterError, ResourceError } from '@bae/core';
import { formatPath, type WorkspaceRoot } from '@bae/workspace';
import type { Git } from './run-git.ts';

interface Repository {
  readonly root: WorkspaceRoot;
  readonly git: Git;
}

/** What a command of git is about. */
export interface GitTarget {
  readonly revisions: readonly string[];
  /** File or folder; `''` for all. */
  readonly place: string;
  /** True if the text is the name of a revision and of a path: it is read as the revision. */
  readonly isBoth?: boolean;
}

/**
 * Reads a target as git reads its arguments: `main..HEAD`, `src/a.ts`, `HEAD src/a.ts`, `HEAD -- src/a.ts`. A name that
 * is both is a revision.
 *
 * @throws ParameterError for text that git would take for an option
 * @throws ResourceError for lines of a file
 */
export async function readTarget(
  repository: Repository,
  { target, path: place }: { readonly target: string; readonly path: string },
  signal: AbortSignal,
): Promise<GitTarget> {
  const given = target.trim();
  if (place !== '' || given === '') return { revisions: readRevisions(given), place };
  const [, before = '', marked] = /^(?:(\S+)\s+)?--\s+(.+)$/s.exec(given) ?? [];
  if (marked !== undefined) return { revisions: readRevisions(before), place: marked };
  const { root } = repository;
  if (await root.exists(given)) {
    if (await isRevision(repository, given, signal)) return { revisions: readRevisions(given), place, isBoth: true };
    return { revisions: [], place: given };
  }
  const [, revision = '', path = ''] = /^(\S+)\s+(.+)$/s.exec(given) ?? [];
  if (path !== '' && (await root.exists(path))) return { revisions: readRevisions(revision), place: path };
  const [, file = ''] = /^(.+?):\d+(?:[-:]\d*)?$/s.exec(given) ?? [];
  if (file !== '' && (await root.exists(file)))
    throw new ResourceError(`lines of ${formatPath(file)} have no history here but that of each line.`, [
      `<blame:${given}>`,
      `<log:${file}>`,
    ]);
  return { revisions: readRevisions(given), place };
}

/**
 * Separates a revision from the file in it: `HEAD~1:src/a.ts`; `:src/a.ts` and `:0:src/a.ts` are a file as it is staged,
 * but `:/text` is a commit. Undefined if no file is named.
 */
export function readFileVersion(revision: string): { readonly at: string; readonly file: string } | undefined {
  const [, at, file] = /^(?!:\/)(:[0-3](?=:)|[^:]*):(.+)$/s.exec(revision) ?? [];
  return at === undefined || file === undefined ? undefined : { at, file };
}

/** A file whose lines are asked about, and a revision; `''` for now. */
export interface BlameTarget {
  readonly file: string;
  readonly revision: string;
}

/**
 * Reads which file is meant: one that is there, one with a revision before or behind it, or one of a revision.
 *
 * @throws ResourceError for what is no file
 */
export async function readBlameTarget(
  repository: Repository,
  { target, revision }: { readonly target: string; readonly revision: string },
  signal: AbortSignal,
): Promise<BlameTarget> {
  const { root } = repository;
  if (await root.exists(target)) {
    const { kind } = await root.info(target);
    if (kind !== 'folder') return { file: target, revision };
    throw new ResourceError(`${formatPath(target)} is a folder, and blame takes a file.`, [
      `<log:path=${quotePath(target)}>`,
      `<home.R:${target}>`,
    ]);
  }
  if (revision !== '') return { file: target, revision };
  const [, first = '', rest = ''] = /^(\S+)\s+(?:--\s+)?(.+)$/s.exec(target) ?? [];
  if (rest !== '' && (await root.exists(rest))) return { file: rest, revision: first };
  const [, start = '', last = ''] = /^(.+?)\s+(\S+)$/s.exec(target) ?? [];
  if (start !== '' && (await root.exists(start))) return { file: start, revision: last };
  if (await isRevision(repository, target, signal))
    throw new ResourceError(`${target} is a revision, and blame takes a file.`, [`<show:${target}>`, '<home.R:.>']);
  throw new ResourceError(`there is no file ${formatPath(target)}. If there was one, its history says when it went.`, [
    `<log:path=${quotePath(target)}>`,
    `<home.G:**/${target.slice(target.lastIndexOf('/') + 1)}>`,
  ]);
}

/** @throws ParameterError for text that git would take for an option */
export function readRevisions(target: string): readonly string[] {
  const revision = target.trim();
  if (revision === '') return [];
  if (!/^-|[\s\0]/.test(revision)) return [revision];
  throw new ParameterError(`${JSON.stringify(revision)} is no revision.`, ['<log:main>', '<diff:main..HEAD>']);
}

async function isRevision({ git }: Repository, given: string, signal: AbortSignal): Promise<boolean> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', given];
  return (await git.run({ args, signal, alsoFine: [1, 128] })) !== '';
}

/** Tests for the name of a path or a revision. */
export async function isPathOrRevision(repository: Repository, name: string, signal: AbortSignal): Promise<boolean> {
  return (await repository.root.exists(name)) || isRevision(repository, name, signal);
}

/** Writes a path as the value of an option in a tag. */
export function quotePath(path: string): string {
  return /^[\w./@+-]+$/.test(path) ? path : JSON.stringify(path);
}
