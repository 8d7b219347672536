import { resolve, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ConfigurationError } from '@bae/core';
import {
  codeDigest,
  configurationSubject,
  findPlugin,
  folderDigest,
  packageName,
  pluginSubject,
  readPlugin,
  findRealPath,
  TrustStore,
  type TrustEntry,
  type TrustSubject,
} from '@bae/plugins';
import { printResult, type CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { getPathKind } from '../config/disk.ts';
import { describeInstructions, isInstructions, listUntrustedInstructions } from '../config/instructions.ts';
import { loadSettings } from '../config/settings.ts';
import { askTrust, renderSubjects } from '../consent/ask-trust.ts';
import { findFoundServer, type FoundServer } from '../config/load-servers.ts';
import { createPainter, makeLineVisible } from '../terminal/terminal-text.ts';
import { reportNobody, confirm } from '../consent/ask-approval.ts';

const TAKES_ONE = 'bae trust takes one file, folder, package or server';

/**
 * Runs `bae trust`, which shows everything untrusted here, or one named subject, and trusts it if a person confirms. Of
 * a server that is trusted already, that is its tools, if they have changed.
 */
export async function runTrust(context: CommandContext): Promise<number> {
  const { positionals, options, terminal } = context;
  const [named, ...more] = positionals;
  if (more.length > 0 || (options.list && named !== undefined))
    throw new UsageError(`${TAKES_ONE}; ${options.list ? '--list takes none' : `got ${positionals.length}`}.`);
  const trust = TrustStore.ofUser(terminal.env);
  if (options.list) return listDecisions(trust, context);
  if (named !== undefined) {
    const subject = await findSubject(named, context);
    return 'getOptions' in subject
      ? renewTools(subject, context)
      : decide(trust, [trust.addWantedTo(subject)], context);
  }
  const untrusted = await listUntrusted(context);
  if (untrusted.length > 0) {
    const code = await decide(trust, untrusted, context);
    const left = await listUntrusted(context);
    const isNew = left.some((one) => untrusted.every((subject) => !isDeepStrictEqual(subject, one)));
    // The newly trusted settings may name further packages, and their code may load further files.
    return isNew ? runTrust(context) : code;
  }
  terminal.out.write('(nothing here waits to be trusted)\n');
  return 0;
}

async function listUntrusted(context: CommandContext): Promise<readonly TrustSubject[]> {
  const { untrusted } = await loadSettings(context);
  return [...untrusted, ...(await listUntrustedInstructions(context.root, context.terminal.env))];
}

/** Finds a named subject: a settings file, the folder of a package, a package, or a server, which may be in use. */
async function findSubject(named: string, context: CommandContext): Promise<TrustSubject | UsedServer> {
  const { root } = context;
  const path = resolve(root, named);
  if (getPathKind(path) === 'file' && isInstructions(path)) return describeInstructions(findRealPath(path)!);
  if (getPathKind(path) === 'file') return configurationSubject(path, ['a file of settings']);
  const found = await findPlugin(getPathKind(path) === 'folder' ? path : named, root);
  if (!('problem' in found)) return pluginSubject(readPlugin(found.folder));
  const server = await findServer(named, context);
  if (server !== undefined) return server;
  if (named === 'list') throw new UsageError(`no package 'list' here. What was decided before: bae trust --list`);
  throw new ConfigurationError(found.problem, ['bae trust']);
}

async function findServer(named: string, context: CommandContext): Promise<TrustSubject | UsedServer | undefined> {
  const { foundServers, untrusted } = await loadSettings(context);
  const { getOptions } = findFoundServer(named, foundServers) ?? {};
  if (getOptions !== undefined) return { name: named, getOptions };
  return untrusted.find(({ kind, name }) => kind === 'server' && name === named);
}

async function decide(trust: TrustStore, subjects: readonly TrustSubject[], context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  const { out } = terminal;
  if (subjects.every((subject) => trust.stateOf(subject) === 'trusted')) {
    out.write(`${listSubjectNames(subjects)}: trusted already, as it is\n`);
    return 0;
  }
  const isAsked = !options.yes && terminal.interactive;
  if (!isAsked) out.write(`${renderSubjects(subjects, trust, createPainter(out)).join('\n')}\n`);
  if (!isAsked && !options.yes) {
    reportNobody('not trusted', 'bae trust', terminal);
    return 1;
  }
  const decision = options.yes ? 'trusted' : await askTrust(subjects, trust, context);
  if (decision === undefined) return 1;
  trust.remember(subjects, decision);
  out.write(`${decision}: ${listSubjectNames(subjects)}\n`);
  return 0;
}

function listSubjectNames(subjects: readonly TrustSubject[]): string {
  return subjects.map(({ name }) => makeLineVisible(name)).join(', ');
}

function listDecisions(trust: TrustStore, context: CommandContext): number {
  const entries = trust.entries().map((entry) => ({ ...entry, state: getCurrentState(entry) }));
  const lines = entries.length === 0 ? ['(nothing is trusted)'] : entries.map((one) => renderEntry(one, one.state));
  printResult(context, { file: trust.file, entries }, () => lines);
  return 0;
}

/** Returns the decision if it still applies, or `changed` or `gone`. */
function getCurrentState({ kind, path, digest, decision, wanted }: TrustEntry): string {
  if (kind === 'server') return decision;
  if (kind === 'instructions') return getPathKind(path) === 'file' ? decision : 'gone';
  const [expected, compute] = kind === 'plugin' ? (['folder', folderDigest] as const) : (['file', codeDigest] as const);
  if (getPathKind(path) !== expected) return 'gone';
  return compute(path) === digest && wanted === undefined ? decision : 'changed';
}

/** Renders a decision as a line: `trusted   bae-resourcespace-tickets -- /home/me/shop/node_modules/…`. */
function renderEntry({ name, path }: TrustEntry, state: string): string {
  return makeLineVisible(`${state.padEnd(9)} ${name} -- ${path}`);
}

/** Runs `bae untrust`, which forgets the decision about one subject, or about everything in the folder. */
export async function runUntrust(context: CommandContext): Promise<number> {
  const { positionals, terminal } = context;
  const [named, ...more] = positionals;
  if (more.length > 0)
    throw new UsageError(`bae untrust takes one file, folder or package; got ${positionals.length}.`);
  const root = findRealPath(context.root)!;
  const isMeant = ({ path, name }: TrustEntry): boolean =>
    named === undefined
      ? path === root || path.startsWith(`${root}${sep}`)
      : path === resolve(root, named) || name === named || name === packageName(named);
  const forgotten = TrustStore.ofUser(terminal.env).forget(isMeant);
  const lines = forgotten.map((entry) => renderEntry(entry, 'forgotten'));
  terminal.out.write(lines.length === 0 ? '(nothing was decided about that)\n' : `${lines.join('\n')}\n`);
  return forgotten.length === 0 && named !== undefined ? 1 : 0;
}

/** A server that is trusted, and so can be started. */
type UsedServer = Required<Pick<FoundServer, 'name' | 'getOptions'>>;

/** Longest description of a tool that is shown, in UTF-16 code units. */
const LONGEST_TEXT = 200;

/**
 * Shows how the tools of a used server differ from those that the user allowed, and allows them if a person confirms.
 *
 * @throws ServerError when the server does not answer
 */
async function renewTools({ name, getOptions }: UsedServer, context: CommandContext): Promise<number> {
  const { signal } = context;
  const { out } = context.terminal;
  const { offerTools } = await import('@bae/mcp');
  const { change, allow } = await offerTools({ ...getOptions(), signal });
  if (change === undefined) {
    out.write(`${makeLineVisible(name)}: trusted already, as it is\n`);
    return 0;
  }
  const lines = change.map(({ kind, tool }) => `  ${kind}: ${tool.name}${appendDescription(tool.description)}`);
  const shown = lines.length === 0 ? ['  what differs is not known'] : lines;
  out.write(`${[`${name}: its tools are not those that you allowed.`, ...shown].map(makeLineVisible).join('\n')}\n`);
  const about = { refused: 'not trusted', command: `bae trust ${makeLineVisible(name)}` };
  if (!(await confirm({ verb: 'trust', yes: 'yes, all of its tools', ...about }, context))) return 1;
  allow();
  out.write(`trusted: ${makeLineVisible(name)}\n`);
  return 0;
}

function appendDescription(description = ''): string {
  const text = description.replaceAll(/\s+/g, ' ').trim();
  if (text === '') return '';
  return text.length > LONGEST_TEXT ? ` -- ${text.slice(0, LONGEST_TEXT)}…` : ` -- ${text}`;
}
