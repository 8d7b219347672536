import { readFileSync, statSync } from 'node:fs';
import type { LimitedPlaces } from './limited-places.ts';
import {
  type ExistingMount,
  isAtOrBelow,
  isBelowAny,
  makeReadOnly,
  type Mount,
  NEW_SOURCE,
  readMounts,
} from './mount-table.ts';

/**
 * Shell script that builds the view of this machine in namespaces of its own: what may be written becomes mounts of its
 * own, then everything else becomes read-only, then folders are replaced. They are built in `/sys`, which nothing here
 * uses. Descriptor 3 is a pipe to bae, which opens the namespaces when they are ready; 4 to 6 are tables of mounts.
 */
export const BUILD = `set -e
umask 0
"$MOUNT" -a -T /proc/self/fd/4
"$MOUNT" -o "$1" none /
"$MOUNT" -a -T /proc/self/fd/5
"$MOUNT" -t tmpfs -o nosuid,nodev,mode=755 bae /sys
cd /sys
mkdir -m 755 dev dev/pts run run/.bae
mkdir -m 0 run/.bae/folder
mkdir -m 1777 dev/shm
mkdir -m 700 cache
: > run/.bae/file
chmod 0 run/.bae/file
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
ln -s pts/ptmx dev/ptmx
for name in null zero full random urandom tty; do : > dev/$name; done
eval "$2"
"$MOUNT" -a -T /proc/self/fd/6
cd /
"$UMOUNT" -l /sys
{ ip link set lo up || ifconfig lo up ||
  perl -e 'socket(S, 2, 2, 0) && ioctl(S, 0x8914, pack("a16sx22", "lo", 0x49)) || exit 1'; } 2>/dev/null
cat /proc/self/mountinfo >&3
echo ready >&3
read -r _ <&3 || :`;

const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty'];
/** What is not made read-only, because it is replaced as a whole. */
const REPLACED = ['/proc', '/dev'];
/** Programs of the PATH can be there, which are kept. */
const MEMORY = '/dev/shm';

/**
 * Finds the mounts that can be written and should not, in a view that was built.
 *
 * @param text its mounts, from `/proc/self/mountinfo`
 */
export function findOpenMounts(text: string, places: LimitedPlaces): readonly string[] {
  const { writable, replaced, kept, home, cache } = places;
  const isNew = ({ path, type }: ExistingMount): boolean =>
    (isBelowAny(path, [...REPLACED, ...replaced]) && !isBelowAny(path, kept)) ||
    (path === home && type === LAYERED) ||
    (cache !== undefined && isAtOrBelow(path, cache));
  const last = new Map(readMounts(text).map((mount) => [mount.path, mount]));
  return [...last.values()]
    .filter(({ path, options }) => !options.includes('ro') && !isBelowAny(path, writable))
    .filter((mount) => !isNew(mount) && isReachable(mount.path))
    .map(({ path }) => path);
}

/** Type of the file system that shows a folder with what a session changed in it. */
const LAYERED = 'overlay';

/**
 * Shell script that puts a layer of the session over a home folder. A folder that exists below cannot be renamed in it,
 * which is why what is hidden in one stays hidden.
 */
function layHome(home: string): string {
  const mode = (statSync(home).mode & 0o777).toString(8);
  const layers = 'lowerdir=.,upperdir=/sys/upper,workdir=/sys/work,redirect_dir=nofollow,metacopy=off';
  const options = `nosuid,nodev,${layers}${process.getuid?.() === 0 ? '' : ',userxattr'}`;
  return `mkdir -m ${mode} upper; mkdir -m 700 work home; cd ${quoteInShell(home)}
"$MOUNT" -t ${LAYERED} -o ${options} bae /sys/home; cd /sys`;
}

