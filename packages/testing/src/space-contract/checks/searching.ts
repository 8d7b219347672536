import { firstLine } from '../first-line.ts';
import type { Findings } from '../findings.ts';
import type { OpenSpace } from '../open-space.ts';
import type { SpaceCheckSpec } from '../space-check.ts';
import { fruitlessCall, matchingCall, NO_MATCH, searchFor } from '../searches.ts';

const SEARCHES = ['glob', 'grep'] as const;
/** Longest answer of a search that found nothing, in characters. */
const SENTENCE = 240;
const HITS = 2;
/** Characters of an answer that a complaint repeats. */
const QUOTED = 60;
/** No regular expression, and hardly a glob pattern. */
const ODD = '([{';

/** Whether searches find what is there, and say so when nothing is. */
export const SEARCHING: readonly SpaceCheckSpec[] = [
  {
    name: 'answers a search without matches by a sentence',
    async look(bench, findings) {
      const open = await bench.open();
      for (const verb of SEARCHES.filter((one) => open.definition.tools[one] !== undefined)) {
        const { result } = await open.call(fruitlessCall(open, verb));
        checkNothing(verb, result, findings);
        await checkOddPattern(open, verb, findings);
      }
    },
  },
  {
    name: 'finds what there is',
    async look(bench, findings) {
      const open = await bench.open();
      for (const verb of SEARCHES.filter((one) => open.definition.tools[one] !== undefined)) {
        await checkFound(open, verb, findings);
      }
    },
  },
  {
    name: 'finds over all spaces what it can read',
    async look(bench, findings) {
      const open = await bench.open();
      if (open.definition.search !== undefined) await checkSearch(open, findings);
    },
  },
];

function checkNothing(
  verb: string,
  { ok, text, rows }: { readonly ok: boolean; readonly text: string; readonly rows?: number },
  findings: Findings,
): void {
  const remedy = "Return a sentence: 'No ticket matches …'.";
  if (!findings.expect(ok, `${verb} without a match is an error: ${firstLine(text)} ${remedy}`)) return;
  const said = text.slice(0, QUOTED);
  const isSentence = /\p{L}+\s+\S*\p{L}/u.test(text) && text !== '(no output)';
  findings.expect(isSentence, `${verb} without a match answers ${JSON.stringify(said)}. ${remedy}`);
  findings.expect(text.length <= SENTENCE, `${verb} without a match answers ${text.length} characters. ${remedy}`);
  findings.expect((rows ?? 0) === 0, `${verb} without a match reports ${rows} rows. Return rows: 0.`);
}

async function checkOddPattern(open: OpenSpace, verb: 'glob' | 'grep', findings: Findings): Promise<void> {
  const { result } = await open.call(searchFor(open, verb, ODD));
  const isMeant = result.ok || result.stack === undefined;
  const said = firstLine(result.text);
  findings.expect(
    isMeant,
    `${verb} for ${JSON.stringify(ODD)} fails by accident: ${said} Search for it as a text, or throw a ResourceError with a hint.`,
  );
}

async function checkFound(open: OpenSpace, verb: 'glob' | 'grep', findings: Findings): Promise<void> {
  const call = await matchingCall(open, verb);
  if (call === undefined) {
    findings.lack(`samples.${verb}.matches, a pattern that matches something`);
    return;
  }
  const { result } = await open.call(call);
  const nothing = await open.call(fruitlessCall(open, verb));
  const pattern = JSON.stringify(Object.values(call.args)[0]);
  if (!findings.expect(result.ok, `${verb} for ${pattern} fails: ${firstLine(result.text)}`)) return;
  const differs = result.text !== nothing.result.text && result.rows !== 0;
  findings.expect(differs, `${verb} for ${pattern} finds nothing, although it matches something.`);
}

async function checkSearch(open: OpenSpace, findings: Findings): Promise<void> {
  const { definition, samples } = open;
  const search = (query: string) => open.ask('search()', () => definition.search!(query, HITS));
  const nothing = await search(NO_MATCH);
  findings.expect(nothing.length === 0, 'search() finds something for a query that nothing matches. Return no hits.');
  const query = samples.grep?.matches ?? Object.values((await matchingCall(open, 'grep'))?.args ?? {})[0];
  if (typeof query !== 'string') {
    findings.lack('samples.grep.matches, something that search() finds as well');
    return;
  }
  const hits = await search(query);
  findings.expect(hits.length <= HITS, `search() gives ${hits.length} hits, ${HITS} were asked for. Obey its limit.`);
  for (const { target, text } of hits) {
    const isWhole = typeof target === 'string' && target !== '' && typeof text === 'string';
    if (!findings.expect(isWhole, 'search() gives hits that are not { target, text }.')) continue;
    const { result } = await open.read(target);
    findings.expect(
      result.ok,
      `search() finds ${JSON.stringify(target)}, and read fails for it: ${firstLine(result.text)}`,
    );
  }
}
