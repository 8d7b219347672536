import type { SourceLanguage } from '@bae/source';

/** Python for the source space: `provideSource({ languages: [python] })`. The grammar is loaded for the first file. */
export const python: SourceLanguage = {
  names: ['Python'],
  endings: ['py'],
  index: '__init__',
  load: async () => (await import('./python-outline.ts')).loadPython(),
};
