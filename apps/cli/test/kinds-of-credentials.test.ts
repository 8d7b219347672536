// @module-tag long

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { serveModel, type ModelServer } from './model-server.ts';
import { runProgram } from './run-bae.ts';
import { put, scratchFolder } from './scratch-folder.ts';

/** One file of each tool that keeps passwords, tokens or keys in one. */
const KINDS = {
  'environment of an app': '.env',
  'environment of a stage': 'app/.env.production',
  'Node packages': '.npmrc',
  'Yarn packages': '.yarnrc.yml',
  'Bun packages': '.bunfig.toml',
  'Python packages': '.pypirc',
  'pip packages': '.config/pip/pip.conf',
  'Ruby packages': '.gem/credentials',
  'Rust packages': '.cargo/credentials.toml',
  'Maven packages': '.m2/settings.xml',
  'Gradle packages': '.gradle/gradle.properties',
  'NuGet packages': '.nuget/NuGet/NuGet.Config',
  'Conda packages': '.condarc',
  'JFrog packages': '.jfrog/jfrog-cli.conf.v6',
  'containers of Docker': '.docker/config.json',
  'containers of Podman': '.config/containers/auth.json',
  'clusters of Kubernetes': '.kube/config',
  'cluster file by name': 'kubeconfig-prod.yaml',
  'charts of Helm': '.config/helm/registry/config.json',
  'state of Terraform': 'infra/prod.tfstate',
  'variables of Terraform': 'prod.tfvars',
  'passwords of Ansible': '.ansible_vault_pass',
  'secrets of a deployment': 'secrets.prod.yaml',
  Amazon: '.aws/credentials',
  Azure: '.azure/accessTokens.json',
  'Google Cloud': '.config/gcloud/application_default_credentials.json',
  'Google service accounts': 'my-service-account-key.json',
  'Google in workflows': 'gha-creds-0123456789abcdef.json',
  Akamai: '.edgerc',
  'Cloud Foundry': '.cf/config.json',
  Linode: '.linode-cli',
  DigitalOcean: '.config/doctl/config.yaml',
  Cloudflare: '.wrangler/config/default.toml',
  Vault: '.vault-token',
  GitHub: '.config/gh/hosts.yml',
  GitLab: '.gitlab-runner/config.toml',
  git: '.git-credentials',
  'logins of hosts': '.netrc',
  PostgreSQL: '.pgpass',
  MySQL: '.my.cnf',
  'data versions': '.dvc/config.local',
  'web server': '.htpasswd',
  OpenAI: '.config/openai/api_key',
  'agents of OpenAI': '.codex/auth.json',
  'Android signing': 'android/key.properties',
  'Java keys': 'release.jks',
  SSH: '.ssh/config',
  'SSH key': 'deploy/id_ed25519',
  'TLS key': 'server.key',
  'TLS certificate with key': 'server.pem',
  'password store': 'team.kdbx',
  'history of a shell': '.bash_history',
  'backup of any of them': '.config/gh/hosts.yml~',
  'old copy of any of them': '.docker/config.json.bak',
} as const;

let server: ModelServer;
afterEach(() => server.close());

it('no kind of credentials reaches the model or what is kept of the session, where nobody can be asked', async () => {
  const { path: cwd } = scratchFolder();
  const files = Object.values(KINDS);
  expect(new Set(files).size).toBeGreaterThanOrEqual(40);
  const marker = (index: number) => `n0t-f0r-a-m0del-${index}-x`;
  for (const [index, file] of files.entries()) put(cwd, file, `first line\nvalue ${marker(index)}\n`);
  put(cwd, 'plain.txt', 'value for-everyone\n');
  const list = JSON.stringify([...files, 'plain.txt']);
  server = await serveModel([
    files.map((file) => `<R:${file}>`).join('\n'),
    '<R:plain.txt>\n<Grep:value>\n<Grep:value ignored=true>\n<Grep:n0t>\n<Grep:value path=.docker ignored=true>',
    `<run>\nfor (const file of ${list}) print(file, await read(file).catch((error) => error.name), await grep('value', { path: file }).catch((error) => error.name));\n</run>`,
    files
      .map((file) => `<E:${file} old="value" new="key">\n<move:${file} to=moved-${file.replaceAll('/', '-')}.txt>`)
      .join('\n'),
    'Done.',
  ]);
  await runProgram(['ask', 'Read all of it.', '--yes', ...server.args], { cwd, env: { HOME: scratchFolder().path } });
  const requests = server.requests.join('\n');
  expect(server.requests).toHaveLength(5);
  expect(requests).toContain('for-everyone');
  const find = (text: string) => Object.entries(KINDS).filter((_, index) => text.includes(marker(index)));
  expect(find(requests)).toEqual([]);
  const kept = readdirSync(join(cwd, '.bae'), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  expect(find(kept.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n'))).toEqual(
    [],
  );
  for (const [index, file] of files.entries())
    expect(readFileSync(join(cwd, file), 'utf8')).toBe(`first line\nvalue ${marker(index)}\n`);
});
