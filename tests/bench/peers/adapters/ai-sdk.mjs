import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { stepCountIs, streamText, tool } from 'ai';
import { z } from 'zod';

export const title = 'AI SDK';
export const packages = ['ai', '@ai-sdk/openai-compatible', 'zod'];

let tools;

export function createSession({ url, definitions }) {
  tools ??= Object.fromEntries(
    definitions.map(({ name, description, parameter, run }) => {
      const inputSchema = z.object({ [parameter.name]: z.string().describe(parameter.description) });
      return [name, tool({ description, inputSchema, execute: async ({ item }) => run(item) })];
    }),
  );
  const model = createOpenAICompatible({ name: 'bench', baseURL: url })('bench');
  return async () => {
    const { textStream } = streamText({ model, tools, prompt: 'Begin.', stopWhen: stepCountIs(100) });
    let answer = '';
    for await (const text of textStream) answer += text;
    return answer;
  };
}
