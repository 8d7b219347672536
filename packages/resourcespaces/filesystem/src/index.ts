// Public API of the resourcespace for the files of a folder.
export { FilesystemSpace } from './filesystem-space.ts';
export { EditError } from '@bae/workspace';
