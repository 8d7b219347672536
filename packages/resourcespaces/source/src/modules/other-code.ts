import { formatQuantity, type WorkspaceRoot } from '@bae/workspace';
import type { ModuleIndex } from './module-index.ts';

/** Names of languages by file extension. */
const NAMES: Readonly<Record<string, string>> = {
  py: 'Python',
  go: 'Go',
  rs: 'Rust',
  java: 'Java',
  kt: 'Kotlin',
  rb: 'Ruby',
  php: 'PHP',
  cs: 'C#',
  c: 'C',
  h: 'C',
  cc: 'C++',
  cpp: 'C++',
  hpp: 'C++',
  swift: 'Swift',
  dart: 'Dart',
  ex: 'Elixir',
  scala: 'Scala',
  lua: 'Lua',
};
const MOST = 3;

/** Returns the language of a file that is no module of a built-in language; undefined for every other file. */
export function nameOtherLanguage(path: string): string | undefined {
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return Object.hasOwn(NAMES, ending) && path.includes('.') ? NAMES[ending] : undefined;
}

/** Lists the supported languages: `TypeScript, JavaScript, Vue and Svelte`. */
export function listLanguages({ languages: { names } }: ModuleIndex): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The code files of a project that are not modules. */
export interface OtherCode {
  /** Their numbers by language, in one sentence with the tag that lists those of the most frequent one. */
  readonly text: string;
  /** File name extension of that language. */
  readonly ending: string;
}

/** Finds the code files that are not modules; undefined when there are none. */
export async function findOtherCode(root: WorkspaceRoot, { languages }: ModuleIndex): Promise<OtherCode | undefined> {
  const endings = Object.keys(NAMES).filter((ending) => !languages.endings.includes(ending));
  const files = [...(await root.stamps({ pattern: `**/*.{${endings.join(',')}}`, stamped: () => false })).keys()];
  const groups = [...Map.groupBy(files, (path) => NAMES[path.slice(path.lastIndexOf('.') + 1)] as string)];
  const largest = groups.toSorted(([, a], [, b]) => b.length - a.length);
  const [first] = largest;
  if (first === undefined) return undefined;
  const counts = largest.slice(0, MOST).map(([name, paths]) => `${formatQuantity(paths.length, 'file')} of ${name}`);
  const [, [path = '']] = first;
  const verb = files.length === 1 ? 'is' : 'are';
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return { text: `${counts.join(', ')} ${verb} read and searched at home: <home.G:**/*.${ending}>.`, ending };
}
