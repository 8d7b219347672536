import { ProtectedFileError } from '../errors.ts';
import { formatPath } from './show-path.ts';

// Names of the files in which common tools keep passwords, tokens and keys. All are in lowercase, because names are
// folded first.

/** Names that may hold passwords, of a file or of a folder above it. */
const CREDENTIALS: readonly RegExp[] = [
  /^\.env|^env~\d+$|\.env$|^\.dev\.vars$|^\.renviron$/,
  /^[._]netrc(\.gpg)?$|^krb5cc_\d+$|^\.(git-credentials|cifscredentials|davfs2|near-credentials|pg_service\.conf|credentials|lastpass|\w+[-_](token|password|passphrase)|pgpass|aws|rhosts|smbcredentials|passwd(-s3fs)?|secrets?)$|^pgpass\.conf$/,
  // Package managers and registries.
  /^\.(npmrc|bunfig\.toml|yarnrc(\.yml)?|pypirc|dockercfg|condarc|databrickscfg|clasprc\.json)$/,
  // Programs that connect to a server.
  /^\.(s3cfg|boto|my\.cnf|mylogin\.cnf|ftpconfig|authinfo(\.gpg)?|msmtprc|esmtprc|fetchmailrc|lftprc|wgetrc|curlrc|sentryclirc)$/,
  /^\.?htpasswd$|\.htpasswd$|^wp-config\.php$|^local\.settings\.json$|^ngrok\.yml$|^wg\d+\.conf$|\.ovpn$|\.publishsettings$/,
  /^\.(neo)?muttrc$|^\.(mutt|neomutt|getmail|offlineimaprc|mbsyncrc|isyncrc|hgrc|dbshell|xauthority)$|^oauth_creds\.json$|^(\.?sftp|sftp-config|\.remote-sync|credentials-config)\.json$/,
  // Clouds and clusters.
  /^\.(edgerc|linode-cli|serverlessrc)$|^gha-creds-[\w-]+\.json$|^key\.properties$/,
  /^\.(kube|azure|terraformrc|vault-token)$|^terraform\.rc$|^kubeconfig([-_][^.]*)?(\.ya?ml)?$|\.kubeconfig$|^kaggle\.json$/,
  /\.tfstate(\.\d+)?(\.backup)?$|\.tfvars(\.json)?$|\.tfrc\.json$/,
  /^(?:|.*[-_.])credentials\.(toml|json|ya?ml|xml|ini|csv|db)$|^gcp[-_]?key\.json$|^token\.pickle$/,
  /(?:service[-_]?account|client[-_]?secret|firebase-adminsdk)[^/]*\.json$/,
  /^secrets?\.(?!schema|example|sample|template|dist)[\w-]+\.(json|ya?ml|toml|ini|env|properties)$|^(secrets?|passwords?)\.(json|ya?ml|toml|ini|env|txt|csv|properties)$|^\.?(ansible[-_])?vault[-_]pass(word)?(\.txt)?$/,
  /^\.?(rclone\.conf|talosconfig)$|^k3s\.yaml$|^\.(odbc\.ini|ossutilconfig|vultr-cli\.yaml|dockerconfigjson|claude\.json)$|\.remmina$/,
  /^(api|private|deploy|access)[-_]?keys?\.txt$|^tokens?\.txt$|(^root|access)[-_]?keys?\.csv$/,
  /\.secrets?\.(ya?ml|json|toml)$|^\.(civo\.json|modal\.toml|ovh\.conf|ovhrc|openai|anthropic)$|^ovh\.conf$/,
  // Password stores, and histories of typed text.
  /\.(kdbx?|keychain(-db)?|agilekeychain|psafe3|1pux)$|^(logins\.json|key[34]\.db|c?wallet\.(dat|sso)|secring\.gpg)$/,
  /^(login|web) data( for account)?(-journal)?$|^(cookies|formhistory|signons)\.sqlite(-wal)?$|^sessionstore\.jsonlz4$/,
  /^(sitemanager|recentservers|filezilla)\.xml$|^\.[a-z\d_]+_history$|^(mongosh|fish)_history$|^\.(zhistory|histfile)$/,
];

/** Names that may be private keys, or hold them. */
const PRIVATE_KEYS: readonly RegExp[] = [
  /^id_(rsa|dsa|ecdsa|ed25519|xmss)(?![a-z])|^ssh_host_[a-z\d]+_key$|^\.(ssh|gnupg|password-store)$/,
  /\.(pem|key|p8|p12|pfx|pkcs12|ppk|jks|jceks|bks|keystore|keytab)$|^keystore\.properties$/,
];

