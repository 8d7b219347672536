import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';

/** Numbers of rules and places that only somebody with other documents at hand could look up. */
const ELSEWHERE: readonly RegExp[] = [
  /\b(FS|TSK|SRC|MEM|SCH|DSC|RSP)-?\d+\b/,
  /\b(rule|rules|see|per|by|decision) \(?[A-I]\d{1,2}\b/i,
  /(^|\s)\(?[A-I]\d{1,2}(, [A-I]\d{1,2})*\)(\s|[.,;:]|$)/,
  /\.\.\/shared\b|(?<![\w.-])\/work\//,
  /\b(spec|design|seeds|conformance)\/(protocol|loop|spaces|surface|safety|architecture|style|field|toolchain)\.md\b/,
];

const READ_BY_PEOPLE = /\.(ts|tsx|mts|mjs|md|ya?ml)$/;
/** The check and its test have to name what they look for. */
const EXEMPT = new Set([
  'tests/architecture/checks/stands-alone.ts',
  'tests/architecture/architecture.test.ts',
  'pnpm-lock.yaml',
]);

/** Everything one needs to understand this repository is in it. */
export function checkStandsAlone(repository: Repository): readonly Violation[] {
  return repository.files
    .filter(({ path }) => READ_BY_PEOPLE.test(path) && !EXEMPT.has(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const found = ELSEWHERE.map((pattern) => pattern.exec(line)?.[0]).find((match) => match !== undefined);
        if (found === undefined) return [];
        return [{ path, line: index + 1, message: `points outside the repository: ${found.trim()}` }];
      }),
    );
}
