import { NOTES_SAMPLES } from '../test/notes-samples.ts';
import { notesParts, spaceOf } from '../test/notes-space.ts';
import { describeResourcespace } from './describe-resourcespace.ts';

describeResourcespace({
  create: () => spaceOf(notesParts()),
  samples: { ...NOTES_SAMPLES, missing: null },
  skip: [{ test: 'can be disposed of twice', reason: 'tells that a check can be left out' }],
});
