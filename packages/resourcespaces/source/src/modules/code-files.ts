/** Endings of modules; where two files would have one name, the one whose ending comes first gets it. */
const ENDINGS = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'] as const;

const MODULE = /^(.+)\.([cm]?[jt]s|[jt]sx)$/s;

/** File pattern for everything that names and packages of modules follow from. */
export const PROJECT_FILES = `**/{package.json,pnpm-workspace.yaml,*.{${ENDINGS.join(',')}}}`;

/** The name of a module's file, taken apart. */
export interface CodeFileName {
  /** Without the ending: `router.test` of `router.test.ts`. */
  readonly stem: string;
  /** Without the dot. */
  readonly ending: string;
  /** How it stands among others with the same stem, the best first. */
  readonly rank: number;
}

/** Understands the last part of a path; undefined for what is no module. */
export function codeFileName(name: string): CodeFileName | undefined {
  const [, stem, ending] = MODULE.exec(name) ?? [];
  if (stem === undefined || ending === undefined) return undefined;
  return { stem, ending, rank: ENDINGS.indexOf(ending as (typeof ENDINGS)[number]) };
}

/** True for a file that only declares types of something else. */
export function isDeclarationFile(path: string): boolean {
  return /\.d(\.[^./]+)?\.[cm]?ts$/.test(path);
}
