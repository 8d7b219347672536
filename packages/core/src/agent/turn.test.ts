import { describe, expect, it } from 'vitest';
import type { ParsedText, ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import { TurnBudget } from './turn.ts';

const CALL: ToolCall = { verb: 'read', arg: 'a', line: 1, tag: '<R:a>' };
const parsed = (more: Partial<ParsedText>): ParsedText => ({ calls: [], runs: [], problems: [], prose: '', ...more });
const problem = (code: ParseProblem['code']): ParseProblem => ({ code, line: 1, message: '' });

describe('TurnBudget', () => {
  it('takes a response with nothing to execute and nothing to repair for the answer', () => {
    expect(new TurnBudget(3).decide(parsed({ prose: 'Done.' }))).toBe('answer');
  });

  it('executes calls, run blocks and problems', () => {
    const budget = new TurnBudget(3);
    expect(budget.decide(parsed({ calls: [CALL] }))).toBe('execute');
    expect(budget.decide(parsed({ runs: ['1'] }))).toBe('execute');
    expect(budget.decide(parsed({ problems: [problem('unclosed-body')] }))).toBe('execute');
  });

  it('stops after so many batches, and reports what was left', () => {
    const budget = new TurnBudget(3);
    for (let batch = 0; batch < 3; batch++) {
      expect(budget.decide(parsed({ calls: [CALL] }))).toBe('execute');
      budget.count(false);
    }
    expect(budget.decide(parsed({ calls: [CALL] }))).toBe('limit');
    expect(budget.limitText(parsed({ calls: [CALL] }))).toBe('stopped after 3 tool rounds; 1 call not run');
    expect(budget.limitText(parsed({ runs: ['a', 'b'] }))).toBe('stopped after 3 tool rounds; 2 run blocks not run');
  });

  it('does not count moves as batches', () => {
    const budget = new TurnBudget(1);
    for (let move = 0; move < 5; move++) budget.count(true);
    expect(budget.decide(parsed({ calls: [CALL] }))).toBe('execute');
  });

  it('stops a model that does nothing but move', () => {
    const budget = new TurnBudget(3);
    for (let move = 0; move < 25; move++) {
      expect(budget.decide(parsed({ calls: [CALL] }))).toBe('execute');
      budget.count(true);
    }
    expect(budget.decide(parsed({ calls: [CALL] }))).toBe('limit');
  });

  it('has no limit at 0', () => {
    const budget = new TurnBudget(0);
    for (let batch = 0; batch < 100; batch++) budget.count(false);
    expect(budget.decide(parsed({ calls: [CALL] }))).toBe('execute');
  });

  it('feeds a near miss back once, then takes the response for the answer', () => {
    const budget = new TurnBudget(5);
    const nearMiss = parsed({ problems: [problem('unknown-tool')] });
    expect(budget.decide(nearMiss)).toBe('execute');
    budget.count(false);
    expect(budget.decide(nearMiss)).toBe('answer');
    expect(budget.decide(parsed({ problems: [problem('unclosed-run')] }))).toBe('execute');
  });

  it('feeds call-shaped text back once in a row', () => {
    const budget = new TurnBudget(5);
    const shape = parsed({ problems: [problem('looks-like-call')] });
    expect(budget.decide(shape)).toBe('execute');
    expect(budget.decide(shape)).toBe('answer');
    expect(budget.decide(parsed({ calls: [CALL] }))).toBe('execute');
    expect(budget.decide(shape)).toBe('execute');
  });

  it('answers other slips as well, but only three in a row', () => {
    const budget = new TurnBudget(0);
    const slip = (message: string) =>
      budget.decide(parsed({ problems: [{ code: 'looks-like-call', line: 1, message }] }));
    expect(['a', 'b', 'c', 'd'].map(slip)).toEqual(['execute', 'execute', 'execute', 'answer']);
    expect(budget.decide(parsed({ calls: [CALL] }))).toBe('execute');
    expect(['a', 'b', 'b'].map(slip)).toEqual(['execute', 'execute', 'answer']);
  });
});
