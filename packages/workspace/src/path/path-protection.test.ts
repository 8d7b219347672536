import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { findProtection, foldName } from './path-protection.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

/** Paths of each kind, by their protection. */
const SECRETS = {
  'is a file of bae itself': ['.bae/tasks.db', '.bae/new', '.bae'],
  'belongs to git': ['.git', '.git/config', '.git/hooks/pre-commit', 'sub/.git/HEAD', '.git/new/file'],
  'may hold passwords': ['.env', '.env.local', '.envrc', '.environment', 'app/.env.production', '.env/x', '.netrc', '.pgpass', '.aws/credentials', '.git-credentials', '.npmrc', 'app/.npmrc', '.yarnrc.yml', '.pypirc', '.docker/config.json', '.kube/config', '.cargo/credentials.toml', '.gem/credentials', 'infra/prod.tfstate', 'prod.tfstate.backup', 'prod.tfvars', 'service-account-prod.json', 'client_secret_1.json', 'application_default_credentials.json', '.config/gcloud/x.db', '.config/gh/hosts.yml', '.vault-token', '.htpasswd', 'my.env', 'secrets.yaml', 'credentials.json', '.m2/settings.xml', '.s3cfg', '.boto', '.my.cnf', '.terraformrc', '.azure/x', 'wp-config.php', 'vpn.ovpn', 'x.kdb', '.msmtprc', '.dockercfg', '.nuget/NuGet/NuGet.Config', '.config/NuGet/NuGet.Config', 'rclone/.config/rclone/rclone.conf',
    'gcp-service-account.json', 'my-service-account-key.json', 'terraform.rc', '.terraform.d/credentials.tfrc.json', 'app-firebase-adminsdk-ab12c-0123.json', '.Renviron', '.oci/config', '.snowsql/config', '.dbt/profiles.yml', 'kaggle.json', '.huggingface/token', '.cache/huggingface/token', 'sitemanager.xml', '.vnc/passwd', 'logins.json', 'key4.db', '.vault_pass', 'vault_pass.txt', '.fly/config.yml', '.netlify/config.json', '.config/sops/age/keys.txt', '.bash_history', '.psql_history', '.node_repl_history', 'local.settings.json', '.clasprc.json', 'login.keychain-db', 'x.psafe3', 'wallet.dat', 'x.publishsettings', 'kubeconfig', 'prod.kubeconfig', 'kubeconfig.yaml', 'auth.json', 'token.json', '.config/op/config', '.config/doctl/config.yaml', '.config/stripe/config.toml', '.circleci/cli.yml', '.subversion/auth/svn.simple/x', '.rhosts', '.smbcredentials', '.mutt/passwords', 'token.pickle', 'pgpass.conf', '.config/configstore/firebase-tools.json', '.wrangler/config/default.toml', '.curlrc', '.config/containers/auth.json', 'google-credentials.json', 'aws-credentials.json', '.passwd-s3fs', '.dev.vars', '.secrets', 'passwords.txt', 'secrets.properties', '.bundle/config', '.config/pypoetry/auth.toml', '.condarc', 'ngrok.yml', 'terraform.tfstate.123.backup', 'wg0.conf', 'htpasswd', 'rootkey.csv', 'ann_accessKeys.csv', 'values.secret.yaml', '.civo.json', '.modal.toml', 'ovh.conf', '.ovhrc', '.openai', '.config/argocd/config', '.argocd/config', '.config/atlascli/config.toml', '.config/helm/registry/config.json', '.travis/config.yml', '.expo/state.json', '.ibmcloud/config.json', '.confluent/config.json', '.prefect/profiles.toml', '.docker/.token_seed', '.continue/config.json', '.jupyter/jupyter_server_config.json', '.npmrc.bak', '.npmrc~', '.netrc.old', '#.env#', '.ENV.BAK',
    '.config/git/credentials', '.sbt/credentials', '.ivy2/.credentials', '.lein/credentials.clj', '.cassandra/credentials', '.codex/auth.json', '.local/share/com.vercel.cli/auth.json', '.config/github-copilot/apps.json', 'rclone.conf', '.rclone.conf', 'talosconfig', 'k3s.yaml', 'kubeconfig-prod.yaml', '.odbc.ini', '.ossutilconfig', '.dockerconfigjson', '.claude.json', '.remmina/x.remmina', 'api_key.txt', 'private-key.txt', 'token.txt', 'deploy_key', 'chrome/Login Data', 'firefox/cookies.sqlite', '.snowflake/connections.toml', '.hex/hex.config', '.cassandra/cqlshrc', '.config/scw/config.yaml', '.aliyun/config.json', '.railway/config.json', '.cloudflared/x.json', '.supabase/access-token', '.tccli/default.credential', '.vultr-cli.yaml',
    '.muttrc', '.mutt/muttrc', '.config/neomutt/neomuttrc', '.netrc.gpg', '.pg_service.conf', '.mbsyncrc', '.config/msmtp/config', '.hgrc', 'krb5cc_1000', '.cifscredentials', '.github_token', '.consul-token', '.restic-password', '.borg-passphrase', '.gemini/oauth_creds.json', '.config/google-chrome/Default/Cookies', 'Google/Chrome/User Data/Profile 1/Network/Cookies', 'Default/Login Data For Account', 'Web Data', 'x.default/formhistory.sqlite', 'x.default/sessionstore.jsonlz4', '.config/Slack/Cookies', '.config/glab-cli/config.yml', '.config/solana/id.json', '.weechat/sec.conf', '.irssi/config', '.purple/accounts.xml', '.electrum/wallets/default_wallet', '.local/share/kwalletd/kdewallet.kwl', '.config/pip/pip.conf', '.duckdb_history', '.mongodb/mongosh/mongosh_history', '.local/share/fish/fish_history', '.zhistory', '.Xauthority',
    '.edgerc', '.cf/config.json', 'gha-creds-0123456789abcdef.json', 'android/key.properties', '.ansible_vault_pass', 'ansible-vault-password', 'secrets.prod.yaml', 'secret.staging.json', '.bunfig.toml', '.dvc/config.local', '.gitlab-runner/config.toml', '.jfrog/jfrog-cli.conf.v6', '.linode-cli', '.config/openai/api_key', '.config/anthropic/x', '.llm/api-key.txt', '.serverlessrc', '.config/fastly/config.toml', '.config/openstack/clouds.yaml', '.docker/config.json~', '.docker/config.json.bak', '.config/gh/hosts.yml.orig', '.cargo/credentials.old', '.cf/#config.json#', '.m2/settings.xml.save', 'sftp-config.json', '.vscode/sftp.json', '.remote-sync.json', '.dbeaver/credentials-config.json', 'network/cwallet.sso', 'secring.gpg'],
  'may be a private key': ['id_rsa', 'keys/id_ed25519', 'id_rsa.bak', 'id_ecdsa_sk', 'server.pem', 'a/b/server.key', 'x.p12', 'x.pfx', '.ssh/config', '.ssh/id_rsa.pub', '.gnupg/x'],
}; // prettier-ignore
const UNWRITABLE = {
  'belongs to bae': ['bae.config.ts', 'bae.config.json', 'app/bae.config.mts'],
  'runs when a shell or git starts': [
    '.bashrc', '.bash_profile', '.bash_aliases', '.profile', '.zshrc', '.zshenv', '.zprofile', '.kshrc', '.cshrc', '.tcshrc',
    '.config/fish/config.fish', 'Microsoft.PowerShell_profile.ps1', '.gitconfig', '.inputrc', 'home/.bashrc', '.login',
  ],
  'may hold passwords': ['.env.example', '.env.sample', 'app/.env.template', '.env.dist'],
  'may be a private key': ['id_rsa.pub', 'keys/id_ed25519_sk.pub'],
}; // prettier-ignore
const FREE = [
  '', 'a.txt', '.gitignore', '.gitattributes', '.github/workflows/ci.yml', 'env', 'environment.ts', 'src/env.ts', 'git/config', 'key',
  'key.ts', 'keys/readme.md', 'monkey', 'pem.txt', 'bae.configuration.md', 'bae', 'id_rsapublic.ts', 'profile', 'bashrc', 'a.git/x', 'src/credentials/index.ts', 'credentials.ts', 'secrets.ts', '.docker/Dockerfile', '.cargo/config.toml', 'service.json', 'package.json', 'client.json', 'src/password.ts', 'locales/en/auth.json', 'src/token.json', 'tokens.json', 'history.ts', 'my_history', 'vault.ts', 'src/containers/auth.ts', 'key.db', 'gcloud.md', 'wgetrc.md', 'environment.ts', 'secretary.txt', 'notes.bak', 'a.ts~', '#a.ts#', '.flaskenv', 'wallet.data', 'wallet.ts', 'sftp.ts', 'src/sftp-config.ts', 'remote-sync.json', 'keystone.ts', 'kubeconfig.go', 'src/cookies/index.ts', 'src/api-key/index.ts', 'src/credentials', 'src/access-token', 'k3s.md', 'private_key.ts', 'snowflake/index.ts', 'hex/config.ts', 'chrome/cookies.ts', 'src/chrome/cookies', 'locales/default/cookies', 'web data.md', 'mutt.md', 'weechat/plugin.conf', '.github/token.md', 'pip.conf.md', 'browser_history', 'sessionstore.ts', 'opera/default/index.ts', 'credentials', '.my-tokens', '.changelog-token.md', 'secrets.schema.json', 'secrets.example.yaml', 'secret.service.ts', 'bunfig.toml', '.dvc/config', 'key.properties.md', 'keys.properties', 'src/api_key.ts', 'vault/pass.ts', 'fastly/config.toml', 'gha-creds.md',
]; // prettier-ignore

