import { ProtectedFileError } from '../errors.ts';
import { CREDENTIAL_PLACES, CREDENTIALS, PRIVATE_KEYS, SUSPICIOUS } from './credential-names.ts';
import { formatPath } from './show-path.ts';

/** Restrictions on the use of a path by tools. */
export interface PathProtection {
  /** Description of the path as the rest of a sentence: `belongs to git`. No tool ever writes it. */
  readonly is: string;
  /** True when its content, too, is only shown with the user's consent. */
  readonly secret: boolean;
}

/** The given path, and the protection of the file that it leads to. */
interface ProtectedPath {
  readonly given: string;
  readonly protection: PathProtection | undefined;
}

/** Folder for bae's own data in a workspace, which lists, searches and version control ignore. */
export const OWN_FOLDER = '.bae';

/** Description of bae's own files: they are open while it runs, so no tool may open them, even with consent. */
const OWN = 'is a file of bae itself';

/** Protection of the files in which an application keeps its data. */
export const OWN_DATA: PathProtection = { is: OWN, secret: true };

/** Protection of the settings files of an application. */
export const OWN_SETTINGS: PathProtection = { is: 'belongs to bae', secret: false };

/** Protection of the files that a rule of the user about reading names. */
export const BY_RULE: PathProtection = { is: 'is named by a rule about reading', secret: true };

interface Rule extends PathProtection {
  /** Matches one folded part of a path. */
  readonly name: RegExp;
}

/**
 * A rule may match any part of a path: everything inside a protected folder is protected too. The first match applies.
 */
const RULES: readonly Rule[] = [
  { is: 'belongs to git', secret: true, name: /^\.git$|^git~\d+$/ },
  ...CREDENTIALS.map((name) => ({ is: 'may hold passwords', secret: true, name })),
  ...PRIVATE_KEYS.map((name) => ({ is: 'may be a private key', secret: true, name })),
  { ...OWN_DATA, name: /^\.bae$/ },
  { ...OWN_SETTINGS, name: /^bae\.config(\.|$)/ },
  {
    is: 'runs when a shell or git starts',
    secret: false,
    name: /^\.(bash_?(rc|profile|login|logout|aliases|env)|profile|login|logout|inputrc|xprofile|xinitrc|xsessionrc|gitconfig)$/,
  },
  {
    is: 'runs when a shell or git starts',
    secret: false,
    name: /^\.(z(shrc|shenv|profile|login|logout)|[kc]shrc|mkshrc|tcshrc)$|^config\.fish$|^(microsoft\.powershell_)?profile\.ps1$/,
  },
];

/** Matches additions to the names of backup files: `~`, `.bak`, and `#` before and after. */
const BACKUP = /^#(?=.*#$)|#$|(?:~|\.(?:bak|old|orig|save|sw[a-p]|copy)){1,3}$/g;

/** Matches every path of bae's own files and of shell files, in any spelling. */
const OWN_NAMES = /(?:^|[/\\])(?:[._]|bae\.config|config\.fish|profile\.|microsoft\.)/i;

/** Matches names of files that everyone may read, in exactly this spelling. */
const PUBLISHED = /^\.env\.(example|sample|template|dist)$|^id_(rsa|dsa|ecdsa|ed25519|xmss)(_sk)?\.pub$/;

/**
 * Finds the protection of a file by all paths below the root that lead to it; undefined when tools may read and write
 * it.
 *
 * Only names matter, not whether the file exists or how its name is spelt.
 */
export function findProtection(...paths: readonly string[]): PathProtection | undefined {
  const suspicious = paths.filter((path) => SUSPICIOUS.test(path) || OWN_NAMES.test(path));
  if (suspicious.length === 0) return undefined;
  const found = suspicious.flatMap((path) => [...path.split(/[/\\]/).map(findRule), findPlace(path)]);
  return found.find((one) => one?.is === OWN) ?? found.find((one) => one?.secret === true) ?? found.find(Boolean);
}

function findPlace(path: string): PathProtection | undefined {
  const folded = path
    .split(/[/\\]/)
    .map(foldName)
    .filter((part) => part !== '')
    .join('/');
  const spellings = [folded, folded.replace(/[^/]+$/, (name) => name.replace(BACKUP, ''))];
  return CREDENTIAL_PLACES.some((place) => spellings.some((one) => place.test(one)))
    ? { is: 'may hold passwords', secret: true }
    : undefined;
}

function findRule(part: string): PathProtection | undefined {
  // On some file systems, a colon and the text after it name a part of the file.
  const names = [part, part.replace(/:.*$/s, '')].map(foldName);
  // A backup of a secret by an editor or a person is also a secret.
  const spellings = names.flatMap((name) => [name, name.replace(BACKUP, '')]);
  const rule = RULES.find(({ name }) => spellings.some((spelling) => name.test(spelling)));
  return rule && { is: rule.is, secret: rule.secret && !PUBLISHED.test(part) };
}

/**
 * Folds a file name so that all spellings that any file system treats as the same name become equal: it removes
 * differences of case, composed and decomposed letters, invisible characters, and trailing dots and spaces. Other names
 * may become equal too, so use it only to refuse, never to allow.
 */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[.\s]+$/, '');
}

/**
 * Returns the reason for asking before the content is shown: `may hold passwords`; undefined if it is always or never
 * shown.
 */
export function findSecrecy({ protection }: Pick<ProtectedPath, 'protection'>): string | undefined {
  return protection?.secret === true && protection.is !== OWN ? protection.is : undefined;
}

/** Tests whether a path below the home folder may hold passwords or private keys, by its name. */
export function holdsCredentials(path: string): boolean {
  const protection = findProtection(path);
  return protection?.secret === true && protection.is.startsWith('may ');
}

export function refuseProtected({ given, protection }: ProtectedPath): void {
  if (protection === undefined) return;
  const fact = `${formatPath(given)} ${protection.is}: no tool writes it.`;
  throw new ProtectedFileError(`${fact} Say what should be in it, so that the user can write it.`, ['<R:.>']);
}

/**
 * Refuses to open files that no tool may read.
 *
 * @param isAllowed true when the user has consented to show it. Even then, a tool may not open bae's own files:
 *   opening and closing a database in the process of its owner releases the owner's locks.
 */
export function refuseSecret({ given, protection }: ProtectedPath, isAllowed = false): void {
  if (protection?.secret !== true || (isAllowed && protection.is !== OWN)) return;
  if (isAllowed) throw new ProtectedFileError(`${formatPath(given)} ${OWN}: no tool opens it.`, ['<R:.>']);
  const fact = `${formatPath(given)} ${protection.is}: it is shown only when the user allows it.`;
  throw new ProtectedFileError(`${fact} Go on without it.`, ['<R:.>']);
}
