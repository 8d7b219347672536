import { Agent, OpenAIChatCompletionsModel, run as runAgent, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';

export const title = 'OpenAI Agents';
export const packages = ['@openai/agents', 'openai', 'zod'];

setTracingDisabled(true);
let tools;

export function createSession({ url: baseURL, definitions }) {
  tools ??= definitions.map(({ name, description, parameter, run }) => {
    const parameters = z.object({ [parameter.name]: z.string().describe(parameter.description) });
    return tool({ name, description, parameters, execute: async ({ item }) => run(item) });
  });
  const model = new OpenAIChatCompletionsModel(new OpenAI({ baseURL, apiKey: 'none' }), 'bench');
  return async () => {
    const agent = new Agent({ name: 'bench', instructions: 'Use the tools.', model, tools });
    const stream = await runAgent(agent, 'Begin.', { stream: true, maxTurns: 100 });
    let answer = '';
    for await (const text of stream.toTextStream()) answer += text;
    return answer;
  };
}
