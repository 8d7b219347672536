// Public API, in the order of the pipeline. A name added here is a promise to every plugin author; there are at most
// 70. Single stages, for tools that show or test one of them, are in pipeline.ts.
import 'reflect-metadata/lite';

// Write a resourcespace.
export { inject } from 'tsyringe';
export { resourcespace, defineResourcespace } from './decorators/resourcespace.ts';
export { tool } from './decorators/tool.ts';
export type {
  Resourcespace,
  SearchHit,
  SpaceDefinition,
  SpaceFactory,
  SpaceLifetime,
  SpaceSource,
} from './protocol/resourcespace.ts';
export type {
  Attachment,
  CallTarget,
  Change,
  LineRange,
  SessionState,
  TextFormat,
  ToolContext,
  ToolDefinition,
  ToolOutput,
  Touch,
} from './protocol/tool-definition.ts';
export { waitUnlessAborted } from './tool-router/abort.ts';
export { getPageLength } from './text-size/text-size.ts';
export { findNearestName } from './nearest-name/nearest-name.ts';

// Report errors.
export {
  BaeError,
  ApprovalError,
  ConflictError,
  LineRangeError,
  ParameterError,
  ResourceError,
  RunError,
  TimeoutError,
  AbortError,
  ModelError,
  ConfigurationError,
  InvalidSpaceError,
} from './errors/bae-error.ts';

// Text, calls and results.
export {
  asModelText,
  type ModelText,
  type EndReason,
  type Media,
  type Message,
  type Model,
  type ModelPart,
  type ModelRequestOptions,
  type Usage,
} from './protocol/model.ts';
export type { ToolCall } from './protocol/tool-call.ts';
export type { ToolResult, Pruner, ResultStore } from './protocol/tool-result.ts';
export type { SpacePath, SpaceTree } from './protocol/space-path.ts';

// Plug in a model, a log, a sandbox or an approver.
export type { ApprovalOutcome, ApprovalRequest, Approver } from './protocol/approver.ts';
export type { CodeRunner, RunOptions, RunOutcome } from './protocol/code-runner.ts';
export type { SessionLog } from './protocol/session-log.ts';
export type { Host } from './protocol/host.ts';

// Put an agent together and watch it.
export type { AgentEvent } from './protocol/agent-event.ts';
export type { Agent, BatchReport, CallReport } from './agent/agent.ts';
export type { Hook } from './agent/hooks.ts';
export { openSpaces, createAgent } from './container/create-agent.ts';
export { allowAll, approvalPolicy, type ApprovalPolicy } from './approval/approval-policy.ts';
export type { AgentOptions, Provision } from './container/agent-options.ts';