describe('findProtection', () => {
  it.each(Object.entries(SECRETS))('knows secrets: what %s', (is, paths) => {
    for (const path of paths) expect([path, findProtection(path)]).toEqual([path, { is, secret: true }]);
  });

  it.each(Object.entries(UNWRITABLE))('knows what is read but not written: what %s', (is, paths) => {
    for (const path of paths) expect([path, findProtection(path)]).toMatchObject([path, { is, secret: false }]);
  });

  it('leaves everything else alone', () => {
    for (const path of FREE) expect([path, findProtection(path)]).toEqual([path, undefined]);
  });

  it.each([
    ['case', '.GIT/config'],
    ['case', '.Env'],
    ['case', 'ID_RSA'],
    ['a dot at the end', '.env.'],
    ['dots and blanks at the end', '.git . ./config'],
    ['a blank at the end', 'server.key '],
    ['a character that is not seen', '.g\u200cit/config'],
    ['a mark of order', '\ufeff.env'],
    ['a sign that is an s in lower case', '.ba\u017fhrc'],
    ['the sign of Kelvin', 'server.\u212aey'],
    ['wide letters', '\uff0e\uff45\uff4e\uff56'],
    ['a stream', '.git::$INDEX_ALLOCATION/config'],
    ['a stream', '.env:x'],
    ['a name before a colon', 'x:server.key'],
    ['the short name of Windows', 'GIT~1/config'],
    ['a backslash', String.raw`.git\config`],
    ['a soft hyphen', '.bas\u00adhrc'],
    ['a doubled slash', './/.git//config'],
    ['a control character', '.env\u0007'],
  ])('is not fooled by %s', (_what, path) => {
    expect(findProtection(path)).toBeDefined();
  });

  it('takes only the exact spelling of what is published for published', () => {
    for (const path of ['.ENV.example', '.env.Example', '.env.example.', '.env.example.local', '.env.example/x/.env', 'ID_RSA.pub'])
      expect([path, findProtection(path)?.secret]).toEqual([path, true]); // prettier-ignore
  });

  const spellNames = (numRuns: number) => {
    const all = [...Object.values(SECRETS), ...Object.values(UNWRITABLE)].flat();
    const spelt = fc.record({
      path: fc.constantFrom(...all),
      form: fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'),
      upper: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      end: fc.constantFrom('', '.', ' ', '. .', '\u200b'),
      folder: fc.constantFrom('', './', 'a/', 'é/b/', '//'),
    });
    // Further down such names are those of other files.
    const atTop = new Set(['auth.json', 'token.json']);
    fc.assert(
      fc.property(spelt, ({ path, form, upper, end, folder: below }) => {
        const folder = atTop.has(path) ? below.replaceAll(/[^./]/g, '').replace(/^\/+$/, './') : below;
        const letters = Array.from(path, (char, index) => (upper[index] === true ? char.toUpperCase() : char)).join('');
        expect(findProtection((folder + letters + end).normalize(form))).toBeDefined();
      }),
      { numRuns },
    );
  };

  it('judges every spelling of a name alike', () => spellNames(200));
  it('judges every spelling of a name alike, 2000 times', { tags: ['long'] }, () => spellNames(2000));
});

