// No framework: function calling over fetch, as short as it can be.
export const title = 'raw fetch, no framework';

export function createSession({ url, definitions }) {
  const tools = definitions.map(({ name, description, parameter }) => ({
    type: 'function',
    function: {
      name,
      description,
      parameters: {
        type: 'object',
        properties: { [parameter.name]: { type: 'string', description: parameter.description } },
        required: [parameter.name],
      },
    },
  }));
  return async () => {
    const messages = [{ role: 'user', content: 'Begin.' }];
    for (;;) {
      const body = JSON.stringify({ model: 'bench', messages, tools, stream: true });
      const response = await fetch(`${url}/chat/completions`, { method: 'POST', body });
      let rest = '';
      let content = '';
      let call;
      for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        for (const line of lines) {
          if (!line.startsWith('data: {')) continue;
          const delta = JSON.parse(line.slice(6)).choices[0]?.delta ?? {};
          content += delta.content ?? '';
          const [part] = delta.tool_calls ?? [];
          if (part?.id) call = part;
          else if (part) call.function.arguments += part.function.arguments;
        }
      }
      if (call === undefined) return content;
      messages.push({ role: 'assistant', content, tool_calls: [call] });
      const { run } = definitions.find(({ name }) => name === call.function.name);
      messages.push({ role: 'tool', tool_call_id: call.id, content: run(JSON.parse(call.function.arguments).item) });
    }
  };
}
