// Public API: a model to script, events to record and check, the contracts of models and resourcespaces.
export { ScriptedModel } from './scripted-model.ts';
export type { ScriptedModelOptions, ScriptedResponse } from './scripted-model.ts';

export { recordEvents } from './record-events.ts';
export type { EventOf, EventRecorder } from './record-events.ts';
export { expectBalanced } from './expect-balanced.ts';
export { renderTranscript } from './render-transcript.ts';

export { modelContract } from './model-contract.ts';
export type { ContractCase } from './model-contract.ts';
export type { ContractFactory, ContractResponse, ContractSubject } from './model-subject.ts';

export { resourcespaceContract } from './resourcespace-contract.ts';
export type { ResourcespaceContractOptions, SkippedCheck, SpaceCheck } from './resourcespace-contract.ts';
export { checkResourcespace } from './check-resourcespace.ts';
export type { CheckReport, ConformanceReport } from './check-resourcespace.ts';
export { ConformanceError, type CheckOutcome } from './space-contract/run-check.ts';
export type {
  SampleArguments,
  SampleCall,
  SampleChange,
  SamplePatterns,
  SpaceSamples,
} from './space-contract/space-samples.ts';
export type { SpaceFactory, SpaceSubject } from './space-contract/space-subject.ts';