describe('foldName', () => {
  it('makes composed and decomposed letters equal', () => {
    expect(foldName('CAFÉ.TXT')).toBe(foldName('cafe\u0301.txt'));
    expect(foldName('Straße')).toBe(foldName('STRASSE'));
  });

  it('changes nothing when it is done twice', { tags: ['long'] }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(foldName(foldName(name))).toBe(foldName(name));
      }),
    );
  });
});

const WINDOW = { line: 1, column: 1, chars: 100 };

/** A workspace with secrets, and links by other names to them. */
function guardedWorkspace() {
  const folder = temporaryFolder({
    '.env': 'PASSWORD=hunter2\n',
    '.env.example': 'PASSWORD=\n',
    '.git/config': '[core]\n',
    'keys/server.key': 'hunter2\n',
    'settings.txt': 'hunter2\n',
    'bae.config.ts': 'export default {}\n',
    'plain.txt': 'plain\n',
  });
  const link = (path: string, target: string): void => symlinkSync(target, join(folder, path));
  link('notes.txt', '.env');
  link('g', '.git');
  link('.env.local', 'settings.txt');
  link('through', '.env.local');
  link('hooks', '.git/hooks');
  link('dangling', '.env.new');
  return { folder, workspace: new WorkspaceRoot(folder) };
}

