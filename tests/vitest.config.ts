import { mergeConfig } from 'vitest/config';
import shared from '../vitest.shared.ts';

/** Minutes of races, kills and hostile input: `pnpm faults` runs them, `pnpm test` the quick rest. */
const LONG = [
  'faults/{sandbox-bombs,sandbox-depth,sandbox-escapes,interrupted-change,undo-sequences,model-fault-controls,cancel-leaves-nothing}.test.ts',
  'faults/{edit-fidelity,hostile-paths,hostile-patterns,killed-at-system-call,killed-commands,killed-session,rename-in-core,fuzzed-requests,served-load}.test.ts',
  'faults/{protocol-suite,other-scaffolds,task-editors,cancel-everywhere,many-writers,big-session,from-tarballs,model-faults,swapped-folder,killed-workers,faulty-servers,test-runners,undo-after-kill,untrusted-text}.test.ts',
];
const all = process.env['BAE_FAULTS'] !== undefined;

export default mergeConfig(shared, {
  test: {
    include: all ? ['faults/**/*.test.ts'] : ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/fixtures/**', '**/.generated/**', ...(all ? [] : LONG)],
  },
});
