// Counts how many addresses, said as people say them, are answered at once in public repositories, by a list that another
// parser makes. Clones the repositories by their commits, or takes those in --folder; exits 1 below 95 %.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { sayAddresses } from './spoken-addresses.ts';

const LEAST = 0.95;
const LAUNCHER = fileURLToPath(new URL('../../../apps/cli/bin/bae.mjs', import.meta.url));
const REPOSITORIES = JSON.parse(readFileSync(new URL('./repositories.json', import.meta.url), 'utf8'));

const { values } = parseArgs({ options: { folder: { type: 'string' }, only: { type: 'string' } } });
const temporary = mkdtempSync(join(tmpdir(), 'bae-addresses-'));

/** Returns the folder of a repository at its commit. */
function findRepository({ name, commit }) {
  const given = values.folder === undefined ? undefined : join(values.folder, name.split('/')[1]);
  if (given !== undefined && existsSync(given)) return given;
  const folder = join(temporary, name.replace('/', '-'));
  const git = (...args) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
  execFileSync('git', ['init', '--quiet', folder]);
  git('fetch', '--quiet', '--depth=1', `https://github.com/${name}`, commit);
  git('checkout', '--quiet', 'FETCH_HEAD');
  return folder;
}

/** Sends tags to bae in one run, and returns their results. */
function send(folder, tags) {
  const args = [LAUNCHER, 'do', '--no-color', '--cap', '8000', '--cwd', folder];
  const { stdout } = spawnSync(process.execPath, args, {
    input: `${tags.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const results = stdout.split(/^#\d+ \w+ /m).slice(1);
  const whole = [];
  for (const result of results) {
    const same = /^\(?same as #(\d+)/m.exec(result);
    const body = same === null ? result : whole[same[1] - 1];
    whole.push(`${result.split('\n')[0]}\n${body.split('\n').slice(1).join('\n')}`);
  }
  return whole;
}

/** Puts quotes around what would end the tag. */
function makeTag(said) {
  return `<R:${said.includes('>') ? `'${said}'` : said}>`;
}

/** What a list of symbols shows of a declaration too. */
const squeeze = (text) => text.replaceAll(/\b(?:export|default|async)\b|[;{:]+$|\s+/g, '');
const holds = (result, expected) =>
  squeeze(result.split('\n').slice(1).join('\n')).includes(squeeze(expected).slice(0, 40));

function count(folder) {
  const addresses = sayAddresses(folder);
  const results = addresses.flatMap((_, index) =>
    index % 30 === 0
      ? send(
          folder,
          addresses.slice(index, index + 30).map(({ said }) => makeTag(said)),
        )
      : [],
  );
  const missed = addresses.flatMap((one, index) => {
    const result = results[index] ?? '';
    return /\] ok/.test(result.split('\n')[0]) && holds(result, one.expected) ? [] : [{ ...one, result }];
  });
  const kinds = missed.map((one) => {
    const tags = [...new Set(one.result.match(/<[\w.]*R:[^>]*>/g) ?? [])].slice(1, 9);
    return tags.length > 0 && send(folder, tags).some((result) => holds(result, one.expected)) ? 'tag' : 'neither';
  });
  return { total: addresses.length, missed: missed.map((one, index) => ({ ...one, kind: kinds[index] })) };
}

const sums = { total: 0, tag: 0, neither: 0 };
try {
  for (const repository of REPOSITORIES.filter(({ name }) => values.only === undefined || name.includes(values.only))) {
    const { total, missed } = count(findRepository(repository));
    sums.total += total;
    for (const { kind } of missed) sums[kind]++;
    console.log(`${repository.name}: ${total - missed.length} of ${total} at once`);
    for (const { kind, said, result } of missed)
      console.log(`  ${kind}: ${said} -> ${result.split('\n').slice(1, 3).join(' / ').slice(0, 160)}`);
  }
} finally {
  rmSync(temporary, { recursive: true, force: true });
}
const share = 1 - (sums.tag + sums.neither) / sums.total;
console.log(
  `${sums.total} addresses: ${(share * 100).toFixed(1)} % at once, ${sums.tag} with a tag, ${sums.neither} neither`,
);
if (share < LEAST) process.exitCode = 1;
