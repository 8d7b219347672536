import { isTest } from '../source/file-kind.ts';
import type { Repository } from '../source/repository.ts';
import { modulesOf } from '../source/module.ts';
import type { Violation } from '../source/violation.ts';

/** Longest source file and longest test file, in lines. */
export const SOURCE_LINES = 250;
export const TEST_LINES = 400;

/** No file is longer than can be read in one go. */
export function checkFileSize(repository: Repository): readonly Violation[] {
  return modulesOf(repository).flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length;
    const limit = isTest(path) ? TEST_LINES : SOURCE_LINES;
    return lines > limit ? [{ path, message: `has ${lines} lines, limit ${limit}: split it by purpose` }] : [];
  });
}
