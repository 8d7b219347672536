import { Agent } from '@earendil-works/pi-agent-core';
import { createModels, createProvider } from '@earendil-works/pi-ai';
import { openAICompletionsApi } from '@earendil-works/pi-ai/api/openai-completions.lazy';

export const title = 'pi';
export const packages = ['@earendil-works/pi-agent-core', '@earendil-works/pi-ai'];

let models;

export function createSession({ url: baseUrl, definitions }) {
  if (models === undefined) {
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    const limits = { input: ['text'], cost, contextWindow: 128_000, maxTokens: 32_000 };
    const model = { id: 'bench', name: 'bench', api: 'openai-completions', provider: 'bench', reasoning: false };
    const auth = { apiKey: { name: 'bench', resolve: async () => ({ auth: { apiKey: 'none' } }) } };
    const all = [{ ...model, ...limits, baseUrl }];
    models = createModels();
    models.setProvider(
      createProvider({ id: 'bench', name: 'bench', baseUrl, auth, models: all, api: openAICompletionsApi() }),
    );
  }
  const tools = definitions.map(({ name, description, parameter, run }) => ({
    name,
    label: name,
    description,
    parameters: {
      type: 'object',
      properties: { [parameter.name]: { type: 'string', description: parameter.description } },
      required: [parameter.name],
    },
    execute: async (_id, { item }) => ({ content: [{ type: 'text', text: run(item) }], details: {} }),
  }));
  return async () => {
    const initialState = { systemPrompt: 'Use the tools.', model: models.getModel('bench', 'bench'), tools };
    const agent = new Agent({ initialState, streamFn: models.streamSimple.bind(models) });
    await agent.prompt('Begin.');
    return agent.state.messages
      .at(-1)
      .content.map(({ text = '' }) => text)
      .join('');
  };
}
