// Goes on with a session as `bae` does, and tells how long it took since the process began, and how much memory.
import { readPeakMemory } from './peak-memory.ts';
import { createAgent } from '@bae/core';
import { Store } from '@bae/store';

const [, , file = '', session = ''] = process.argv;
const store = Store.open(file);
const resume = store.snapshot(session);
const agent = createAgent({ resume, log: store.log(session), results: store.results(session) });
const ms = performance.now();
const megabytes = readPeakMemory();
store.close();
await agent.close();
process.stdout.write(JSON.stringify({ messages: resume.messages.length, last: agent.id, ms, megabytes }));
