/** The commit that changed a line last. */
interface Origin {
  readonly author: string;
  /** As in a log: year, month and day where the author was. */
  readonly date: string;
  readonly summary: string;
}

/** Most of a commit's first line that is shown above its lines of code, in characters. */
const MOST_OF_SUMMARY = 60;

/**
 * Shows who changed which lines, from the output of `git blame --porcelain`: every run of lines of one commit below a
 * line about the commit, numbered as files are. Naming the commit at each line would cost more than the lines.
 */
export function describeBlame(porcelain: string): string {
  const origins = new Map<string, Origin>();
  const shown: string[] = [];
  let fields: Record<string, string> = {};
  let commit = '';
  let number = '';
  let last = '';
  for (const row of porcelain.split('\n')) {
    const [, hash, line] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(row) ?? [];
    if (hash !== undefined && line !== undefined) [commit, number, fields] = [hash, line, {}];
    else if (row.startsWith('\t')) {
      if (!origins.has(commit)) origins.set(commit, readOrigin(fields));
      if (commit !== last) shown.push(describeOrigin(commit, origins.get(commit)!));
      last = commit;
      shown.push(`${number}|${row.slice(1)}`);
    } else {
      const [name = ''] = row.split(' ', 1);
      fields[name] = row.slice(name.length + 1);
    }
  }
  return shown.join('\n');
}

function readOrigin(fields: Readonly<Record<string, string>>): Origin {
  const { author = '', summary = '', 'author-time': seconds = '0', 'author-tz': zone = '+0000' } = fields;
  const [, sign, hours, minutes] = /^([+-])(\d\d)(\d\d)$/.exec(zone) ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 * (sign === '-' ? -1 : 1);
  return { author, summary, date: new Date((Number(seconds) + offset) * 1000).toISOString().slice(0, 10) };
}

function describeOrigin(commit: string, { author, date, summary }: Origin): string {
  if (/^0+$/.test(commit)) return 'not committed yet:';
  const clipped = summary.length > MOST_OF_SUMMARY ? `${summary.slice(0, MOST_OF_SUMMARY - 1).trimEnd()}…` : summary;
  return `${commit.slice(0, 8)} ${date} ${author}: ${clipped}`;
}
