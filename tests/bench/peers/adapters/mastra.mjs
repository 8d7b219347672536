import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

export const title = 'Mastra';
export const packages = ['@mastra/core', 'zod'];

let tools;

export function createSession({ url, definitions }) {
  tools ??= Object.fromEntries(
    definitions.map(({ name: id, description, parameter, run }) => {
      const inputSchema = z.object({ [parameter.name]: z.string().describe(parameter.description) });
      return [id, createTool({ id, description, inputSchema, execute: async ({ item }) => run(item) })];
    }),
  );
  const model = { id: 'bench/bench', url, apiKey: 'none' };
  return async () => {
    const agent = new Agent({ id: 'bench', name: 'bench', instructions: 'Use the tools.', model, tools });
    const { textStream } = await agent.stream('Begin.', { maxSteps: 100 });
    let answer = '';
    for await (const text of textStream) answer += text;
    return answer;
  };
}
