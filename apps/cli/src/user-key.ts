import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const KEY = /^[0-9a-f]{64}\s*$/;

/**
 * The secret that proves that a session in a folder was written by this user: of the user's own data, so that nothing
 * that a repository ships can have it, and another one for each folder. Where it cannot be kept, one that holds for this
 * process only.
 *
 * @param folder absolute path
 */
export function getFolderKey(env: Readonly<Record<string, string | undefined>>, folder: string): Uint8Array {
  const file = join(locateUserFolder(env), 'session.key');
  return createHmac('sha256', readKey(file) ?? createKey(file))
    .update(folder)
    .digest();
}

/** The folder of what belongs to the user and not to a project: decisions and keys. */
export function locateUserFolder(env: Readonly<Record<string, string | undefined>>): string {
  // As for trust.json; the package that keeps that file takes long to load.
  const { BAE_HOME, XDG_CONFIG_HOME, HOME } = env;
  return BAE_HOME || join(XDG_CONFIG_HOME || join(HOME || homedir(), '.config'), 'bae');
}

function readKey(file: string): Buffer | undefined {
  try {
    const text = readFileSync(file, 'utf8');
    return KEY.test(text) ? Buffer.from(text.trim(), 'hex') : undefined;
  } catch {
    return undefined;
  }
}

/** Makes a key, also in place of a damaged one. Another process may make one at the same moment: the first one counts. */
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
