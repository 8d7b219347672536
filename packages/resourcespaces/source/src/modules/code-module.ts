import type { CodePackage } from './code-package.ts';

/** A module of a project. */
export interface CodeModule {
  /** Its address, unlike that of every other module: `core.tool-router`. */
  readonly name: string;
  /** Address of the folder it is in, `''` for the root: `core`. */
  readonly folder: string;
  /** Below the root. */
  readonly path: string;
  readonly package: CodePackage;
  /** True when it stands for its folder. */
  readonly isIndex: boolean;
  /** True for a file that only declares types. */
  readonly declares: boolean;
}
