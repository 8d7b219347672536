/** Asks for the clock, timers and randomness of the agent: `@inject(HOST) host: Host`. */
export const HOST = Symbol.for('bae.host');

/** Asks for the agent's model, for spaces that consult one themselves; undefined when there is none. */
export const MODEL = Symbol.for('bae.model');
