import { searchArgument, type SearchArgument, type SentSearch, type WorkspaceRoot } from '@bae/workspace';

/** Takes a search argument apart; a last word is the path when something has that path. */
export async function grepArgument(root: WorkspaceRoot, sent: SentSearch): Promise<SearchArgument> {
  const asked = new Set<string>();
  const first = searchArgument(sent, (candidate) => {
    asked.add(candidate);
    return false;
  });
  const there = new Set<string>();
  for (const candidate of asked) if (await root.exists(candidate)) there.add(candidate);
  return there.size === 0 ? first : searchArgument(sent, (candidate) => there.has(candidate));
}
