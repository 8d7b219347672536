import type { SpaceSamples } from '../src/space-contract/space-samples.ts';

/** What the notes can be tried with. */
export const NOTES_SAMPLES: SpaceSamples = {
  existing: 'plan',
  missing: 'plans-of-others',
  glob: { matches: 'pl*', misses: 'zzz' },
  grep: { matches: 'apples', misses: 'zzz' },
  write: { args: { target: 'new', content: 'One\n\n  two <b>' }, shows: 'One\n\n  two <b>' },
  edit: { args: { target: 'plan', old: 'apples', new: 'pears' }, shows: 'Buy pears' },
  calls: { forget: { target: 'diary' }, wait: { ms: 1 } },
  slow: { tool: 'wait', args: { ms: 5000 } },
};
