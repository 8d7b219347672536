import { mergeVariables, type Platform, getSystemVariable, type Variables } from './platform/platform.ts';
import { getPlatform } from './platform/this-platform.ts';

/**
 * Selection of the variables that a program inherits from bae. `quiet` passes all except the keys of models, and
 * requests no colours and no questions; `project` passes the same except variables that are named like secrets, without
 * these requests; `basics` passes only the variables that every program needs.
 */
export type Inheritance = 'quiet' | 'project' | 'basics';

const MODEL_KEY = /API_?KEY$/i;
const SECRET =
  /(?:^|_)(?:TOKEN|SECRETS?|PASS|PASSWD|PASSPHRASE|PAT|CREDENTIALS?|(?:PRIVATE|ACCESS|ACCOUNT|SIGNING|MASTER|ENCRYPTION|DEPLOY|JWT)_?KEY(?:_ID)?)(?:_|$)|API_?KEY|AUTH_?TOKEN|PASSWORD|SSHPASS|_(?:PWD|AUTH)$/i;

/** Returns true for a variable that is named like a secret: `GITHUB_TOKEN`. */
export function isSecretName(name: string): boolean {
  return SECRET.test(name);
}

export interface EnvironmentRequest {
  readonly inherits: Inheritance;
  /** Absolute path of the project. */
  readonly project: string;
  readonly platform?: Platform;
}

/** Creates the environment variables for a program that runs in a project. */
export function createEnvironment(
  { inherits, project, platform = getPlatform() }: EnvironmentRequest,
  ...added: readonly Variables[]
): Readonly<Record<string, string>> {
  const { basics, protection, path } = platform;
  const variables = Object.fromEntries(
    Object.entries(platform.variables).filter(([name]) => isInherited(name, { inherits, basics })),
  );
  const requests: Readonly<Record<Inheritance, Variables>> = {
    quiet: { ...protection, NO_COLOR: '1', FORCE_COLOR: '0', CI: '1' },
    project: {},
    basics: { ...protection, PATH: listProgramFolders(project, platform).join(path.delimiter) },
  };
  return mergeVariables(platform, variables, requests[inherits], ...added);
}

function isInherited(name: string, { inherits, basics }: { readonly inherits: Inheritance; readonly basics: RegExp }) {
  if (inherits === 'basics') return basics.test(name);
  return !MODEL_KEY.test(name) && !(inherits === 'project' && isSecretName(name));
}

/**
 * Lists the folders of the PATH in which programs are looked up, without those that a project could put programs into.
 */
export function listProgramFolders(project: string, platform: Platform): readonly string[] {
  const { path, defaultPath } = platform;
  const folders = (getSystemVariable(platform, 'PATH') ?? defaultPath).split(path.delimiter);
  return folders
    .map((folder) => (platform.isWindows ? folder.replaceAll('"', '') : folder))
    .filter((folder) => path.isAbsolute(folder) && !isInProject(folder, { project, platform }));
}

function isInProject(folder: string, { project, platform: { path } }: { project: string; platform: Platform }) {
  const way = path.relative(project, folder);
  return way === '' || !(way === '..' || way.startsWith(`..${path.sep}`) || path.isAbsolute(way));
}
