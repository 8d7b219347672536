import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What the fake command does at one call. */
export interface FakeTurn {
  /** Printed on standard output, followed by a line break unless it hangs. */
  readonly text?: string;
  readonly stderr?: string;
  /** Default: 0. */
  readonly code?: number;
  /** Starts a child of its own, writes its number to `child.pid`, and then waits for ever. */
  readonly hang?: boolean;
  /** Leaves a child behind that keeps standard output open. */
  readonly leaveChild?: boolean;
}

/** One call of the fake command. */
export interface FakeCall {
  readonly args: readonly string[];
  readonly cwd: string;
  /** What standard input was. */
  readonly stdin: string;
  /** True when it leads a process group of its own. */
  readonly leader: boolean;
}

/** A folder with an executable `claude` that follows a script, and remembers its sessions. */
export class FakeClaude {
  private constructor(readonly folder: string) {}

  static async create(turns: readonly FakeTurn[]): Promise<FakeClaude> {
    const folder = await mkdtemp(join(tmpdir(), 'fake-claude-'));
    const fake = new FakeClaude(folder);
    await writeFile(join(folder, 'turns.json'), JSON.stringify(turns));
    await writeFile(fake.command, `#!${process.execPath}\n${SCRIPT}`);
    await chmod(fake.command, 0o755);
    return fake;
  }

  get command(): string {
    return join(this.folder, 'claude');
  }

  async calls(): Promise<readonly FakeCall[]> {
    const text = await readFile(join(this.folder, 'calls.jsonl'), 'utf8').catch(() => '');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as FakeCall);
  }

  /** Number of the child that a hanging call started; undefined while there is none. */
  async childPid(): Promise<number | undefined> {
    const text = await readFile(join(this.folder, 'child.pid'), 'utf8').catch(() => '');
    return text === '' ? undefined : Number(text);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** True while a process runs; one that is dead and only not collected yet does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

const SCRIPT = String.raw`
const fs = require('node:fs');
const path = require('node:path');
const { spawn } = require('node:child_process');
const at = (name) => path.join(__dirname, name);
const args = process.argv.slice(2);
const stdin = fs.readlinkSync('/proc/self/fd/0');
const leader = Number(fs.readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ')[2]) === process.pid;
const number = fs.existsSync(at('calls.jsonl')) ? fs.readFileSync(at('calls.jsonl'), 'utf8').trim().split('\n').length : 0;
fs.appendFileSync(at('calls.jsonl'), JSON.stringify({ args, cwd: process.cwd(), stdin, leader }) + '\n');
const turn = JSON.parse(fs.readFileSync(at('turns.json'), 'utf8'))[number] ?? { stderr: 'no turn left', code: 1 };
const value = (flag) => args[args.indexOf(flag) + 1];
const fail = (text, code = 1) => { process.stderr.write(text + '\n'); process.exitCode = code; };
const session = (id) => at('session-' + id);
if (args.includes('--session-id') && fs.existsSync(session(value('--session-id')))) {
  fail('Error: Session ID ' + value('--session-id') + ' is already in use.');
} else if (args.includes('--resume') && !fs.existsSync(session(value('--resume')))) {
  fail('No conversation found with session ID: ' + value('--resume'));
} else {
  if (args.includes('--session-id')) fs.writeFileSync(session(value('--session-id')), '');
  const child = () => spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
  if (turn.hang) {
    fs.writeFileSync(at('child.pid'), String(child().pid));
    process.stdout.write(turn.text ?? '');
    setInterval(() => {}, 1000);
  } else {
    if (turn.leaveChild) {
      const left = child();
      fs.writeFileSync(at('child.pid'), String(left.pid));
      left.unref();
    }
    if (turn.text !== undefined) process.stdout.write(turn.text + '\n');
    if (turn.code) fail(turn.stderr ?? '', turn.code);
  }
}
`;
