/** Longest target that is compared, in UTF-16 code units. */
const LONGEST = 4096;

/** True when a target can be compared part by part: it is of bearable length and does not lead back up. */
export function isPlainTarget(target: string): boolean {
  return target.length <= LONGEST && !target.split(/[\\/]/).includes('..');
}

/** A target without the parts that say nothing: `./a//b` is `a/b`. A slash at the beginning stays. */
export function plainTarget(target: string): string {
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  return (target.startsWith('/') ? '/' : '') + parts.join('/');
}
