// Single stages of the pipeline, in the order in which a text passes them, for tools that show or test one stage:
// `import { prune } from '@bae/core/pipeline'`. To create an agent, use `createAgent` in index.ts.
export { VERBS } from './protocol/verbs.ts';
export { TOKEN_CAP, UNITS_PER_TOKEN } from './protocol/limits.ts';
export { parse } from './tag-parser/parse.ts';
export { splitGrep } from './tool-router/split-argument.ts';
export { splitRange, resolveTool } from './tool-router/resolve-call.ts';
export { Registry } from './registry/registry.ts';
export { Navigation, resolveSpace, renderSpaceTree } from './registry/navigation.ts';
export { formatBreadcrumb } from './protocol/space-path.ts';
export { bindArguments } from './tool-router/bind-arguments.ts';
export { isToolOutput, readReturned } from './tool-router/render-result.ts';
export { prune } from './pruner/prune.ts';
export { outlineLines } from './pruner/declarations.ts';
export { formatFileMatches, sortFileMatches } from './pruner/rank-rows.ts';
export { formatAlike, takeByKind } from './pruner/line-kinds.ts';
export { maskKeys } from './results/mask-keys.ts';
export { structuralPruner } from './pruner/structural-pruner.ts';
export { countUnits, NAMED_CHARACTERS } from './text-size/text-size.ts';
export { renderError } from './feedback/render-feedback.ts';
export { toCodeName } from './tool-spec/declaration.ts';
export { renderSignature } from './tool-spec/signature.ts';
export { renderToolSpecs } from './tool-spec/tool-table.ts';
export { OUTPUT_FIELDS, type ToolSpec } from './protocol/tool-definition.ts';
