// Public API, in the order of the pipeline. A name added here is a promise to every plugin author; there
// are at most 60. The stages one by one, for tools that show or test one of them, are in pipeline.ts.
import 'reflect-metadata';

// Write a resourcespace.
export { inject } from 'tsyringe';
export { resourcespace } from './decorators/resourcespace.ts';
export { tool } from './decorators/tool.ts';
export { defineResourcespace } from './decorators/define-resourcespace.ts';
export type { Resourcespace, SearchHit, SpaceDefinition, SpaceSource } from './protocol/resourcespace.ts';
export type { ToolDefinition } from './protocol/tool-definition.ts';
export type { LineRange, SessionState, ToolContext } from './protocol/tool-context.ts';
export type { TextFormat, ToolOutput } from './protocol/tool-output.ts';
export { PAGE_WINDOW } from './protocol/limits.ts';
export { nearestName } from './nearest-name/nearest-name.ts';

// Tell what went wrong.
export { BaeError } from './errors/bae-error.ts';
export { AbortError } from './errors/abort-error.ts';
export { ApprovalError } from './errors/approval-error.ts';
export { ConfigurationError } from './errors/configuration-error.ts';
export { ConflictError } from './errors/conflict-error.ts';
export { InvalidSpaceError } from './errors/invalid-space-error.ts';
export { LineRangeError } from './errors/line-range-error.ts';
export { ModelError } from './errors/model-error.ts';
export { ParameterError } from './errors/parameter-error.ts';
export { ResourceError } from './errors/resource-error.ts';
export { RunError } from './errors/run-error.ts';
export { TimeoutError } from './errors/timeout-error.ts';

// Text in, calls and answers out.
export { asModelText, type ModelText } from './protocol/model-text.ts';
export type { ToolCall } from './protocol/tool-call.ts';
export type { ToolResult } from './protocol/tool-result.ts';
export type { SpacePath, SpaceTree } from './protocol/space-tree.ts';

// Plug something in: a model, a log, a sandbox, consent.
export type { Message } from './protocol/message.ts';
export type { EndReason, Model, ModelPart, ModelRequestOptions, Usage } from './protocol/model.ts';
export type { ApprovalAnswer, ApprovalRequest, Approver } from './protocol/approver.ts';
export type { CodeRunner, RunOptions, RunOutcome } from './protocol/code-runner.ts';
export type { Pruner } from './protocol/pruner.ts';
export type { ResultStore } from './protocol/result-store.ts';
export type { SessionLog } from './protocol/session-log.ts';
export type { Host } from './protocol/host.ts';

// Put an agent together and watch it.
export type { AgentEvent } from './protocol/agent-event.ts';
export type { Agent, BatchReport, CallReport } from './agent/agent.ts';
export { createAgent } from './container/create-agent.ts';
export { allowAll, approvalPolicy, type ApprovalPolicy } from './approval/approval-policy.ts';
export type { AgentOptions, Provision } from './container/agent-options.ts';