/** Spellings that all stand for something protected, whether it is there or not. */
const PROTECTED = [
  '.env', './.env', './/.env', '.env.', '.ENV', '.env.new', 'notes.txt', 'dangling', '.env.local', 'through', '.git/config', 'g/config',
  'g/new', '.git/hooks/pre-commit', 'hooks/pre-commit', '.GIT/config', 'keys/server.key', 'new/id_rsa', '.bashrc', 'home/.ZSHRC',
  'bae.config.ts', 'bae.config.json', '.bae/tasks.db', '.env.example', '.g\u200cit/config', '.env\u0301', 'sub/.git',
]; // prettier-ignore

describe('what no tool may write', () => {
  it('is not written, whatever it is called and whether it is there or not', async () => {
    const { folder, workspace } = guardedWorkspace();
    for (const path of [...PROTECTED, join(folder, '.env'), join(folder, 'g/config')]) {
      for (const options of [{}, { force: true }]) {
        expect(await describeOutcome(() => workspace.write(path, 'changed', options))).toMatch(
          /^ProtectedFileError: .* no tool writes it\. Say what should be in it, so that the user can write it\.\nTry: <R:\.>$/,
        );
      }
    }
    for (const path of ['.env.new', '.git/new', '.git/hooks', 'new', 'home', '.bae', '.bashrc', '.GIT', 'sub'])
      expect([path, existsSync(join(folder, path))]).toEqual([path, false]);
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe('PASSWORD=hunter2\n');
    expect(readFileSync(join(folder, 'settings.txt'), 'utf8')).toBe('hunter2\n');
    expect(readFileSync(join(folder, '.git/config'), 'utf8')).toBe('[core]\n');
  });

  it('is not removed', async () => {
    const { folder, workspace } = guardedWorkspace();
    for (const path of ['.env', 'notes.txt', 'g/config', 'keys/server.key', 'bae.config.ts', 'through']) {
      expect(await describeOutcome(() => workspace.remove(path))).toContain('ProtectedFileError');
    }
    expect(existsSync(join(folder, '.env')) && existsSync(join(folder, 'settings.txt'))).toBe(true);
  });

  it('is reported in one sentence', async () => {
    const { workspace } = guardedWorkspace();
    expect(await describeOutcome(() => workspace.write('.git/config', ''))).toBe(
      'ProtectedFileError: .git/config belongs to git: no tool writes it. Say what should be in it, so that the user can write it.\nTry: <R:.>',
    );
  });

  it('leaves other files alone', async () => {
    const { workspace } = guardedWorkspace();
    for (const path of ['plain.txt', 'settings.txt', '.gitignore', 'src/env.ts'])
      expect(await workspace.write(path, 'changed')).toMatchObject({ size: 7 });
  });
});

