// Names of the files in which common tools keep passwords, tokens and keys. All are in lowercase, because names are
// folded first.

/** Names that may hold passwords, of a file or of a folder above it. */
export const CREDENTIALS: readonly RegExp[] = [
  /^\.env|^env~\d+$|\.env$|^\.dev\.vars$|^\.renviron$/,
  /^[._]netrc(\.gpg)?$|^krb5cc_\d+$|^\.(git-credentials|cifscredentials|davfs2|near-credentials|pg_service\.conf|credentials|lastpass|\w+[-_](token|password|passphrase)|pgpass|aws|rhosts|smbcredentials|passwd(-s3fs)?|secrets?)$|^pgpass\.conf$/,
  // Package managers and registries.
  /^\.(npmrc|bunfig\.toml|yarnrc(\.yml)?|pypirc|dockercfg|condarc|databrickscfg|clasprc\.json)$/,
  // Programs that connect to a server.
  /^\.(s3cfg|boto|my\.cnf|mylogin\.cnf|ftpconfig|authinfo(\.gpg)?|msmtprc|esmtprc|fetchmailrc|lftprc|wgetrc|curlrc|sentryclirc)$/,
  /^\.?htpasswd$|\.htpasswd$|^wp-config\.php$|^local\.settings\.json$|^ngrok\.yml$|^wg\d+\.conf$|\.ovpn$|\.publishsettings$/,
  /^\.(neo)?muttrc$|^\.(mutt|neomutt|getmail|offlineimaprc|mbsyncrc|isyncrc|hgrc|dbshell|xauthority)$|^oauth_creds\.json$/,
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
  /\.(kdbx?|keychain(-db)?|agilekeychain|psafe3|1pux)$|^(logins\.json|key[34]\.db|wallet\.dat)$/,
  /^(login|web) data( for account)?(-journal)?$|^(cookies|formhistory|signons)\.sqlite(-wal)?$|^sessionstore\.jsonlz4$/,
  /^(sitemanager|recentservers|filezilla)\.xml$|^\.[a-z\d_]+_history$|^(mongosh|fish)_history$|^\.(zhistory|histfile)$/,
];

/** Names that may be private keys, or hold them. */
export const PRIVATE_KEYS: readonly RegExp[] = [
  /^id_(rsa|dsa|ecdsa|ed25519|xmss)(?![a-z])|^ssh_host_[a-z\d]+_key$|^\.(ssh|gnupg|password-store)$/,
  /\.(pem|key|p8|p12|pfx|pkcs12|ppk|jks|jceks|bks|keystore|keytab)$|^keystore\.properties$/,
];

/** Paths of files whose names alone do not identify them. */
export const CREDENTIAL_PLACES: readonly RegExp[] = [
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
export const SUSPICIOUS =
  /[^ -~]|[:~#]|(?:^|[/\\])(?:[._]|id_|ssh_host|secret|password|(?:ansible[-_])?vault|gha-creds|key\.prop|wp-config|kubeconfig|kaggle|keystore|ngrok|wg\d|pgpass|logins|key[34]|wallet|sitemanager|recentservers|filezilla|local\.settings|gcp|token|auth|htpasswd|terraform\.rc|composer|containers|rclone|talosconfig|k3s|(?:login|web) data|cookies|krb5cc_|oauth_creds|formhistory|signons|sessionstore|mongosh_|fish_|google-chrome|chrom|brave-browser|microsoft-edge|edge|vivaldi|opera|weechat|(?:api|private|deploy|access)[-_]?key|github-copilot|snowflake|hex|cassandra|scw|pypoetry|huggingface|sops|rootkey|ovh\.conf)|access[-_]?keys?\.csv|\.secrets?\.|credentials|service[-_]?account|client[-_]?secret|adminsdk|\.(?:pem|key|p8|p12|pfx|pkcs12|ppk|jks|jceks|bks|keystore|keytab|kdbx?|keychain|agilekeychain|psafe3|1pux|env|tfstate|tfvars|tfrc|ovpn|htpasswd|kubeconfig|publishsettings)/i;
