// Public API of the resourcespace for the code of a project.
export { SourceSpace } from './source-space.ts';
export { provideSource, type SourceOptions } from './provide-source.ts';
export type { MetaHost, ReloadableSpace, ScaffoldFile, SpaceRequest, SpaceScaffold } from './provide-source.ts';
export type {
  Declaration,
  LanguageReader,
  Outline,
  SourceLanguage,
  SourceText,
  Span,
  SymbolKind,
  SymbolOutline,
  SyntaxProblem,
} from './language/outline.ts';
