import { asModelText } from '@bae/core';
import { parse as parseText } from '@bae/core/pipeline';

interface Input {
  readonly text: string;
  readonly spaces?: readonly string[];
  readonly tools?: readonly string[];
}

/** Prose is compared only where an example says what it should be. */
export function parse({ text, spaces = [], tools = [] }: Input, expected: { readonly prose?: string }): unknown {
  const parsed = parseText(asModelText(text), { spaces: new Set(spaces), tools: new Set(tools) });
  return {
    calls: parsed.calls.map(({ verb, arg, body, block, kwargs, space }) => ({ verb, arg, body, block, kwargs, space })),
    runs: parsed.runs,
    problems: parsed.problems.map(({ code, line }) => ({ code, line })),
    ...('prose' in expected && { prose: parsed.prose }),
  };
}
