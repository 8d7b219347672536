// Public API: `createAgent({ codeRunner: new Sandbox() })`.
export { needsMore } from './host/needs-more.ts';
export { Sandbox } from './host/sandbox.ts';
export type { SandboxOptions } from './host/limits.ts';
