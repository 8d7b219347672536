import type { ServerTool } from '../servers/mounted-servers.ts';

/** How much the frequency of a word and the length of a text count, as usual for BM25. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

/**
 * Makes a search over tools as providers have it: BM25 over names, descriptions, and names and descriptions of parameters.
 *
 * @returns all tools, best first
 */
export function createToolSearch(tools: readonly ServerTool[]): (query: string) => readonly ServerTool[] {
  const texts = tools.map((tool) => {
    const words = splitWords(JSON.stringify([tool.name, tool.description, tool.inputSchema.properties]));
    return { tool, length: words.length, counts: countEach(words) };
  });
  const usualLength = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  return (query) => {
    const wanted = splitWords(query).map((word) => {
      const holders = texts.filter(({ counts }) => counts.has(word)).length;
      return { word, weight: Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5)) };
    });
    const scored = texts.map(({ tool, length, counts }) => {
      const damping = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / usualLength);
      const score = wanted.reduce((sum, { word, weight }) => {
        const count = counts.get(word) ?? 0;
        return sum + (weight * count * (SATURATION + 1)) / (count + damping);
      }, 0);
      return { tool, score };
    });
    return scored.toSorted((a, b) => b.score - a.score).map(({ tool }) => tool);
  };
}

/** The words of a text or a name: `getIssue` and `get_issue` have the same. */
export function splitWords(text: string): readonly string[] {
  const spaced = text.replaceAll(/([a-z])([A-Z])/g, '$1 $2');
  return spaced.toLowerCase().match(/[a-z\d]+/g) ?? [];
}

function countEach(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
