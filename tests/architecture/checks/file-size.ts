import { isTest } from '../source/file-kind.ts';
import { modulesOf } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';

/** Longest source file, in lines. */
export const SOURCE_LINES = 400;

/** No file is longer than can be read in one go. */
export function checkFileSize(repository: Repository): readonly Violation[] {
  return modulesOf(repository).flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length;
    if (isTest(path) || lines <= SOURCE_LINES) return [];
    return [{ path, message: `has ${lines} lines, limit ${SOURCE_LINES}: split it by purpose` }];
  });
}
