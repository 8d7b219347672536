const ERROR =
  /(?<![\w./-])(?:error|fail(?:ed|ure|ing)?|fatal|panic(?:ked)?|exception|traceback|critical|denied|aborted)(?![\w-]*[.\w])|[✗✘✖×❌]|^E\s{2,}|^\s*not ok \d|\w(?:Error|Exception)\b/i;
/** Line that says that something did not fail, or that only names an error. */
export const NO_ERROR =
  /[✓✔]|^\s*(?:ok \d|# Subtest: |PASS\b|--- PASS|(?:name|code|failureType): ['"]|(?:!error|name: \w*Error|stack: [>|]-?)$)|\b(?:0|no) (?:errors?|fail(?:ed|ures?|ing)?)\b|\bfail(?:ed|ures?|ing)?[:=]\s*0\b|^[#ℹ] fail 0$|\.{3} ok$/i;
/** Place in a stack that is not of the project. */
export const FRAME_OF_LIBRARY =
  /node_modules|\(?node:|\(<anonymous>\)|at <anonymous>$|site-packages|\/usr\/lib|dist-packages|\bjava\.|\bsun\.|\/rustc\//;
/** Place in a stack. */
export const FRAME = /^\s+at \S|^(?:INTERNALERROR>)?\s+File "[^"]+", line \d+|^\s+\S+\.go:\d+|^\s*\d+: 0x[0-9a-f]+/;
/** Line of a test report that adds nothing to the verdict on its test. */
export const REPORT_FRAME =
  /^\s*(?:\\?---|\.\.\.|duration_ms: [\d.]+|(?:type|failureType|operator): '\w+'|stack: [>|]-?|error: '\d+ subtests? failed'|1\.\.\d+|# Subtest: .*)$/;

/** What pytest puts before every line of its own failure: alone it says nothing. */
const PREFIX = /^INTERNALERROR> ?/;

/** Returns true for a line that reports an error, not the absence of errors. */
export function isErrorLine(written: string): boolean {
  const line = written.replace(PREFIX, '');
  return ERROR.test(line) && !NO_ERROR.test(line) && !FRAME.test(line) && !REPORT_FRAME.test(line);
}

/** Returns true for a place in a stack that is not of the project. */
export function isLibraryFrame(line: string): boolean {
  return FRAME.test(line) && FRAME_OF_LIBRARY.test(line);
}

/** Returns a line without its variable parts: numbers, times, and hexadecimal identifiers. */
export function normalizeLine(line: string): string {
  return line
    .slice(0, 400)
    .replace(/\b(?=[a-f\d-]*\d)[a-f\d-]{7,}\b/gi, '#')
    .replace(/\d+/g, '#');
}
