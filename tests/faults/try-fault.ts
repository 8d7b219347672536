import type { Model } from '@bae/core';
import type { Wire } from '../wire/wire-models.ts';
import { faultStage, outcomeOf, type FaultStage } from './fault-stage.ts';
import { THREE_CALLS, type ModelFault } from './model-fault.ts';
import { goodReply } from './model-faults.ts';
import type { RawModelServer } from './raw-model-server.ts';

/** One way to misbehave at one place, before an agent that asks so many times. */
export interface Trial {
  readonly wire: Wire;
  readonly server: RawModelServer;
  readonly fault: ModelFault;
  readonly place: number;
  readonly tries: number;
  /** Puts something between the model and the agent. Default: nothing. */
  readonly wrap?: (model: Model) => Model;
}

/** What became of it. */
export interface Verdict {
  readonly stage: FaultStage;
  /** The answer; undefined when the turn failed. */
  readonly answer: string | undefined;
  /** The error, as a person reads it; empty when the turn was answered. */
  readonly error: string;
  readonly dispatched: 'nothing' | 'everything once' | 'something else';
}

const ANSWER = 'Fine.';
/** A request that is not the first one of a turn, or not of the first turn. */
const HAS_ANSWERS = /\[Tool output [0-9a-f]{6}\]|Again\./;

/** Asks for three calls once; a service that behaves again answers every later request as it should. */
export async function tryFault(trial: Trial): Promise<Verdict> {
  const { wrap = (model: Model) => model } = trial;
  const stage = faultStage((endWait) => wrap(modelOf(trial, endWait)), trial.tries);
  const outcome = await outcomeOf(stage, 'Go.');
  const calls = JSON.stringify(stage.calls);
  return {
    stage,
    answer: typeof outcome === 'string' ? outcome : undefined,
    error: typeof outcome === 'string' ? '' : outcome.message,
    dispatched:
      calls === '[]' ? 'nothing' : calls === JSON.stringify(THREE_CALLS) ? 'everything once' : 'something else',
  };
}

/** What is wrong with what became of it, the next turn included. */
export async function complaints(trial: Trial): Promise<readonly string[]> {
  const verdict = await tryFault(trial);
  const { stage, answer, error, dispatched } = verdict;
  const wrong: string[] = [];
  if (dispatched === 'something else') wrong.push(`dispatched ${JSON.stringify(stage.calls)}`);
  if ((answer === ANSWER) !== (dispatched === 'everything once')) wrong.push(`${dispatched}, and ${answer ?? error}`);
  if (!isAsExpected(trial, verdict)) wrong.push(`${dispatched} after ${trial.tries} tries: ${error}`);
  if (answer === undefined && !/^\S.{10,400}\.$/.test(error)) wrong.push(`not one clear line: ${error}`);
  const before = stage.calls.length;
  const next = await outcomeOf(stage, 'Again.');
  if (next !== ANSWER || stage.calls.length !== before) wrong.push(`the next turn: ${String(next)}`);
  return wrong.map((text) => `place ${trial.place}, ${trial.tries} tries: ${text}`);
}

function isAsExpected({ fault, tries }: Trial, { dispatched }: Verdict): boolean {
  const { outcome, passes = true } = fault;
  if (outcome === 'whole' || (passes && tries > 1)) return dispatched === 'everything once';
  return outcome === 'either' || dispatched === 'nothing';
}

function modelOf({ wire, server, fault, place }: Trial, endWait: FaultStage['endWait']): Model {
  const { format } = wire;
  const answer = (body: string, before: number) => {
    if (before < (fault.times ?? 1)) return fault.deliver(format, place);
    return goodReply(format, HAS_ANSWERS.test(body) ? ANSWER : undefined);
  };
  return wire.model(server.serve({ answer, onWait: endWait }));
}
