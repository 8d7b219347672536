import { relative } from 'node:path';
import { type JsonModule, parseTestModule, type TestModuleResult } from './test-report.ts';

/** A line that a reporter writes while the tests run: a file or a test has begun, or a file has ended. */
export type ProgressLine =
  | { readonly file: string; readonly begun: true; readonly title?: string }
  | { readonly file: string; readonly ended: JsonModule };

/** How far a runner came. */
export interface TestProgress {
  /** Results of the files that ended. */
  readonly results: readonly TestModuleResult[];
  /** The files that had begun and not ended, with the title of the last test that began, or `''`. */
  readonly running: readonly { readonly file: string; readonly title: string }[];
}

/** Reads what a reporter has written beside its report; a last line that was cut off is left out. */
export function parseProgress(text: string): TestProgress {
  const running = new Map<string, string>();
  const results = new Map<string, TestModuleResult>();
  for (const line of text.split('\n').slice(0, -1)) {
    const one = JSON.parse(line) as ProgressLine;
    if ('begun' in one) {
      running.set(one.file, one.title ?? running.get(one.file) ?? '');
    } else {
      running.delete(one.file);
      results.set(one.file, parseTestModule(one.ended));
    }
  }
  return { results: [...results.values()], running: [...running].map(([file, title]) => ({ file, title })) };
}

/** Adds to the results who did not end in time, and what had not even begun. */
export function addUnended(
  { results, running }: TestProgress,
  { files, fact, project }: { readonly files: readonly string[]; readonly fact: string; readonly project: string },
): readonly TestModuleResult[] {
  const known = new Set([...results, ...running].map(({ file }) => file));
  const waiting = files.filter((file) => !known.has(file)).map((file) => relative(project, file));
  return [
    ...results,
    ...running.map(({ file, title }, index) => ({
      file,
      cases: [],
      failure: [
        title === '' ? fact : `${fact} while it ran '${title}'`,
        ...(index === 0 && waiting.length > 0 ? [`not begun by then: ${waiting.join(', ')}`] : []),
      ].join('\n'),
    })),
  ];
}
