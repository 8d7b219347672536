/** A time as people read it: `0.5 s`, `60 s`. */
export function shownSeconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(ms < 100 ? 3 : 1))} s`;
}
