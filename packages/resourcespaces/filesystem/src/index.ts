// Public API of the files of a folder as a resourcespace.
export { FilesystemSpace } from './filesystem-space.ts';
export { EditError } from '@bae/workspace';
