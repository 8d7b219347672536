/** Lines of a text that other lines took the place of. */
export interface LinePatch {
  /** Number of the first line, 1-based; with none removed, of the line that the new ones come before. */
  readonly first: number;
  readonly removed: number;
  readonly added: number;
}
