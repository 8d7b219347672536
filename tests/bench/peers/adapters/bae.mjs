import { createAgent, defineResourcespace, tool } from '@bae/core';
import { openaiCompatibleModel } from '@bae/models';
import { z } from 'zod';

export const title = 'bae';
export const packages = ['zod'];

const TOOLS_PER_SPACE = 10;
let spaces;
let model;

export function createSession({ url, definitions }) {
  spaces ??= Array.from({ length: Math.ceil(definitions.length / TOOLS_PER_SPACE) }, (_, index) => {
    const own = definitions.slice(index * TOOLS_PER_SPACE, (index + 1) * TOOLS_PER_SPACE);
    const tools = own.map(({ name, description, parameter, run }) => {
      const params = { [parameter.name]: z.string().describe(parameter.description) };
      return [name, tool(description, params, ({ item }) => run(item), { effect: 'read' })];
    });
    const description = `Collections from number ${index * TOOLS_PER_SPACE}.`;
    return defineResourcespace({ name: `space${index}`, description, tools: Object.fromEntries(tools) });
  });
  model ??= openaiCompatibleModel('bench', { baseUrl: url, env: {} });
  return async () => {
    const agent = createAgent({ model, spaces, maxBatches: 0 });
    try {
      return await agent.ask('Begin.');
    } finally {
      await agent.close();
    }
  };
}