describe('a secret', () => {
  const SECRETS = ['.env', 'notes.txt', '.env.local', 'through', 'g/config', '.git/config', 'keys/server.key'];

  it('is known by every name, also when it is not there', async () => {
    const { folder, workspace } = guardedWorkspace();
    for (const path of [...SECRETS, '.ENV', 'dangling', 'none/id_rsa', join(folder, '.env')])
      expect([path, (await workspace.info(path)).secrecy]).toEqual([path, expect.any(String)]);
    expect((await workspace.info('.env')).secrecy).toBe('may hold passwords');
    for (const path of ['plain.txt', '.env.example', 'bae.config.ts', '', 'settings.txt', '.bashrc'])
      expect([path, (await workspace.info(path)).secrecy]).toEqual([path, undefined]);
  });

  it('is not opened with consent when it is a file of bae itself, under any name', async () => {
    const { folder, workspace } = guardedWorkspace();
    mkdirSync(join(folder, '.bae'));
    writeFileSync(join(folder, '.bae/tasks.db'), 'x');
    symlinkSync('.bae/tasks.db', join(folder, '.env.database'));
    for (const path of ['.bae/tasks.db', '.env.database']) {
      expect(await describeOutcome(() => workspace.readText(path, { secrets: true }))).toContain('no tool opens it');
    }
  });

  it('is not shown unless that is allowed', async () => {
    const { workspace } = guardedWorkspace();
    for (const path of SECRETS) {
      for (const read of [() => workspace.readText(path), () => workspace.readWindow(path, WINDOW)]) {
        expect(await describeOutcome(read)).toMatch(
          /^ProtectedFileError: .* it is shown only when the user allows it\. Go on without it\.\nTry: <R:\.>$/,
        );
      }
      expect((await workspace.readText(path, { secrets: true })).lines).toBe(1);
      expect((await workspace.readWindow(path, { ...WINDOW, secrets: true })).lines).toBe(1);
    }
  });

  it.each([undefined, null])('is not searched unless that is allowed, with ripgrep %s', { tags: ['long'] }, async (ripgrep) => {
    const { folder } = guardedWorkspace();
    const workspace = new WorkspaceRoot(folder, ripgrep === undefined ? {} : { ripgrep });
    const pattern = 'hunter2|core|PASSWORD';
    const found = await workspace.grep({ pattern });
    expect(found.rows.map(({ path }) => path)).toEqual(['.env.example', 'settings.txt']);
    expect(found).toMatchObject({ matches: 2, withheld: [expect.any(String), expect.any(String)] });
    for (const path of ['.env', '.git', 'g', 'through'])
      expect(await workspace.grep({ pattern, path })).toEqual({ rows: [], matches: 0, files: [], searched: 0, withheld: [path] });
    expect(await workspace.grep({ pattern, path: '{.env,plain.txt}' })).toMatchObject({ matches: 0, withheld: ['.env'] });
    expect(await workspace.grep({ pattern, path: '.env', secrets: true })).toMatchObject({ matches: 1, withheld: [] });
    const all = await workspace.grep({ pattern, secrets: true });
    expect(all.rows.map(({ path }) => path)).toEqual(['.env', '.env.example', 'keys/server.key', 'settings.txt']);
    expect(all.withheld).toEqual([]);
  }); // prettier-ignore

  it('that only a rule of the user makes one is named as not searched, too', async () => {
    using workspace = new WorkspaceRoot(temporaryFolder({ 'notes.md': 'hunter2\n', 'a.txt': 'hunter2\n' }));
    workspace.restrict([{ effect: 'read', matches: (path) => path === 'notes.md', reaches: () => true }]);
    expect(await workspace.grep({ pattern: 'hunter2' })).toMatchObject({ matches: 1, withheld: ['notes.md'] });
  });

  it('is counted by its name alone, so that no pattern can ask for it letter by letter', async () => {
    const { workspace } = guardedWorkspace();
    const counts = [];
    for (const pattern of ['hunter1', 'hunter2', 'nothing like it']) counts.push((await workspace.grep({ pattern })).withheld.length);
    expect(counts).toEqual([2, 2, 2]);
  }); // prettier-ignore

  it('that is ignored is not counted, because it is not searched anyway', async () => {
    const { workspace } = guardedWorkspace();
    await workspace.write('.gitignore', '.env\nkeys/\n');
    expect(await workspace.grep({ pattern: 'x' })).toMatchObject({ withheld: [] });
    expect(await workspace.grep({ pattern: 'x', all: true })).toMatchObject({
      withheld: [expect.any(String), expect.any(String)],
    });
  });
});

describe('a file of bae itself', () => {
  it('is opened by no tool, whatever the user allows, by none of its names', async () => {
    const folder = temporaryFolder({ '.bae/bae.db': 'SQLite format 3' });
    symlinkSync('.bae/bae.db', join(folder, 'innocent.db'));
    using root = new WorkspaceRoot(folder);
    for (const path of ['.bae/bae.db', './.bae//bae.db', 'innocent.db']) {
      const reads = [
        () => root.readText(path, { secrets: true }),
        () => root.readWindow(path, { ...WINDOW, secrets: true }),
        () => root.digest(path),
      ];
      for (const read of reads) await expect(read()).rejects.toThrow(/is a file of bae itself: no tool opens it/);
    }
    expect((await root.info('.bae/bae.db')).secrecy).toBeUndefined();
  });
});
