import { ModelError, type AgentEvent, type Model, type Usage, type ModelPart } from '@bae/core';

/** Usage and cost of one turn, tool or place. */
export interface LedgerRow extends Usage {
  /** Name such as `turn 2`, `home.read` or `tasks`; `answer` and `run` stand for responses without calls. */
  readonly name: string;
  /** Number of responses of a turn, or of calls of a tool or place. */
  readonly count: number;
  /** Cost in US dollars, if prices are known. */
  readonly cost?: number;
}

/** Tokens and costs by turn, tool and place, summed from the events of a session. */
export interface Ledger {
  /** Adds the next event: `agent.subscribe(ledger.add)`. */
  readonly add: (event: AgentEvent) => void;
  /** Returns the rows of one kind: turns in order, tools and places by tokens in descending order. */
  list(kind: 'turn' | 'call' | 'place'): readonly LedgerRow[];
  /** Returns the total in one row. */
  total(): LedgerRow;
}

type Sum = { -readonly [Key in keyof Usage]: number } & { name: string; count: number };

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

/**
 * Creates a ledger.
 *
 * The tokens of a request are divided equally among the calls in its response; those of a response without calls are
 * assigned to `answer`, or to `run` if it was code. A place has the sum of its tools.
 *
 * @param prices US dollars per million tokens. Default: no costs.
 */
export function createLedger(prices?: NonNullable<Model['prices']>): Ledger {
  const kinds = { turn: new Map<string, Sum>(), call: new Map<string, Sum>(), place: new Map<string, Sum>() };
  const whole = startSum('total');
  let usage: Usage = NOTHING;
  let called: { readonly name: string; readonly place: string }[] = [];

  const settle = (otherwise: string) => {
    if (usage === NOTHING) return;
    const owners = called.length > 0 ? called : [{ name: otherwise, place: otherwise }];
    for (const { name, place } of owners) {
      addTo(kinds.call, name, { usage, owners: owners.length });
      addTo(kinds.place, place, { usage, owners: owners.length });
    }
    [usage, called] = [NOTHING, []];
  };

  const price = (sum: Sum): LedgerRow => (prices === undefined ? sum : { ...sum, cost: priceTokens(sum, prices) });

  return {
    add: (event) => {
      if (event.type === 'response-end') {
        settle('run');
        usage = event.usage;
        addTo(kinds.turn, `turn ${event.turn}`, { usage, owners: 1 });
        addUsage(whole, usage, 1);
      } else if (event.type === 'call-end') {
        called.push({ name: `${event.space}.${event.verb}`, place: event.space });
      } else if (event.type === 'turn-end') settle('answer');
    },
    list: (kind) => {
      const rows = Array.from(kinds[kind].values(), price);
      return kind === 'turn' ? rows : rows.toSorted((a, b) => sumTokens(b) - sumTokens(a));
    },
    total: () => price(whole),
  };
}

function startSum(name: string): Sum {
  return { ...NOTHING, name, count: 0 };
}

function addTo(sums: Map<string, Sum>, name: string, { usage, owners }: { usage: Usage; owners: number }): void {
  const sum = sums.get(name) ?? startSum(name);
  addUsage(sum, usage, owners);
  sums.set(name, sum);
}

function addUsage(sum: Sum, usage: Usage, owners: number): void {
  for (const key of ['inputTokens', 'outputTokens', 'cachedTokens'] as const) sum[key] += usage[key] / owners;
  sum.count++;
}

function sumTokens({ inputTokens, outputTokens }: Usage): number {
  return inputTokens + outputTokens;
}

function priceTokens(usage: Usage, { input, output, cached = input }: NonNullable<Model['prices']>): number {
  const fresh = usage.inputTokens - usage.cachedTokens;
  return (fresh * input + usage.cachedTokens * cached + usage.outputTokens * output) / 1_000_000;
}

/**
 * Makes a model that uses the first of several models that responds. If one fails before its first word, the next one
 * is asked; after that, its failure is final. The name, prices and sizes are those of the first model.
 *
 * @param models in the order in which they are asked; at least one
 */
export function fallbackModel(first: Model, ...others: readonly Model[]): Model {
  return {
    ...pickFacts(first),
    async *respond(messages, options) {
      let failure: ModelPart | undefined;
      for (const model of [first, ...others]) {
        let hasBegun = false;
        for await (const part of model.respond(messages, options)) {
          if (part.type === 'error' && !hasBegun && !options.signal.aborted) {
            failure = addEarlierFailure(part, model, failure);
            break;
          }
          hasBegun ||= part.type === 'text-delta';
          yield part;
          if (part.type === 'end' || part.type === 'error') return;
        }
        // If a model was silent but did not fail, the agent decides how to handle this.
        if (failure === undefined || hasBegun) return;
      }
      if (failure !== undefined) yield failure;
    },
    async dispose() {
      for (const model of [first, ...others]) await model.dispose?.();
    },
  };
}

function pickFacts({ name, idleMs, prices, contextTokens }: Model) {
  return {
    name,
    ...(idleMs !== undefined && { idleMs }),
    ...(prices !== undefined && { prices }),
    ...(contextTokens !== undefined && { contextTokens }),
  };
}

/** Adds the earlier failure to the last one. */
function addEarlierFailure(
  { error }: Extract<ModelPart, { type: 'error' }>,
  { name }: Model,
  before: ModelPart | undefined,
): Extract<ModelPart, { type: 'error' }> {
  const earlier = before?.type === 'error' ? `${before.error.message} ` : '';
  const { retryable, hints, retryAfterMs } = error;
  const message = `${earlier}${name}: ${error.message}`;
  const facts = { retryable, hints, cause: error, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return { type: 'error', error: new ModelError(message, facts) };
}
