// Public API of the code of a project as a resourcespace.
export { SourceSpace } from './source-space.ts';
