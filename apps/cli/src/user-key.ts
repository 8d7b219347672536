import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { CommandContext } from './command-line/command.ts';

const KEY = /^[0-9a-f]{64}\s*$/;

/**
 * Returns the secret that proves that this user wrote a fact, in whatever folder. It is derived as that of a folder is.
 */
export function getUserKey(env: Readonly<Record<string, string | undefined>>): Uint8Array {
  // No absolute path.
  return getFolderKey(env, 'facts');
}

/**
 * Returns the secret that proves that this user wrote a session in a folder. It is derived from the user's own data,
 * which a repository cannot contain, and differs for each folder. If it cannot be stored, it is valid only for this
 * process.
 *
 * @param folder absolute path
 */
export function getFolderKey(env: Readonly<Record<string, string | undefined>>, folder: string): Uint8Array {
  const file = join(locateUserFolder(env), 'session.key');
  return createHmac('sha256', readKey(file) ?? createKey(file))
    .update(folder)
    .digest();
}

/** Returns the folder for data that belongs to the user and not to a project, such as decisions and keys. */
export function locateUserFolder(env: Readonly<Record<string, string | undefined>>): string {
  // The same folder as that of trust.json, but the package for that file takes long to load.
  const { BAE_HOME, XDG_CONFIG_HOME, HOME } = env;
  return BAE_HOME || join(XDG_CONFIG_HOME || join(HOME || homedir(), '.config'), 'bae');
}

/** Returns the file with the lines that were typed in the shell, which all folders share. */
export function locateHistory(env: Readonly<Record<string, string | undefined>>): string {
  return join(locateUserFolder(env), 'history');
}

/** Returns the folder in which `bae serve` keeps its data. */
export function locateServerData({ options, terminal }: Pick<CommandContext, 'options' | 'terminal'>): string {
  return options.data === undefined
    ? join(locateUserFolder(terminal.env), 'serve')
    : resolve(terminal.cwd, options.data);
}

function readKey(file: string): Buffer | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return KEY.test(text) ? Buffer.from(text.trim(), 'hex') : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Creates a key, which may replace a damaged one. If another process creates one at the same time, the first is used.
 */
function createKey(file: string): Buffer {
  const key = randomBytes(32);
  const draft = `${file}.${key.toString('hex', 0, 8)}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${key.toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    if (existsSync(file) && readKey(file) === undefined) renameSync(draft, file);
    else linkSync(draft, file);
  } catch {
    return readKey(file) ?? key;
  } finally {
    if (existsSync(draft)) rmSync(draft);
  }
  return key;
}
