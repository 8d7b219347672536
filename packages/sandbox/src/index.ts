// Public API: `createAgent({ codeRunner: new Sandbox() })`.
export { Sandbox } from './sandbox.ts';
export type { SandboxOptions } from './sandbox-options.ts';
