import { mergeVariables, getSystemVariable, type Platform, type Variables } from './platform/platform.ts';
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

const MASK = '‹masked password›';
const PASSWORD = /:\/\/[^\s:@/]*:([^\s@/]+)@/g;
/** Minimum length of a password that is masked wherever it is: a shorter one may be a part of any word. */
const UNMISTAKABLE = 8;
/** Matches passwords that stand for one, or are words. */
const ORDINARY = /^(?:pass|secret|user|postgres|root|admin|example|test|your|change|x{3})/i;

/**
 * Masks the passwords in URLs of environment variables, such as `DATABASE_URL`, in a text for a model or a person:
 * programs of the project get these variables, and may print them.
 *
 * @param variables default: those of this process
 */
export function maskUrlPasswords(text: string, variables: Variables = getPlatform().variables): string {
  return maskForms(text, listPasswordForms(variables));
}

/**
 * Creates a function that masks the same passwords in a text that arrives in pieces: it holds back the end of a piece
 * that may be the beginning of a password until the next one.
 */
export function createPieceMask(
  variables: Variables = getPlatform().variables,
): (piece: string, isLast?: boolean) => string {
  const forms = listPasswordForms(variables);
  let held = '';
  return (piece, isLast = false) => {
    const text = maskForms(held + piece, forms);
    const shown = isLast ? text.length : findBeginning(text, forms);
    held = text.slice(shown);
    return text.slice(0, shown);
  };
}

/** A password as it may stand in a text, and what is shown instead. */
type Form = readonly [written: string, masked: string];

/** Lists all forms of passwords, the longest first: one may be the beginning of another. */
function listPasswordForms(variables: Variables): readonly Form[] {
  const forms = Array.from(listUrlPasswords(variables), (password): readonly Form[] => {
    const isUnmistakable = password.length >= UNMISTAKABLE && !ORDINARY.test(password);
    return [[`:${password}@`, `:${MASK}@`], ...(isUnmistakable ? ([[password, MASK]] as const) : [])];
  });
  return forms.flat().toSorted(([one], [other]) => other.length - one.length);
}

function maskForms(text: string, forms: readonly Form[]): string {
  return forms.reduce((masked, [written, shown]) => masked.replaceAll(written, shown), text);
}

/** Returns the offset of an end of a text that is the beginning of a form; the length of the text if none is. */
function findBeginning(text: string, forms: readonly Form[]): number {
  const longest = forms[0]?.[0].length ?? 0;
  for (let at = Math.max(text.length - longest, 0); at < text.length; at++)
    if (forms.some(([written]) => written.startsWith(text.slice(at)))) return at;
  return text.length;
}

/** Lists the passwords as they are written, and as programs read them. */
function listUrlPasswords(variables: Variables): ReadonlySet<string> {
  const written = Object.values(variables).flatMap((value = '') =>
    Array.from(value.matchAll(PASSWORD), ([, password]) => password!),
  );
  return new Set([...written, ...written.map(decodePassword)]);
}

function decodePassword(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
