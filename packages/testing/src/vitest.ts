// What needs vitest; everything else is in the main entry.
export { describeModel } from './describe-model.ts';
export { describeResourcespace } from './describe-resourcespace.ts';
