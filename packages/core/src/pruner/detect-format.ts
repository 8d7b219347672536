import type { TextFormat } from '../protocol/tool-definition.ts';
import { isRowText } from './rank-rows.ts';
import { isDeclaration } from './declarations.ts';
import { isErrorLine, SUMMARY, SUMMARY_LINES } from './rank-lines.ts';

const SAMPLE = 200;

const DIFF = /^(?:diff --git |Index: |--- )[^\n]*(?:\n(?!@@)[^\n]*){0,8}\n@@ /;
const HTML = /^\s*(?:<!doctype html\b|<html\b|<(?:head|body|div|table|main|article|section|ul|p)\b[^>]*>)/i;
/** Report in the Test Anything Protocol. */
const TEST_REPORT = /^(?:TAP version \d+\r?$|1\.\.\d+\r?\n(?:not )?ok \d)/m;
const LOG_LINE =
  /^\W{0,3}\d{4}[-/]\d\d[-/]\d\d[T ]|^\W{0,3}\d\d:\d\d:\d\d|\b(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)\b|^\S+:[\w-]+: |^[$>=]{1,3} |^\[[\w-]+\] |^\s*(?:[✓✔✗✘✖×❯]|ok \d|not ok\b|PASS\b|FAIL\b|---? (?:PASS|FAIL)|npm (?:ERR|error|warn)|\s+at \S.*:\d+|File "[^"]+", line \d)/;
const CODE_LINE =
  /[{}()[\];,:]\s*$|^\s*(?:import|from|#include|use|using|return|if|for|while|elif|else|end)\b|^\s*(?:\/\/|\/?\*|#)/;

/** Markdown headings (`# x` alone may be a comment), lists and tables. */
const MARKDOWN_LINE = /^\s*[-*] \S|^\||^#{2,6} \S/;

export function isDiff(text: string): boolean {
  return DIFF.test(text.slice(0, 4000));
}

/** Detects the format of a text with many lines from the form of most of them. */
export function detectFormat(text: string): TextFormat {
  if (isDiff(text)) return 'diff';
  if (HTML.test(text.slice(0, 500))) return 'html';
  if (TEST_REPORT.test(text)) return 'log';
  const lines = sampleLines(text).filter((line) => line.trim() !== '');
  const share = (test: (line: string) => boolean) => lines.filter(test).length / Math.max(1, lines.length);
  if (isRowText(lines) && share(isErrorLine) < 0.3) return 'rows';
  if (isTable(lines)) return 'csv';
  if (share((line) => LOG_LINE.test(line)) >= 0.3) return 'log';
  const isMarkdown = share((line) => MARKDOWN_LINE.test(line)) > 0.15 || lines.some((line) => line.startsWith('```'));
  if (isMarkdown) return 'markdown';
  if (lines.filter(isDeclaration).length >= 2 && share((line) => CODE_LINE.test(line)) >= 0.4) return 'code';
  const hasSummary = lines.slice(-SUMMARY_LINES).some((line) => SUMMARY.test(line));
  return hasSummary || share(isErrorLine) >= 0.1 ? 'log' : 'markdown';
}

/**
 * Detects the format of what code has printed. The code chose what to print, so everything but diffs and tables is simply
 * cut in the middle.
 */
export function detectPrinted(text: string): TextFormat {
  const format = detectFormat(text);
  return format === 'diff' || format === 'csv' ? format : 'printed';
}

function sampleLines(text: string): string[] {
  const start = text.slice(0, SAMPLE * 100).split('\n', SAMPLE);
  if (text.length <= SAMPLE * 100) return start;
  const [, ...end] = text.slice(-SAMPLE * 50).split('\n');
  return [...start, ...end];
}

/** Returns true for lines that all have the same number of separators as the first one: at least two, or one tab. */
function isTable(lines: readonly string[]): boolean {
  if (lines.length < 5) return false;
  return ['\t', ',', ';'].some((separator) => {
    const count = countSeparators(lines[0]!, separator);
    return count >= (separator === '\t' ? 1 : 2) && lines.every((line) => countSeparators(line, separator) === count);
  });
}

function countSeparators(line: string, separator: string): number {
  return line.replace(/"[^"]*"/g, '').split(separator).length - 1;
}
