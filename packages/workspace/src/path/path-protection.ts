import { ProtectedFileError } from '../errors.ts';
import { CREDENTIAL_PLACES, CREDENTIALS, PRIVATE_KEYS, SUSPICIOUS } from './credential-names.ts';
import { formatPath } from './show-path.ts';

/** What tools must not do with a path. */
export interface PathProtection {
  /** What the path is, as the rest of a sentence: `belongs to git`. No tool ever writes it. */
  readonly is: string;
  /** True when also its content is shown only with the user's consent. */
  readonly secret: boolean;
}

/** A path as it was given, and what protects the file that it leads to. */
interface ProtectedPath {
  readonly given: string;
  readonly protection: PathProtection | undefined;
}

/** Where bae keeps what it needs for itself in a workspace: no matter for lists, searches and version control. */
export const OWN_FOLDER = '.bae';

/** What bae's own files are: they are open while it runs, so no tool may open them, whatever the user allows. */
const OWN = 'is a file of bae itself';

/** What protects the files in which an application keeps its data. */
export const OWN_DATA: PathProtection = { is: OWN, secret: true };

/** What protects files that say how an application works. */
export const OWN_SETTINGS: PathProtection = { is: 'belongs to bae', secret: false };

interface Rule extends PathProtection {
  /** Fits one part of a path, folded. */
  readonly name: RegExp;
}

/** Any part of a path may fit: what is inside of a protected folder is protected too. The first rule counts. */
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

/** What is added to the name of a file that is kept: `~`, `.bak`, and `#` before and after. */
const BACKUP = /^#(?=.*#$)|#$|(?:~|\.(?:bak|old|orig|save|sw[a-p]|copy)){1,3}$/g;

/** In every path of bae's own files and of shells, however it is spelt. */
const OWN_NAMES = /(?:^|[/\\])(?:[._]|bae\.config|config\.fish|profile\.|microsoft\.)/i;

/** Names that exist to be read by everybody, in exactly this spelling. */
const PUBLISHED = /^\.env\.(example|sample|template|dist)$|^id_(rsa|dsa|ecdsa|ed25519|xmss)(_sk)?\.pub$/;

/**
 * Finds what is special about a file, by all paths below the root that lead to it; undefined when tools may read and
 * write it.
 *
 * Only names count: not whether anything is there, nor how the name is spelt.
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
  return CREDENTIAL_PLACES.some((place) => place.test(folded)) ? { is: 'may hold passwords', secret: true } : undefined;
}

function findRule(part: string): PathProtection | undefined {
  // Some file systems take what follows a colon for a part of the file before it.
  const names = [part, part.replace(/:.*$/s, '')].map(foldName);
  // What an editor or a person has kept of a secret is one.
  const spellings = names.flatMap((name) => [name, name.replace(BACKUP, '')]);
  const rule = RULES.find(({ name }) => spellings.some((spelling) => name.test(spelling)));
  return rule && { is: rule.is, secret: rule.secret && !PUBLISHED.test(part) };
}

/**
 * Folds a file's name so that all spellings that some file system takes for the same name become equal: without case,
 * composed or decomposed letters, invisible characters, and dots and blanks at the end. Other names may become equal
 * too: it is for refusing, never for allowing.
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

/** Why the content is shown only with the user's consent: `may hold passwords`; undefined when it is not, or never. */
export function findSecrecy({ protection }: Pick<ProtectedPath, 'protection'>): string | undefined {
  return protection?.secret === true && protection.is !== OWN ? protection.is : undefined;
}

export function refuseProtected({ given, protection }: ProtectedPath): void {
  if (protection === undefined) return;
  const fact = `${formatPath(given)} ${protection.is}: no tool writes it.`;
  throw new ProtectedFileError(`${fact} Say what should be in it, so that the user can write it.`, ['<R:.>']);
}

/**
 * Refuses to open what no tool may read.
 *
 * @param isAllowed true when the user has consented to show it. Not even then may a tool open bae's own files: opening
 *   and closing a database beside its owner releases the owner's locks.
 */
export function refuseSecret({ given, protection }: ProtectedPath, isAllowed = false): void {
  if (protection?.secret !== true || (isAllowed && protection.is !== OWN)) return;
  if (isAllowed) throw new ProtectedFileError(`${formatPath(given)} ${OWN}: no tool opens it.`, ['<R:.>']);
  const fact = `${formatPath(given)} ${protection.is}: it is shown only when the user allows it.`;
  throw new ProtectedFileError(`${fact} Go on without it.`, ['<R:.>']);
}
