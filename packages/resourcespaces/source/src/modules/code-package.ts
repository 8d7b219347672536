/** A package of a project. */
export interface CodePackage {
  /** What its modules are named with first; `''` for the package at the root. */
  readonly label: string;
  /** Its name as it is imported; undefined when it has none. */
  readonly name: string | undefined;
  /** Below the root, `''` for the root. */
  readonly folder: string;
  /** What its manifest says of it. */
  readonly description: string;
}
