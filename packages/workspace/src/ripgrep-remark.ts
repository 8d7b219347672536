/** What ripgrep says by the way about a path below the root. */
export type RipgrepRemark =
  /** It holds a NUL, so it was not searched to its end, and its matches do not count. */
  | { readonly kind: 'binary'; readonly path: string; readonly offset: number }
  /** It is larger than it may be. */
  | { readonly kind: 'large'; readonly path: string }
  /** A pattern of ours excludes it. */
  | { readonly kind: 'excluded'; readonly path: string };

const IGNORING = /^rg: DEBUG\|[^ ]*: ignoring \.\/(.*): (?:found binary data at offset (\d+)|(\d+) bytes|Ignore\(IgnoreMatch\(Override\(.*)$/; // prettier-ignore

/**
 * Understands a line that ripgrep says because of `--debug`; undefined for what it says of other things.
 *
 * It is the only way to learn of files that it passes over. Were it worded differently one day, files with a NUL
 * far behind their beginning would be left out, and secrets that are left out would not be mentioned.
 */
export function ripgrepRemark(line: string): RipgrepRemark | undefined {
  const [whole, path = '', offset, size] = IGNORING.exec(line) ?? [];
  if (whole === undefined) return undefined;
  if (offset !== undefined) return { kind: 'binary', path, offset: Number(offset) };
  return { kind: size === undefined ? 'excluded' : 'large', path };
}
