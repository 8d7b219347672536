/** What the engine says when it has no more memory. */
export const OUT_OF_MEMORY = 'out of memory';
