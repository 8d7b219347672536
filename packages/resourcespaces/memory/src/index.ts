// Public API. A name added here is a promise to every user of the package.
export { MemorySpace, provideMemory, type MemoryOptions } from './memory-space.ts';
export { describeLastSession } from './last-session.ts';
export { FACTS_FOLDER, forgetFacts } from './facts-space.ts';
