// A reporter for jest, whose report in JSON is only written at the end: it writes which files have begun and ended. It
// runs in the process of the tests and imports no other file of this package.
import { appendFileSync } from 'node:fs';
import type { JsonOutcome, ProgressLine } from './test-report.ts';

interface TestFile {
  readonly path: string;
}

interface FileResult {
  readonly failureMessage?: string | null;
  readonly testResults?: readonly JsonOutcome[];
}

class ProgressReporter {
  readonly #path: string;

  constructor({ outputFile = '' }: { readonly outputFile?: string }) {
    this.#path = `${outputFile}.progress`;
  }

  onTestFileStart({ path }: TestFile): void {
    this.#write({ file: path, begun: true });
  }

  onTestCaseStart({ path }: TestFile, { title }: { readonly title: string }): void {
    this.#write({ file: path, begun: true, title });
  }

  onTestFileResult({ path }: TestFile, { failureMessage, testResults = [] }: FileResult): void {
    const ended = { name: path, message: failureMessage ?? '', assertionResults: testResults };
    this.#write({ file: path, ended });
  }

  #write(line: ProgressLine): void {
    appendFileSync(this.#path, `${JSON.stringify(line)}\n`);
  }
}

// Jest loads the default export of a reporter. Before version 24 it takes what `require` returns, which is the export of
// this other name.
// oxlint-disable-next-line import/no-default-export -- the name is jest's
export { ProgressReporter as default, ProgressReporter as 'module.exports' };
