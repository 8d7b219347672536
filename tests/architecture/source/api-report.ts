import type { PublishedPackage } from './public-api.ts';

/** What a package offers, as a page for reviewers: one line a name, so that a change is a visible diff. */
export function apiReport({ entries }: PublishedPackage): string {
  return entries
    .map(({ specifier, names }) => {
      const rows = names.map(({ name, kind }) => `| \`${name}\` | ${kind} |`);
      return [
        `# ${specifier}`,
        '',
        `${names.length} names.`,
        '',
        '| name | kind |',
        '|------|------|',
        ...rows,
        '',
      ].join('\n');
    })
    .join('\n');
}
