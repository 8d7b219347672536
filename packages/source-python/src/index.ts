// Public API of Python for the source space.
export { python } from './python.ts';
