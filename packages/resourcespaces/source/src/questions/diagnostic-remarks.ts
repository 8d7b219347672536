import { basename } from 'node:path';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { CodeModule } from '../modules/code-module.ts';
import type { DiagnosticReport } from '../type-service/find-diagnostics.ts';
import type { ModuleFiles } from '../types-of-modules/module-files.ts';

/** Names that are listed one by one. */
const NAMED = 5;
const MOST_SETTINGS = 3;
/** Longest sentence of a problem with settings, in characters. */
const LONGEST = 160;

interface Checked {
  /** What was to be checked. */
  readonly modules: readonly CodeModule[];
  readonly catalog: CodeCatalog;
  readonly files: ModuleFiles;
}

/** What there is to know of a check besides errors: what could not be checked as it is meant to be, and why. */
export function diagnosticRemarks(report: DiagnosticReport, checked: Checked): readonly string[] {
  return [...settingsRemarks(report, checked), ...uncheckedRemarks(report, checked), ...looseRemarks(report, checked)];
}

/** Settings files are no modules: they are named by their package. */
function settingsRemarks({ problems }: DiagnosticReport, { catalog, files }: Checked): readonly string[] {
  const rows = problems.map(({ file, code, message }) => {
    const path = files.pathOf(file);
    const owner = catalog.packages.find(({ folder }) => folder !== '' && path.startsWith(`${folder}/`));
    const where = owner === undefined ? basename(file) : `${basename(file)} of ${owner.label}`;
    return `settings: ${where}: TS${code}: ${firstSentence(message)}`;
  });
  const unlike = [...new Set(rows)];
  const more = unlike.length - MOST_SETTINGS;
  return more > 0 ? [...unlike.slice(0, MOST_SETTINGS), `settings: ${more} more problems`] : unlike;
}

/** The rest of such a message says how the compiler came to look there. */
function firstSentence(message: string): string {
  return message.replace(/(?<=[.'"]) (?=[A-Z]).*$/s, '').slice(0, LONGEST);
}

function uncheckedRemarks(
  { unchecked, loose, isOutOfTime }: DiagnosticReport,
  { modules, catalog, files }: Checked,
): readonly string[] {
  const left = unchecked.filter((file) => !loose.includes(file));
  const names = (of: readonly string[]) => {
    const all = of.map((file) => catalog.moduleAt(files.pathOf(file))?.name ?? basename(file));
    return all.length > NAMED ? `${all.slice(0, NAMED).join(', ')} and ${all.length - NAMED} more` : all.join(', ');
  };
  const isSkipped = loose.some((file) => unchecked.includes(file)) && loose.length < modules.length;
  return [
    ...(left.length > 0 ? [`not checked (${isOutOfTime ? 'no time' : 'unreadable'}): ${names(left)}`] : []),
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
