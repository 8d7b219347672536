// Public API: `createAgent({ codeRunner: new Sandbox() })`.
export { isIncompleteCode } from './host/incomplete-code.ts';
export { Sandbox } from './host/sandbox.ts';
export type { SandboxOptions } from './host/thread.ts';
