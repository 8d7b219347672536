/** A project whose index is measured. */
export interface MeasuredCode extends Disposable {
  readonly folder: string;
  /** Its modules, below the folder; not those that only declare types. */
  readonly paths: readonly string[];
}
