import { parseSync, type Comment, type Program } from 'oxc-parser';
import type { Repository, RepositoryFile } from './repository.ts';

/** A source file with its syntax tree. */
export interface Module extends RepositoryFile {
  readonly program: Program;
  readonly comments: readonly Comment[];
  /** 1-based line of an offset into the text. */
  lineAt(offset: number): number;
}

const MODULE = /(?<!\.d)\.(ts|tsx|mts|mjs)$/;
const parsed = new WeakMap<RepositoryFile, Module>();

/** The parsed TypeScript and JavaScript files of a repository. */
export function modulesOf(repository: Repository): readonly Module[] {
  return repository.files.filter((file) => MODULE.test(file.path)).map(moduleOf);
}

function moduleOf(file: RepositoryFile): Module {
  const known = parsed.get(file);
  if (known !== undefined) return known;
  const { program, comments, errors } = parseSync(file.path, file.text, { sourceType: 'module' });
  if (errors.length > 0) throw new SyntaxError(`${file.path}: ${errors[0]!.message}`);
  const starts = lineStarts(file.text);
  const module = { ...file, program, comments, lineAt: (offset: number) => lineOf(starts, offset) };
  parsed.set(file, module);
  return module;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineOf(starts: readonly number[], offset: number): number {
  const after = starts.findIndex((start) => start > offset);
  return after < 0 ? starts.length : after;
}
