// Runs a program and records in a file every line of its input and output, and its end: record-lines.mjs FILE PROGRAM …
import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';

const [file, command, ...args] = process.argv.slice(2);
const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });

function record(by, line) {
  appendFileSync(file, `${JSON.stringify({ process: process.pid, by, line })}\n`);
}

function pass(from, to, by) {
  let rest = '';
  from.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) record(by, line);
    to.write(text);
  });
  from.on('end', () => to.end());
}

pass(process.stdin, child.stdin, 'client');
pass(child.stdout, process.stdout, 'agent');
child.stdin.on('error', () => undefined);
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
child.on('close', (code) => {
  record('end', '');
  process.exit(code ?? 1);
});
