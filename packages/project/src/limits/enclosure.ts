import { spawn } from 'node:child_process';
import { closeSync, lstatSync, openSync, readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Entrance } from '../supervise.ts';
import { findGitPlaces, type LimitedPlaces } from './limited-places.ts';
import { BUILD, describeView, findOpenMounts } from './limited-view.ts';
import { type ExistingMount, fixPlace, type Mount, NEW_SOURCE, openTable, readMounts } from './mount-table.ts';

export const LIMIT_TOOLS = ['unshare', 'nsenter', 'mount', 'umount', 'setpriv', 'env'] as const;
/** Absolute paths of the programs that set limits. */
export type LimitTools = Readonly<Record<(typeof LIMIT_TOOLS)[number], string>>;

/** A file or folder in the workspace that programs may not write. */
export interface FixedEntry {
  readonly path: string;
  /** True if its content is hidden as well. */
  readonly isHidden: boolean;
}

/** Descriptor of the first namespace in the process that enters. */
const FIRST = 6;

/**
 * Beginning of the shell script for the first process in the namespaces of one program. Its arguments are the program
 * that mounts, and the folder. Descriptor 5 is the table of its mounts. The descriptors lead out, so it closes them.
 */
const ENTER = `exec 6>&- 7>&- 8>&- 9>&-
"$1" -a -T /proc/self/fd/5 || { echo 'bae: the limits of this command could not be set.' >&2; exit 126; }
exec 5>&-
cd "$2" || exit 126
shift 2
unset OLDPWD`;

/** What is left of root: rights over files and its own processes, as in a container. */
const RIGHTS = ['chown', 'dac_override', 'fowner', 'fsetid', 'kill', 'setgid', 'setuid', 'setfcap', 'net_bind_service'];

const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin';
/** Kinds of namespaces as files of a process, and as options of nsenter. */
const KINDS = [
  ['mnt', 'mount'],
  ['net', 'net'],
  ['ipc', 'ipc'],
  ['user', 'user'],
] as const;
type Kind = (typeof KINDS)[number][0];

/** Last line of what is said while building. */
const READY = '\nready\n';
/** Time limit for building, in milliseconds. */
const PATIENCE_MS = 20_000;

/**
 * Namespaces of a session, in which its programs see the same view of this machine and the same network. They exist as
 * long as bae holds them open or a program runs in them; no process has to.
 */
export class Enclosure {
  readonly #tools: LimitTools;
  readonly #places: LimitedPlaces;
  readonly #descriptors: ReadonlyMap<Kind, number>;
  readonly #mounts: readonly ExistingMount[] = readMounts(readFileSync('/proc/self/mountinfo', 'utf8'));

  private constructor(tools: LimitTools, places: LimitedPlaces, descriptors: ReadonlyMap<Kind, number>) {
    this.#tools = tools;
    this.#places = places;
    this.#descriptors = descriptors;
  }

  /**
   * Builds them; where the system puts no layer over the home folder, that is read-only like everything else.
   *
   * @throws Error with what the system says, if the namespaces cannot be built
   */
  static async build(tools: LimitTools, places: LimitedPlaces): Promise<Enclosure> {
    const building = Enclosure.#tryBuild(tools, places);
    if (places.home === undefined) return building;
    return building.catch(() => Enclosure.#tryBuild(tools, { ...places, home: undefined, caches: [] }));
  }

  static async #tryBuild(tools: LimitTools, places: LimitedPlaces): Promise<Enclosure> {
    const options = [...(isRoot() ? [] : AS_USER), '--mount', '--net', '--ipc', '--propagation', 'private', '--'];
    const view = describeView(places);
    const tables = view.tables.map(openTable);
    const builder = spawn(tools.unshare, [...options, '/bin/sh', '-c', BUILD, 'sh', ...view.args], {
      cwd: '/',
      env: { PATH: SYSTEM_PATH, MOUNT: tools.mount, UMOUNT: tools.umount },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', ...tables],
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    });
    for (const table of tables) closeSync(table);
    const pipe = builder.stdio[3] as Duplex;
    pipe.on('error', () => undefined);
    const errors = text(builder.stderr!).catch(() => '');
    let said = '';
    const isReady = await new Promise<boolean>((resolve, reject) => {
      pipe.setEncoding('utf8').on('data', (part: string) => {
        said += part;
        if (said.endsWith(READY)) resolve(true);
      });
      builder.once('error', reject).once('exit', () => resolve(false));
    });
    try {
      if (!isReady) throw new Error((await errors).trim() || 'the namespaces could not be built');
      const [left] = findOpenMounts(said.slice(0, -READY.length), places);
      if (left !== undefined) throw new Error(`${left} could still be written`);
      const kinds = KINDS.map(([kind]) => kind).filter((kind) => kind !== 'user' || !isRoot());
      return new Enclosure(
        tools,
        places,
        new Map(kinds.map((kind) => [kind, openSync(`/proc/${builder.pid}/ns/${kind}`, 'r')])),
      );
    } finally {
      pipe.end();
    }
  }

  /**
   * Prepares the start of a program in a folder.
   *
   * @param fixed entries of the workspace that it may not write
   * @param network true if it may use the network of this machine
   */
  prepare(folder: string, fixed: readonly FixedEntry[], network: boolean): Entrance {
    const { unshare, nsenter, mount, setpriv } = this.#tools;
    const joined = KINDS.filter(([kind]) => this.#descriptors.has(kind) && !(network && kind === 'net'));
    const enter = joined.map(([, option], index) => `--${option}=/proc/self/fd/${FIRST + index}`);
    const own = [...(isRoot() ? [] : AS_USER), '--mount', '--pid', '--fork', '--kill-child', '--'];
    const rights = ['-all', ...(isRoot() ? RIGHTS.map((right) => `+${right}`) : [])].join(',');
    const drop = ['--no-new-privs', '--ambient-caps', '-all', '--inh-caps', '-all', '--bounding-set', rights, '--'];
    const table = openTable(this.#listMounts(fixed));
    return {
      command: [nsenter, '--preserve-credentials', ...enter, '--', unshare, ...own],
      script: ENTER,
      args: [mount, folder],
      drop: [setpriv, ...drop],
      descriptors: [table, ...joined.map(([kind]) => this.#descriptors.get(kind)!)],
      env: this.#tools.env,
      dispose: () => closeSync(table),
    };
  }

  /** Programs that run go on in the namespaces. */
  close(): void {
    for (const descriptor of this.#descriptors.values()) closeSync(descriptor);
  }

  /** Lists the mounts of one program. When a file is replaced, mounts over it end; so each program has new ones. */
  #listMounts(fixed: readonly FixedEntry[]): readonly Mount[] {
    const { workspace, hidden } = this.#places;
    const git = findGitPlaces(workspace);
    const secret = [...hidden, ...fixed.filter(({ isHidden }) => isHidden).map(({ path }) => path)];
    const shown = [...git.fixed, ...fixed.filter(({ isHidden }) => !isHidden).map(({ path }) => path)];
    return [
      { source: NEW_SOURCE, target: '/proc', type: 'proc', options: 'ro,nosuid,nodev,noexec' },
      ...git.pinned.map((path) => ({ source: path, target: path, options: 'bind' })),
      ...shown.map((path) => fixPlace(path, this.#mounts)),
      ...secret.flatMap(hide),
    ];
  }
}

const AS_USER = ['--user', '--map-current-user', '--keep-caps'];

function hide(path: string): readonly Mount[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || stats.isSymbolicLink()) return [];
  return [{ source: `/run/.bae/${stats.isDirectory() ? 'folder' : 'file'}`, target: path, options: 'bind' }];
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
