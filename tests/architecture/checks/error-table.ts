import { isProduct } from '../source/file-kind.ts';
import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';

/** Where every error is explained. */
export const ERROR_TABLE = 'docs/reference/errors.md';

const RAISED = /\bcode: '(BAE_[A-Z_]+)'/g;
const EXPLAINED = /^\| `(BAE_[A-Z_]+)` \|/gm;

/** Every error code is explained exactly once, and nothing is explained that cannot happen. */
export function checkErrorTable(repository: Repository): readonly Violation[] {
  const raised = repository.files.filter(({ path }) => isProduct(path) && path.endsWith('.ts')).flatMap(codesIn);
  const table = repository.files.find(({ path }) => path === ERROR_TABLE);
  const explained = [...(table?.text ?? '').matchAll(EXPLAINED)].map((match) => match[1]!);
  const missing = raised.filter(({ code }) => !explained.includes(code));
  const stale = explained.filter((code) => !raised.some((one) => one.code === code));
  const twice = explained.filter((code, index) => explained.indexOf(code) !== index);
  return [
    ...missing.map(({ code, path }) => ({ path, message: `raises ${code}, which has no row in ${ERROR_TABLE}` })),
    ...stale.map((code) => ({ path: ERROR_TABLE, message: `explains ${code}, which nothing raises` })),
    ...twice.map((code) => ({ path: ERROR_TABLE, message: `explains ${code} twice` })),
  ];
}

function codesIn({
  path,
  text,
}: {
  readonly path: string;
  readonly text: string;
}): readonly { code: string; path: string }[] {
  return [...text.matchAll(RAISED)].map((match) => ({ code: match[1]!, path }));
}