/** Tables and arguments of the script that builds a view. */
export function describeView({ writable, replaced, kept, home, cache, caches, hidden }: LimitedPlaces): {
  readonly tables: readonly (readonly Mount[])[];
  readonly args: readonly string[];
} {
  const mounts = readMounts(readFileSync('/proc/self/mountinfo', 'utf8'));
  const others = mounts.filter(
    ({ path }) =>
      path !== '/' &&
      (path === MEMORY || !isBelowAny(path, REPLACED)) &&
      !isBelowAny(path, writable) &&
      isReachable(path),
  );
  const top = mounts.findLast(({ path }) => path === '/');
  const isOfHome = (path: string): boolean => home !== undefined && path !== home && isAtOrBelow(path, home);
  const created = replaced.filter((path) => path !== '/run').map((path, index) => ({ path, at: `/sys/tmp${index}` }));
  const folders = [
    ...created,
    ...(replaced.includes('/run') ? [{ path: '/run', at: '/sys/run' }] : []),
    ...(home === undefined ? [] : [{ path: home, at: '/sys/home' }]),
    ...(cache === undefined ? [] : [{ path: cache, at: '/sys/cache' }]),
  ].toSorted((one, other) => one.path.length - other.path.length);
  const findPlace = (path: string): string | undefined => {
    const folder = folders.findLast((one) => path !== one.path && isAtOrBelow(path, one.path));
    return folder && folder.at + path.slice(folder.path.length);
  };
  // A layer shows no other file systems below.
  const mounted = others.map(({ path }) => path).filter((path) => isOfHome(path) && !isBelowAny(path, replaced));
  const shown = [...new Set([...kept, ...writable, ...mounted, ...caches])]
    .toSorted((one, other) => one.length - other.length)
    .flatMap((path) => {
      const target = findPlace(path);
      return target === undefined ? [] : [{ path, target }];
    });
  const view: readonly Mount[] = [
    ...DEVICES.map((name) => ({ source: `/dev/${name}`, target: `/sys/dev/${name}`, options: 'bind' })),
    { source: NEW_SOURCE, target: '/sys/dev/pts', type: 'devpts', options: PSEUDOTERMINALS },
    ...shown.map(({ path, target }) => ({
      source: caches.includes(path) && home !== undefined ? `/sys/home${path.slice(home.length)}` : path,
      target,
      options: 'rbind',
    })),
    // A file that is deleted and created again may not be found in a layer: what covers it later needs a place.
    ...hidden.filter(isOfHome).map((path) => ({
      source: `/sys/run/.bae/${statSync(path).isDirectory() ? 'folder' : 'file'}`,
      target: findPlace(path)!,
      options: 'bind,ro,nosuid,nodev',
    })),
    { source: '/sys/dev', target: '/dev', options: 'rbind' },
    ...folders.map(({ path, at }) => ({
      source: at,
      target: path,
      options: path === '/run' ? 'rbind,ro,nosuid,nodev' : 'rbind',
    })),
  ];
  const own = writable.map((path) => ({ source: path, target: path, options: 'rbind' }));
  const readOnly = others.map(({ path, options }) => ({
    source: NEW_SOURCE,
    target: path,
    options: makeReadOnly(options),
  }));
  const create = [
    ...(home === undefined ? [] : [layHome(home)]),
    ...created.map(({ at }) => `mkdir -m 1777 ${at}`),
    ...shown.filter(({ target }) => !target.startsWith('/sys/home/')).map(createPlace),
  ].join('\n');
  return { tables: [own, readOnly, view], args: [makeReadOnly(top?.options ?? []), create] };
}

const PSEUDOTERMINALS = 'nosuid,noexec,newinstance,ptmxmode=0666,mode=620';

function createPlace({ path, target }: { readonly path: string; readonly target: string }): string {
  const quoted = quoteInShell(target);
  if (statSync(path).isDirectory()) return `mkdir -p ${quoted}`;
  return `mkdir -p "$(dirname ${quoted})"; : > ${quoted}`;
}

function quoteInShell(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

/** What this user cannot reach by its path, no program can. */
function isReachable(path: string): boolean {
  try {
    statSync(path);
    return true;
  } catch {
    return false;
  }
}
