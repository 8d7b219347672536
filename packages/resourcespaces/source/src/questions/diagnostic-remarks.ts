import { basename } from 'node:path';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';
import type { DiagnosticReport } from '../type-service/find-diagnostics.ts';
import type { ModuleFiles } from '../module-types/module-types.ts';

/** Names that are listed one by one. */
const NAMED = 5;
const MOST_SETTINGS = 3;
/** Longest sentence of a problem with settings, in characters. */
const LONGEST = 160;

/** What files are called by. */
interface Names {
  readonly catalog: CodeCatalog;
  readonly files: ModuleFiles;
}

interface Checked extends Names {
  /** What was to be checked. */
  readonly modules: readonly CodeModule[];
}

/** What there is to know of a check besides errors: what could not be checked as it is meant to be, and why. */
export function diagnosticRemarks(report: DiagnosticReport, checked: Checked): readonly string[] {
  return [...settingsRemarks(report, checked), ...uncheckedRemarks(report, checked), ...looseRemarks(report, checked)];
}

function settingsRemarks(report: DiagnosticReport, names: Names): readonly string[] {
  const all = settingsProblems(report, names);
  const more = all.length - MOST_SETTINGS;
  return more > 0 ? [...all.slice(0, MOST_SETTINGS), `settings: ${more} more problems`] : all;
}

/** What is wrong with settings, a line each. Settings files are no modules: they are named by their package. */
export function settingsProblems({ problems }: DiagnosticReport, { catalog, files }: Names): readonly string[] {
  const rows = problems.map(({ file, code, message }) => {
    const path = files.pathOf(file);
    const owner = catalog.packages.find(({ folder }) => folder !== '' && path.startsWith(`${folder}/`));
    const where = owner === undefined ? basename(file) : `${basename(file)} of ${owner.label}`;
    return `settings: ${where}: TS${code}: ${firstSentence(message)}`;
  });
  return [...new Set(rows)];
}

/** The rest of such a message says how the compiler came to look there. */
function firstSentence(message: string): string {
  return message.replace(/(?<=[.'"]) (?=[A-Z]).*$/s, '').slice(0, LONGEST);
}

/** Files that should have been checked and could not be, and why. */
export function missedFiles(report: DiagnosticReport): { readonly files: readonly string[]; readonly why: string } {
  const { unchecked, loose, isOutOfTime } = report;
  return {
    files: unchecked.filter((file) => !loose.includes(file)),
    why: isOutOfTime ? 'no time' : 'unreadable',
  };
}

function uncheckedRemarks(report: DiagnosticReport, { modules, catalog, files }: Checked): readonly string[] {
  const { unchecked, loose } = report;
  const left = missedFiles(report);
  const names = (of: readonly string[]) => {
    const all = of.map((file) => catalog.moduleAt(files.pathOf(file))?.name ?? basename(file));
    return all.length > NAMED ? `${all.slice(0, NAMED).join(', ')} and ${all.length - NAMED} more` : all.join(', ');
  };
  const isSkipped = loose.some((file) => unchecked.includes(file)) && loose.length < modules.length;
  return [
    ...(left.files.length > 0 ? [`not checked (${left.why}): ${names(left.files)}`] : []),
    ...(isSkipped ? [`left out, since they are in no tsconfig: ${names(loose)}`] : []),
  ];
}

/** Without settings, JavaScript is looked at for syntax only, and TypeScript as the compiler likes it. */
function looseRemarks({ loose }: DiagnosticReport, { modules }: Checked): readonly string[] {
  if (modules.length === 0 || loose.length < modules.length) return [];
  const isScript = modules.every(({ path }) => /\.[cm]?jsx?$/.test(path));
  if (isScript) return ['only syntax was checked: no tsconfig or jsconfig includes this JavaScript'];
  return ["no tsconfig includes this: checked with the compiler's defaults"];
}
