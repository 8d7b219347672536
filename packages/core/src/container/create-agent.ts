import 'reflect-metadata';
import type { DependencyContainer } from 'tsyringe';
import type { Agent } from '../agent/agent.ts';
import { AgentSession } from '../agent/agent-session.ts';
import { startConversation } from '../agent/conversation.ts';
import { buildSystemPrompt } from '../agent/system-prompt.ts';
import {
  CONTEXT_TOKENS,
  MAX_BATCHES,
  MODEL_DEADLINE_MS,
  MODEL_FIRST_TOKEN_MS,
  MODEL_IDLE_MS,
  MODEL_TRIES,
} from '../protocol/limits.ts';
import { checkAgentOptions, checkLabel, type AgentOptions } from './agent-options.ts';
import { createDefaultHost } from './default-host.ts';
import { openSession } from './open-session.ts';
import { createContainer, HOST, MODEL } from './open-spaces.ts';

/**
 * Makes an agent. What is passed in stays the caller's: `close()` disposes of the spaces that bae made from classes, not
 * of instances, nor of the model.
 *
 * @throws ConfigurationError for invalid options; InvalidSpaceError for a space that cannot be registered
 */
export function createAgent(options: AgentOptions = {}): Agent {
  checkAgentOptions(options);
  const host = options.host ?? createDefaultHost();
  const { provide = [], model } = options;
  const container = createContainer([{ token: HOST, value: host }, { token: MODEL, value: model }, ...provide]);
  return makeAgent({ ...options, host }, container, options.label ?? options.resume?.label ?? '1');
}

function makeAgent(
  options: AgentOptions & Required<Pick<AgentOptions, 'host'>>,
  container: DependencyContainer,
  label: string,
): Agent {
  const { model, resume } = options;
  const opened = openSession(options, container.createChildContainer(), label);
  options.approver?.recall?.(opened.session.state.id, resume?.consents ?? []);
  const systemPrompt = buildSystemPrompt(options.instructions ?? '', options.codeRunner !== undefined);
  const idleMs = options.idleMs ?? model?.idleMs ?? MODEL_IDLE_MS;
  const firstTokenMs = options.firstTokenMs ?? Math.max(MODEL_FIRST_TOKEN_MS, idleMs);
  return new AgentSession({
    ...opened,
    start: startConversation(systemPrompt, resume, opened.session.nonce),
    model,
    context: options.context ?? '',
    limits: {
      maxBatches: options.maxBatches ?? MAX_BATCHES,
      firstTokenMs,
      idleMs,
      tries: options.tries ?? MODEL_TRIES,
      deadlineMs: options.deadlineMs ?? Math.max(MODEL_DEADLINE_MS, firstTokenMs),
      spending: {
        maxTokens: options.maxTokens,
        maxCost: options.maxCost,
        maxMinutes: options.maxMinutes,
        prices: options.prices ?? model?.prices,
      },
      contextTokens: options.contextTokens ?? model?.contextTokens ?? CONTEXT_TOKENS,
    },
    fork: (other, own) => {
      checkLabel(other);
      const { resume: _, log: _log, results: _results, ...shared } = options;
      return makeAgent({ ...shared, ...own }, container, other);
    },
  });
}
