import { stripVTControlCharacters } from 'node:util';
import type { TestCase, TestModuleResult } from './test-report.ts';

/**
 * Parses the output of one file in the Test Anything Protocol, with groups as indented subtests; returns undefined for
 * other output. Source: https://testanything.org/tap-version-14-specification.html
 */
export function parseTap(output: string, file: string): TestModuleResult | undefined {
  const lines = stripVTControlCharacters(output).split(/\r?\n/);
  if (!lines.some((line) => /^TAP version \d+|^\s*1\.\.\d+/.test(line))) return undefined;
  const cases: TestCase[] = [];
  const groups: { readonly depth: number; readonly title: string }[] = [];
  let failure = '';
  const isIndented = lines.some((line) => /^ +(?:not )?ok\b/.test(line));
  for (const [at, line] of lines.entries()) {
    const depth = /^ */.exec(line)![0].length;
    const title =
      /^ *# Subtest: (.*)$/.exec(line)?.[1] ?? /^# (?!tests |pass |fail |skip|todo|time|ok$)(\S.*)$/.exec(line)?.[1];
    if (title !== undefined) {
      while (groups.length > 0 && groups.at(-1)!.depth >= depth) groups.pop();
      groups.push({ depth, title });
      continue;
    }
    if (/^ *Bail out!/.test(line)) failure = line.trim();
    const found = /^ *(not )?ok\b\s*\d*\s*(?:- )?(.*)$/.exec(line);
    if (found === null) continue;
    const [, not, said = ''] = found;
    const [, name = said, directive = ''] = /^(.*?)\s+#\s*(skip|todo)\b.*$/i.exec(said) ?? [];
    const bare = name
      .replace(/\s+#\s*time=\S+$/, '')
      .replace(/\s*\{$/, '')
      .trim();
    // The line for a group follows its members.
    const group = groups.findLast((one) => one.title === bare && one.depth >= depth);
    const hasMembers = group !== undefined && cases.some(({ titles }) => titles.length > 1 && titles.includes(bare));
    if (hasMembers && lines[at - 1]?.startsWith(' ')) continue;
    // Members of a group are indented deeper than the line with its name, except for groups that only comments name.
    const around = groups.filter((one) => one.title !== bare && (one.depth < depth || (depth === 0 && !isIndented)));
    const titles = around.map((one) => one.title);
    const status = directive !== '' ? 'skipped' : not === undefined ? 'passed' : 'failed';
    const reason = status === 'failed' ? readDiagnosis(lines, at + 1) || bare : '';
    cases.push({ titles: [...titles, bare], status, failure: reason });
  }
  // Failures of a file that planned no tests are its own: it could not be loaded.
  const isUnloaded = lines.some((line) => /^1\.\.0\b/.test(line)) && cases.every(({ status }) => status === 'failed');
  const [first] = cases;
  return isUnloaded && first !== undefined
    ? { file, cases: [], failure: failure || first.failure }
    : { file, cases, failure };
}

/** A field of a diagnosis: its value on the same line, or the lines below it. */
interface DiagnosisField {
  readonly name: string;
  readonly value: string;
  readonly lines: readonly string[];
  /** How the lines below are joined to a text of several lines. */
  readonly glue?: string;
}

/**
 * Reads the YAML block after the line of a test in the Test Anything Protocol: the message, the values, and then the
 * places as lines of a stack. Returns `''` if there is none.
 *
 * @param from the index of the line after that of the test
 */
function readDiagnosis(lines: readonly string[], from: number): string {
  if (lines[from]?.trim() !== '---') return '';
  const end = lines.findIndex((line, index) => index > from && line.trim() === '...');
  const indent = /^ */.exec(lines[from + 1] ?? '')![0].length;
  const block = lines.slice(from + 1, end === -1 ? from + 12 : end).map((line) => line.slice(indent).trimEnd());
  const fields = readFieldLines(block);
  const find = (name: string) => {
    const { value = '', lines: below = [], glue } = fields.find((field) => field.name === name) ?? {};
    return glue === undefined ? value : below.join(glue).trim();
  };
  const what = [find('name'), find('message') || find('assertion')].filter((part) => part !== '').join(': ');
  const values = fields.flatMap((field) => (KNOWN.has(field.name) ? [] : renderField(field)));
  const stack = fields.flatMap(({ name, value, lines: below }) =>
    PLACES.has(name) ? [value, ...below].map((line) => line.trim()) : [],
  );
  const places = stack.filter((line) => /:\d+:\d+\)?$/.test(line)).map((line) => `    at ${line.replace(/^at /, '')}`);
  return [...(what === '' ? [] : [what]), ...values, ...places].join('\n');
}

const PLACES: ReadonlySet<string> = new Set(['at', 'stack']);
const KNOWN: ReadonlySet<string> = new Set(['name', 'message', 'assertion', ...PLACES]);

const FIELD = /^('(?:[^']|'')*'|"(?:[^"\\]|\\.)*"|[\w$-]+):(?: (.*))?$/;
/** The start of a text of several lines: `|-`, `|2-`, `>`. */
const BLOCK = /^[|>]\d?[+-]?$/;

function readFieldLines(block: readonly string[]): readonly DiagnosisField[] {
  const fields: { name: string; value: string; lines: string[]; glue?: string }[] = [];
  for (const line of block) {
    const [, name, value = ''] = FIELD.exec(line) ?? [];
    if (name !== undefined)
      fields.push({
        name: readScalar(name),
        value: BLOCK.test(value) ? '' : readScalar(value),
        lines: [],
        ...(BLOCK.test(value) && { glue: value.startsWith('>') ? ' ' : '\n' }),
      });
    else fields.at(-1)?.lines.push(line.slice(2));
  }
  return fields;
}

/** Fields of ava that hold others. */
const GROUPS: ReadonlySet<string> = new Set(['values', 'details']);

/** Renders the fields of a group, and every other field, without the signs of YAML. */
function renderField({ name, value, lines }: DiagnosisField): readonly string[] {
  const inner = GROUPS.has(name) ? readFieldLines(lines) : [];
  if (inner.length > 0) return inner.flatMap(renderField);
  const label = name.endsWith(':') ? name : `${name}:`;
  return [value === '' ? label : `${label} ${value}`, ...lines];
}

function readScalar(text: string): string {
  const [, single, double] = /^(?:'(.*)'|"(.*)")$/s.exec(text.trim()) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  return double === undefined ? text.trim() : double.replaceAll(/\\(["\\])/g, '$1');
}
