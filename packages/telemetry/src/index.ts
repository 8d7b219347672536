// Public API. A name added here is a promise to every user of the package.
export { observeAgent, type TelemetryOptions } from './observe-agent.ts';
export { observeQueue } from './observe-queue.ts';
export { CONVENTIONS_VERSION } from './conventions.ts';
