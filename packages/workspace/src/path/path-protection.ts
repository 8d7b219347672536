import { ProtectedFileError } from '../errors.ts';
import type { Place } from './resolve-path.ts';
import { showPath } from './show-path.ts';

/** What tools must not do with a path. */
export interface PathProtection {
  /** What the path is, as the rest of a sentence: `belongs to git`. No tool ever writes it. */
  readonly is: string;
  /** True when also its content is shown only to whom the user allows it. */
  readonly secret: boolean;
}

/** Where bae keeps what it needs for itself in a workspace: no matter for lists, searches and version control. */
export const OWN_FOLDER = '.bae';

/** What bae's own files are: they are open while it runs, so that nobody else may open them, whatever the user allows. */
export const OWN = 'is a file of bae itself';

interface Rule extends PathProtection {
  /** Fits one part of a path, folded. */
  readonly name: RegExp;
}

/** Any part of a path may fit: what is inside of a protected folder is protected too. The first rule counts. */
const RULES: readonly Rule[] = [
  { is: 'belongs to git', secret: true, name: /^\.git$|^git~\d+$/ },
  { is: 'may hold passwords', secret: true, name: /^\.env|^env~\d+$/ },
  { is: 'may hold passwords', secret: true, name: /^[._]netrc$|^\.(git-credentials|pgpass|aws)$/ },
  { is: 'may be a private key', secret: true, name: /^id_(rsa|dsa|ecdsa|ed25519|xmss)(?![a-z])|^\.(ssh|gnupg)$/ },
  { is: 'may be a private key', secret: true, name: /\.(pem|key|p8|p12|pfx|pkcs12|ppk|jks|keystore|kdbx)$/ },
  { is: OWN, secret: true, name: /^\.bae$/ },
  { is: 'belongs to bae', secret: false, name: /^bae\.config(\.|$)/ },
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

/** Names that exist to be read by everybody, in exactly this spelling. */
const PUBLISHED = /^\.env\.(example|sample|template|dist)$|^id_(rsa|dsa|ecdsa|ed25519|xmss)(_sk)?\.pub$/;

/** Names of secret files as patterns: they find most of them fast, and some others too. */
export const SECRET_FILES: readonly string[] = [
  '{.env*,.netrc,_netrc,.git-credentials,.pgpass,id_*}',
  '*.{pem,key,p8,p12,pfx,pkcs12,ppk,jks,keystore,kdbx}',
];

/** In every path that a rule fits, however it is spelt; in most others not. A quick look, for long lists. */
const SUSPICIOUS =
  /[^ -~]|[:~]|(?:^|[/\\])(?:[._]|id_|bae\.config|config\.fish|profile\.|microsoft\.)|\.(?:pem|key|p8|p12|pfx|pkcs12|ppk|jks|keystore|kdbx)/i;

/**
 * What is special about a path below the root; undefined when tools may read and write it.
 *
 * It is a question of names alone: whether anything is there does not matter, nor how the name is spelt.
 */
export function protectionOf(path: string): PathProtection | undefined {
  if (!SUSPICIOUS.test(path)) return undefined;
  let found: PathProtection | undefined;
  for (const part of path.split(/[/\\]/)) {
    const rule = ruleFor(part);
    if (rule?.secret === true) return rule;
    found ??= rule;
  }
  return found;
}

function ruleFor(part: string): PathProtection | undefined {
  // Some file systems take what follows a colon for a part of the file before it.
  const spellings = [part, part.replace(/:.*$/s, '')].map(foldName);
  const rule = RULES.find(({ name }) => spellings.some((spelling) => name.test(spelling)));
  if (rule === undefined) return undefined;
  return { is: rule.is, secret: rule.secret && !PUBLISHED.test(part) };
}

/**
 * A file's name in the form in which every spelling that some file system takes for the same name is equal:
 * without case, composed or decomposed letters, characters that are not seen, and dots and blanks at the end.
 *
 * Names that no file system takes for equal may become equal too; it is for refusing, never for allowing.
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

/** What is special about a place by any of the names that lead to it. */
export function protectionOfPlace({ names }: Pick<Place, 'names'>): PathProtection | undefined {
  const found = names.map(protectionOf).filter((one) => one !== undefined);
  return found.find(({ secret }) => secret) ?? found[0];
}

/**
 * Refuses to change what no tool may write.
 *
 * @throws ProtectedFileError when one of the names that lead there is protected
 */
export function refuseProtected(place: Pick<Place, 'given' | 'names'>): void {
  const protection = protectionOfPlace(place);
  if (protection === undefined) return;
  const shown = showPath(place.given);
  throw new ProtectedFileError(
    `${shown} ${protection.is}: no tool writes it. Say what should be in it, so that the user can write it.`,
    ['<R:.>'],
  );
}

/**
 * Refuses to show what the user has to allow first.
 *
 * @throws ProtectedFileError when one of the names that lead there stands for a secret
 */
export function refuseSecret(place: Place): void {
  const protection = protectionOfPlace(place);
  if (protection?.secret !== true) return;
  throw new ProtectedFileError(
    `${showPath(place.given)} ${protection.is}: it is shown only when the user allows it. Go on without it.`,
    ['<R:.>'],
  );
}

/**
 * Refuses to open bae's own files. Opening and closing a database beside its owner lets go of the owner's locks.
 *
 * @throws ProtectedFileError when one of the names that lead there is in bae's own folder
 */
export function refuseOwn(place: Place): void {
  if (protectionOfPlace(place)?.is !== OWN) return;
  throw new ProtectedFileError(`${showPath(place.given)} ${OWN}: no tool opens it.`, ['<R:.>']);
}
