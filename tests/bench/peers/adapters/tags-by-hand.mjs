// No framework: tags in text over fetch; the model is told about the first ten tools.
export const title = 'tags by hand, no framework';

const PROMPT = 'Call a tool with its tag in your text. You get its result in the next message.';

export function createSession({ url, definitions }) {
  const tags = definitions.slice(0, 10).map(({ name, description, parameter }) => {
    return `<space0.${name}:${parameter.name}>  -- ${description}`;
  });
  return async () => {
    const messages = [
      { role: 'system', content: [PROMPT, ...tags].join('\n') },
      { role: 'user', content: 'Begin.' },
    ];
    for (;;) {
      const body = JSON.stringify({ model: 'bench', messages, stream: true });
      const response = await fetch(`${url}/chat/completions`, { method: 'POST', body });
      let rest = '';
      let content = '';
      for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + text).split('\n');
        rest = lines.pop();
        for (const line of lines) {
          if (line.startsWith('data: {')) content += JSON.parse(line.slice(6)).choices[0]?.delta.content ?? '';
        }
      }
      const [, name, item] = /<space0\.(\w+):(.*)>/.exec(content) ?? [];
      if (name === undefined) return content;
      messages.push({ role: 'assistant', content });
      messages.push({ role: 'user', content: definitions.find((one) => one.name === name).run(item) });
    }
  };
}