/** Paths of files whose names alone do not identify them. */
const CREDENTIAL_PLACES: readonly RegExp[] = [
  /(?:^|\/)\.(?:docker\/config\.json|(?:cargo|gem)\/credentials(?:\.toml)?|m2\/settings(?:-security)?\.xml|gradle\/gradle\.properties)$/,
  /(?:^|\/)\.(?:bundle|oci|snowsql)\/config$|(?:^|\/)\.(?:fly|circleci)\/(?:config|cli)\.yml$|(?:^|\/)\.netlify\/config\.json$/,
  /(?:^|\/)\.(?:dbt\/profiles\.yml|vnc\/passwd|mutt\/passwords|(?:config\/)?nuget\/(?:nuget\/)?nuget\.config|wrangler\/config\/.*|subversion\/auth\/.*|local\/share\/keyrings\/.*)$/,
  /(?:^|\/)\.config\/(?:gh\/hosts\.yml|hub|linode-cli|rclone\/rclone\.conf|(?:gcloud|op|configstore)\/.*|(?:doctl|hcloud|stripe)\/[^/]*\.(?:toml|ya?ml))$/,
  /(?:^|\/)(?:\.composer|composer|containers|pypoetry)\/auth\.(?:json|toml)$|(?:^|\/)\.?huggingface\/token$|(?:^|\/)sops\/age\/keys\.txt$/,
  /(?:^|\/)(?:google-chrome|chrome|chromium|brave-browser|microsoft-edge|edge|vivaldi|opera)[^/]*\/(?:.*\/)?(?:default|profile \d+)\/(?:network\/)?cookies(?:-journal)?$/,
  /(?:^|\/)\.config\/(?:(?:slack|discord)\/cookies|isyncrc|msmtp\/config|aerc\/accounts\.conf|himalaya\/config\.toml|glab-cli\/config\.yml|netlify\/config\.json|tea\/config\.yml|solana\/id\.json|pip\/pip\.conf|(?:neomutt|mutt|bitwarden cli|borg\/keys)\/.*)$/,
  /(?:^|\/)(?:\.?weechat\/(?:sec|irc)\.conf|\.irssi\/config|\.purple\/accounts\.xml|\.pip\/pip\.conf|\.influxdbv2\/configs|\.(?:electrum\/wallets|ethereum\/keystore|local\/share\/(?:kwalletd|lpass))\/.*)$/,
  /(?:^|\/)\.(?:config\/)?(?:argocd\/config|mongocli\.toml|(?:mongocli|atlascli)\/config\.toml|helm\/registry\/config\.json)$/,
  /(?:^|\/)\.(?:travis\/config\.yml|expo\/state\.json|ibmcloud\/config\.json|confluent\/config\.json|prefect\/profiles\.toml|docker\/\.token_seed|continue\/config\.(?:json|ya?ml)|jupyter\/jupyter_[a-z]+_config\.(?:json|py))$/,
  /(?:^|\/)\.(?:cf\/config\.json|dvc\/config\.local|gitlab-runner\/config\.toml|jfrog\/.*|rancher\/cli2\.json|(?:config\/)?fastly\/config\.toml|databricks\/token-cache\.json|config\/openstack\/(?:clouds|secure)\.ya?ml|config\/(?:openai|anthropic)\/.*)$/,
  // In the settings folder of any program.
  /(?:^|\/)\.[^/]+\/(?:.*\/)?(?:\.?credentials(?:\.clj)?|auth\.json|access-token|api[-_]?keys?(?:\.txt)?|[^/]+\.credential)$/,
  /(?:^|\/)github-copilot\/(?:hosts|apps)\.json$|(?:^|\/)\.?(?:snowflake\/(?:config|connections)\.toml|hex\/hex\.config|cassandra\/cqlshrc|scw\/config\.yaml)$/,
  /(?:^|\/)\.(?:aliyun|bluemix|twilio-cli|mc|railway)\/config\.json$|(?:^|\/)\.cloudflared\/[^/]*\.json$|(?:^|\/)deploy[-_]key$/,
  // Only at the root of the project: elsewhere these are names of ordinary files.
  /^(?:auth|token)\.json$/,
];

/**
 * Most of these names as patterns for a search program; they also match some other names. Names that they miss are
 * removed afterwards, and names that they match are checked one by one.
 */
export const SECRET_FILES: readonly string[] = [
  '{.env*,.netrc,_netrc,.git-credentials,.pgpass,id_*,ssh_host_*,.dev.vars,.secret*,kubeconfig*}',
  '*.{pem,key,p8,p12,pfx,pkcs12,ppk,jks,jceks,bks,keystore,keytab,kdbx,kdb,env,tfstate,tfvars,ovpn,kubeconfig}',
  '{.edgerc,.linode-cli,.bunfig.toml,gha-creds-*.json,key.properties,*vault*pass*,.npmrc,.yarnrc,.yarnrc.yml,.pypirc,*htpasswd,.vault-token,*credentials.*,wp-config.php,*_history}',
  '{*service*account*.json,*client*secret*.json,*adminsdk*.json,secret*.*,password*.*,auth.json,token.json}',
];

/** Matches every path with a name from above, in any spelling, and few others. A quick check for long lists. */
const SUSPICIOUS =
  /[^ -~]|[:~#]|(?:^|[/\\])(?:[._]|id_|ssh_host|secret|password|(?:ansible[-_])?vault|gha-creds|key\.prop|wp-config|kubeconfig|kaggle|keystore|ngrok|wg\d|pgpass|logins|key[34]|c?wallet|secring|sftp|sitemanager|recentservers|filezilla|local\.settings|gcp|token|auth|htpasswd|terraform\.rc|composer|containers|rclone|talosconfig|k3s|(?:login|web) data|cookies|krb5cc_|oauth_creds|formhistory|signons|sessionstore|mongosh_|fish_|google-chrome|chrom|brave-browser|microsoft-edge|edge|vivaldi|opera|weechat|(?:api|private|deploy|access)[-_]?key|github-copilot|snowflake|hex|cassandra|scw|pypoetry|huggingface|sops|rootkey|ovh\.conf)|access[-_]?keys?\.csv|\.secrets?\.|credentials|service[-_]?account|client[-_]?secret|adminsdk|\.(?:pem|key|p8|p12|pfx|pkcs12|ppk|jks|jceks|bks|keystore|keytab|kdbx?|keychain|agilekeychain|psafe3|1pux|env|tfstate|tfvars|tfrc|ovpn|htpasswd|kubeconfig|publishsettings)/i;

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
