// Public API. A name added here is a promise to every user of the package.
export { provideSearch, SearchSpace } from './search-space.ts';
export { ToolIndex, type RankedTool } from './tool-index.ts';
