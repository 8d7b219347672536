import type { SampleCall } from './sample-calls.ts';

type Call = Pick<SampleCall, 'name' | 'args'>;

/** Writes a call in the syntax of one model family or framework. */
type Dialect = (call: Call) => string;

const json = (value: unknown) => JSON.stringify(value);
const entries = ({ args }: Call) => Object.entries(args);
const text = (value: unknown) => (typeof value === 'string' ? value : json(value));

function python(value: unknown): string {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null) return 'None';
  return json(value);
}

/** Text between tags, on lines of its own when it has several. */
const wrapped = (value: unknown) => (text(value).includes('\n') ? `\n${text(value)}\n` : text(value));

/** Value of a call of Gemma, whose texts stand between marks. */
function gemma(value: unknown, mark: string): string {
  if (typeof value === 'string') return mark + value + mark;
  if (Array.isArray(value)) return `[${value.map((one) => gemma(one, mark)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return json(value);
  return `{${Object.entries(value)
    .map(([key, one]) => `${key}:${gemma(one, mark)}`)
    .join(',')}}`;
}

const pythonCall = (call: Call) =>
  `${call.name}(${entries(call)
    .map(([key, value]) => `${key}=${python(value)}`)
    .join(', ')})`;

/** Ways to write a call, from the documentation of those who use them. */
export const DIALECTS: Readonly<Record<string, Dialect>> = {
  'Anthropic function calls': (call) =>
    `<function_calls>\n<invoke name="${call.name}">\n${entries(call)
      .map(([key, value]) => `<parameter name="${key}">${text(value)}</parameter>`)
      .join('\n')}\n</invoke>\n</function_calls>`,
  'invoke with a namespace': (call) =>
    `<ns:invoke name="${call.name}">\n${entries(call)
      .map(([key, value]) => `<ns:parameter name="${key}">${text(value)}</ns:parameter>`)
      .join('\n')}\n</ns:invoke>`,
  'Hermes and Qwen JSON': ({ name, args }) => `<tool_call>\n${json({ name, arguments: args })}\n</tool_call>`,
  'OpenAI JSON between tags': ({ name, args }) =>
    `<tool_call>${json({ id: 'call_1', type: 'function', function: { name, arguments: json(args) } })}</tool_call>`,
  'OpenAI JSON on a line': ({ name, args }) => json({ type: 'function', function: { name, arguments: args } }),
  'Qwen Coder': (call) =>
    `<tool_call>\n<function=${call.name}>\n${entries(call)
      .map(([key, value]) => `<parameter=${key}>\n${text(value)}\n</parameter>`)
      .join('\n')}\n</function>\n</tool_call>`,
  'Llama function': ({ name, args }) => `<function=${name}>${json(args)}</function>`,
  Mistral: ({ name, args }) => `[TOOL_CALLS][${json({ name, arguments: args })}]`,
  Granite: ({ name, args }) => `<|tool_call|>[${json({ name, arguments: args })}]`,
  'Python in a fence': (call) =>
    `\`\`\`tool_code\nprint(${call.name}(${entries(call)
      .map(([key, value]) => `${key}=${python(value)}`)
      .join(', ')}))\n\`\`\``,
  ReAct: ({ name, args }) => `Thought: I need this.\nAction: ${name}\nAction Input: ${json(args)}`,
  'Cline elements': (call) =>
    `<${call.name}>\n${entries(call)
      .map(([key, value]) => `<${key}>${wrapped(value)}</${key}>`)
      .join('\n')}\n</${call.name}>`,
  'DeepSeek DSML': (call) =>
    `<｜DSML｜function_calls>\n<｜DSML｜invoke name="${call.name}">\n${entries(call)
      .map(
        ([key, value]) =>
          `<｜DSML｜parameter name="${key}" string="${typeof value === 'string'}">${text(value)}</｜DSML｜parameter>`,
      )
      .join('\n')}\n</｜DSML｜invoke>\n</｜DSML｜function_calls>`,
  LFM: (call) => `<|tool_call_start|>[${pythonCall(call)}]<|tool_call_end|>`,
  'Llama 4': (call) => `<|python_start|>[${pythonCall(call)}]<|python_end|>`,
  Nemotron: ({ name, args }) => `<TOOLCALL>[${json({ name, arguments: args })}]</TOOLCALL>`,
  FunctionGemma: ({ name, args }) => `<start_function_call>call:${name}${gemma(args, '<escape>')}<end_function_call>`,
  'Gemma 4': ({ name, args }) => `<|tool_call>call:${name}${gemma(args, '<|"|>')}<tool_call|>`,
  'Qwen Agent': ({ name, args }) => `✿FUNCTION✿: ${name}\n✿ARGS✿: ${json(args)}`,
};
