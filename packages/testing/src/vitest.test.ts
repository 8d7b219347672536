import { NOTES_SAMPLES, notesParts, spaceOf } from '../test/notes-space.ts';
import { describeResourcespace } from './vitest.ts';

describeResourcespace({
  create: () => spaceOf(notesParts()),
  samples: { ...NOTES_SAMPLES, missing: null },
  skip: [{ test: 'can be disposed of twice', reason: 'tells that a check can be left out' }],
});
