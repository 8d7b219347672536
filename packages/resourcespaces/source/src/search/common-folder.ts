/** The deepest folder that all files are in, or the file itself when there is one only; `.` for the root. */
export function commonFolder(paths: readonly string[]): string {
  const [first = '', ...others] = paths;
  if (others.length === 0) return first === '' ? '.' : first;
  let common = first.split('/').slice(0, -1);
  for (const path of others) {
    const parts = path.split('/').slice(0, -1);
    const end = common.findIndex((part, index) => part !== parts[index]);
    if (end !== -1) common = common.slice(0, end);
  }
  return common.length === 0 ? '.' : common.join('/');
}
