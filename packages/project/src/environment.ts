import { delimiter, isAbsolute, relative } from 'node:path';

/**
 * Selection of the variables that a program inherits from bae. `quiet` passes all except the keys of models, and
 * requests no colours and no questions; `project` passes the same except variables that are named like secrets, without
 * these requests; `basics` passes only the variables that every program needs.
 */
export type Inheritance = 'quiet' | 'project' | 'basics';

const MODEL_KEY = /API_?KEY$/i;
const SECRET =
  /(?:^|_)(?:TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|(?:PRIVATE|ACCESS|ACCOUNT|SIGNING)_?KEY(?:_ID)?)(?:_|$)|API_?KEY/i;

const BASICS = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LANGUAGE|LC_\w+|TERM|TZ|TMPDIR)$/;

/** Creates the environment variables for a program that runs in a project. */
export function createEnvironment(
  inherits: Inheritance,
  project: string,
  added: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && isInherited(entry[0], inherits),
  );
  const variables = Object.fromEntries(inherited);
  if (inherits === 'quiet') return { ...variables, NO_COLOR: '1', FORCE_COLOR: '0', CI: '1', ...added };
  if (inherits === 'project') return { ...variables, ...added };
  return { ...variables, PATH: listProgramFolders(project).join(delimiter), ...added };
}

function isInherited(name: string, inherits: Inheritance): boolean {
  if (inherits === 'basics') return BASICS.test(name);
  return !MODEL_KEY.test(name) && !(inherits === 'project' && SECRET.test(name));
}

/**
 * Lists the folders of the PATH in which programs are looked up, without those that a project could put programs into.
 */
export function listProgramFolders(project: string): readonly string[] {
  const folders = (process.env['PATH'] ?? '/usr/bin:/bin').split(delimiter);
  return folders.filter((path) => isAbsolute(path) && !isInProject(path, project));
}

function isInProject(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith('../') || isAbsolute(way));
}
