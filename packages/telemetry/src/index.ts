// Public API. A name added here is a promise to every user of the package.
export { observeAgent, observeQueue, type QueueLoad, type TelemetryOptions } from './observe-agent.ts';
export { CONVENTIONS_VERSION } from './conventions.ts';
