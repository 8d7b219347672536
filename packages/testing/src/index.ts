// Public API: a model to script, events to record and check, the contract of the model port.
export { ScriptedModel } from './scripted-model.ts';
export type { ScriptedModelOptions, ScriptedResponse } from './scripted-model.ts';

export { recordEvents } from './record-events.ts';
export type { EventOf, EventRecorder } from './record-events.ts';
export { expectBalanced } from './expect-balanced.ts';
export { renderTranscript } from './render-transcript.ts';

export { modelContract } from './model-contract.ts';
export type { ContractCase } from './model-contract.ts';
export type { ContractFactory, ContractResponse, ContractSubject } from './model-subject.ts';
