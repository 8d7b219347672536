import { foldName } from './fold-name.ts';

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
