import { basename } from 'node:path';
import { realPath } from '../disk/read-files.ts';
import { codeDigest } from './reached-files.ts';
import type { TrustSubject } from './trust-subject.ts';

/**
 * A file of settings as a person is asked about it: with every file of the project that it imports.
 *
 * @param file absolute
 * @param about what is in it, line by line
 */
export function configurationSubject(file: string, about: readonly string[]): TrustSubject {
  return { kind: 'configuration', name: basename(file), path: realPath(file) ?? file, digest: codeDigest(file), about };
}
