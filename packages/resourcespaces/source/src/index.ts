// Public API of the code of a project as a resourcespace.
export { ScriptsSpace } from './scripts/scripts-space.ts';
export { SourceSpace } from './source-space.ts';
export { provideSource, type SourceOptions } from './provide-source.ts';
export type { MetaHost, ReloadableSpace, ScaffoldFile, SpaceRequest, SpaceScaffold } from './provide-source.ts';
