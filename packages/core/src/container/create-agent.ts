import 'reflect-metadata';
import type { DependencyContainer } from 'tsyringe';
import type { Agent } from '../agent/agent.ts';
import { AgentSession } from '../agent/agent-session.ts';
import { systemPrompt } from '../agent/system-prompt.ts';
import { CONTEXT_TOKENS, MAX_BATCHES, MODEL_DEADLINE_MS, MODEL_IDLE_MS, MODEL_TRIES } from '../protocol/limits.ts';
import type { AgentOptions } from './agent-options.ts';
import { checkLabel, checkOptions } from './check-options.ts';
import { conversationStart } from './conversation-start.ts';
import { defaultHost } from './default-host.ts';
import { openSession } from './open-session.ts';
import { containerWith } from './open-spaces.ts';
import { HOST, MODEL } from './tokens.ts';

/**
 * Puts an agent together: the one way in for programs.
 *
 * What is passed in stays the caller's: `close()` disposes of the spaces that bae made from classes,
 * not of instances, nor of the model.
 *
 * @throws ConfigurationError for options that make no sense; InvalidSpaceError for a space that cannot
 *   be registered
 */
export function createAgent(options: AgentOptions = {}): Agent {
  checkOptions(options);
  const host = options.host ?? defaultHost();
  const { provide = [], model } = options;
  const container = containerWith([{ token: HOST, value: host }, { token: MODEL, value: model }, ...provide]);
  return agentOf({ ...options, host }, container, options.label ?? options.resume?.label ?? '1');
}

function agentOf(
  options: AgentOptions & Required<Pick<AgentOptions, 'host'>>,
  container: DependencyContainer,
  label: string,
): Agent {
  const opened = openSession(options, container.createChildContainer(), label);
  options.approver?.recall?.(opened.session.state.id, options.resume?.consents ?? []);
  const idleMs = options.idleMs ?? options.model?.idleMs ?? MODEL_IDLE_MS;
  const start = conversationStart(
    systemPrompt({ instructions: options.instructions ?? '', runBlocks: options.codeRunner !== undefined }),
    options.resume,
    opened.session.nonce,
  );
  return new AgentSession({
    ...opened,
    start,
    systemPrompt: start.messages[0]?.text ?? '',
    model: options.model,
    context: options.context ?? '',
    maxBatches: options.maxBatches ?? MAX_BATCHES,
    idleMs,
    tries: options.tries ?? MODEL_TRIES,
    deadlineMs: options.deadlineMs ?? Math.max(MODEL_DEADLINE_MS, idleMs),
    contextTokens: options.contextTokens ?? options.model?.contextTokens ?? CONTEXT_TOKENS,
    fork: (other, own) => {
      checkLabel(other);
      const { resume: _, log: _log, results: _results, ...shared } = options;
      return agentOf({ ...shared, ...own }, container, other);
    },
  });
}
