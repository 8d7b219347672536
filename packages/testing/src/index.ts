// Public API: a scripted model, functions to record and check events, the contracts of models and resourcespaces.
export { ScriptedModel, type ScriptedModelOptions, type ScriptedResponse } from './scripted-model.ts';
export { expectBalanced, recordEvents, renderTranscript, type EventOf, type EventRecorder } from './agent-events.ts';
export {
  modelContract,
  type ContractCase,
  type ContractFactory,
  type ContractResponse,
  type ContractSubject,
} from './model-contract.ts';
export {
  checkResourcespace,
  resourcespaceContract,
  type CheckReport,
  type ConformanceReport,
  type ResourcespaceContractOptions,
  type SkippedCheck,
  type SpaceCheck,
} from './resourcespace-contract.ts';
export { checkPackage, packageContract } from './package-contract.ts';
export type { PackageContractOptions, PackageExports } from './package-contract/checked-package.ts';
export { ConformanceError, type CheckOutcome } from './space-contract/run-check.ts';
export type {
  SampleArguments,
  SampleCall,
  SampleChange,
  SamplePatterns,
  SpaceSamples,
} from './space-contract/space-samples.ts';
export type { SpaceFactory, SpaceSubject } from './space-contract/open-space.ts';
