// One framework in a process of its own: node session.mjs ADAPTER TOOLS PORT. It runs what it is told to over IPC, and
// replies with the time it took.
const [, , adapter, tools, port] = process.argv;
const { createSession } = await import(`./adapters/${adapter}.mjs`);

/** Names and texts are the same for everybody. */
const definitions = Array.from({ length: Number(tools) }, (_, index) => ({
  name: `tool${index}`,
  description: `Reads one item of the collection number ${index}, by its name.`,
  parameter: { name: 'item', description: 'The name of the item.' },
  run: (item) => `This is ${item}.`,
}));

process.on('message', (work) => void run(work));
process.send({ ready: true });
process.on('disconnect', () => process.exit());

async function run({ sessions, calls }) {
  const url = `http://127.0.0.1:${port}/${calls}/v1`;
  const begun = performance.now();
  const answers = await Promise.all(Array.from({ length: sessions }, () => createSession({ url, definitions })()));
  const ms = performance.now() - begun;
  const wrong = answers.find((answer) => !String(answer).includes('Done.'));
  // The most that the process has ever needed, in kilobytes.
  const { maxRSS } = process.resourceUsage();
  process.send({ ms, wrong, rss: process.memoryUsage().rss / 1e6, most: maxRSS / 1e3 });
}
