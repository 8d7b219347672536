import type { CodeRunner } from '../protocol/code-runner.ts';
import type { Host } from '../protocol/host.ts';
import type { ResultStore } from '../protocol/pruner.ts';
import type { ToolContext } from '../protocol/tool-definition.ts';
import type { Navigation } from '../registry/navigation.ts';
import type { Registry } from '../registry/registry.ts';
import type { AnswerLimits } from '../tool-router/bound-answer.ts';
import type { ToolRouter } from '../tool-router/tool-router.ts';
import type { CopyGuard } from './copy-guard.ts';
import type { EventHub } from './event-hub.ts';
import type { Places } from './places.ts';
import type { SessionRecorder } from './session-recorder.ts';

/** The parts that one session is made of; each session has its own. */
export interface Session {
  readonly label: string;
  /** 16 random hexadecimal digits that frame what the model is fed. */
  readonly nonce: string;
  readonly host: Host;
  readonly registry: Registry;
  readonly navigation: Navigation;
  readonly places: Places;
  readonly router: ToolRouter;
  readonly hub: EventHub;
  readonly state: ToolContext['session'];
  readonly recorder: SessionRecorder;
  readonly copies: CopyGuard;
  readonly results: ResultStore;
  /** What answers are cut with, and to. */
  readonly fitting: AnswerLimits;
  readonly codeRunner: CodeRunner | undefined;
  /** The next id for a call or run, unique in the session. */
  nextId(): string;
}
