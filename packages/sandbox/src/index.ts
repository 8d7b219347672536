// Public API: `createAgent({ codeRunner: new Sandbox() })`.
export { needsMore } from './needs-more.ts';
export { Sandbox } from './sandbox.ts';
export type { SandboxOptions } from './sandbox-options.ts';
