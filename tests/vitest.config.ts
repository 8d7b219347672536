import { availableParallelism } from 'node:os';
import { mergeConfig } from 'vitest/config';
import shared from '../vitest.shared.ts';

/** Minutes of races, kills and hostile input: `pnpm faults` runs them, `pnpm test` the quick rest. */
const LONG = [
  'big-session',
  'cancel-everywhere',
  'cancel-leaves-nothing',
  'container',
  'edit-fidelity',
  'endless-answers',
  'faulty-servers',
  'from-tarballs',
  'fuzzed-requests',
  'hostile-paths',
  'hostile-patterns',
  'hostile-plugins',
  'interrupted-change',
  'killed-at-system-call',
  'killed-commands',
  'killed-session',
  'killed-workers',
  'many-writers',
  'model-fault-controls',
  'model-faults',
  'other-scaffolds',
  'protocol-suite',
  'real-servers',
  'rename-in-core',
  'sandbox-bombs',
  'sandbox-depth',
  'sandbox-escapes',
  'served-load',
  'served-memory',
  'swapped-folder',
  'task-editors',
  'test-runners',
  'undo-after-kill',
  'undo-sequences',
  'untrusted-text',
].map((name) => `faults/${name}.test.ts`);
/** Tests that start many programs, or go through hundreds of tools. */
const SLOW = [
  'attacks/copied-arguments',
  'attacks/copied-calls',
  'attacks/denied-files',
  'attacks/served-tools',
  'e2e/acp-client',
  'e2e/ask-over-the-wire',
  'e2e/bad-models',
  'e2e/first-sight',
  'e2e/reply-after-kill',
  'e2e/scaffold',
  'e2e/task-stores',
  'e2e/third-party-spaces',
  'e2e/workers',
  'servers/argument-checks',
  'servers/generated-calls',
  'servers/three-steps',
].map((name) => `${name}.test.ts`);
/** Files of quick tests, some of which have a whole count, or are slow, with the tag `long`. */
const WITH_LONG = [
  'bench/session-sums',
  'dialects/suggested-calls',
  'e2e/allowed-changes',
  'loop/conversation',
  'loop/drafts',
  'served/fuzzed-requests',
  'served/generated-client',
  'servers/suggested-calls',
  'wire/answers',
  'wire/faults',
].map((name) => `${name}.test.ts`);
const all = process.env['BAE_FAULTS'] !== undefined;

const config = mergeConfig(shared, {
  test: {
    // The peak of a process's memory begins with that of the one that starts it.
    isolate: all,
    // These tests begin last, when every package is built: on two cores too, they are run by two processes to the end.
    ...(!all && { maxWorkers: Math.max(availableParallelism() - 1, 2) }),
    include: all ? ['faults/**/*.test.ts', ...WITH_LONG, ...SLOW] : ['**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/fixtures/**', '**/.generated/**', ...(all ? [] : [...LONG, ...SLOW])],
  },
});
// Of the faults all run, with the short counts too.
if (all) config.test.tagsFilter = undefined;

export default config;
