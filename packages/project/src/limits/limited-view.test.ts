import { expect, it } from 'vitest';
import { findOpenMounts } from './limited-view.ts';

it('the mounts that can be written are found in a view', () => {
  const places = {
    workspace: '/usr',
    writable: ['/usr', '/tmp/own'],
    replaced: ['/tmp'],
    kept: ['/tmp/kept'],
    home: '/opt',
    cache: '/root',
    caches: [],
    hidden: [],
  };
  const mounts = (...lines: readonly string[]) =>
    lines.map((line) => `1 1 0:1 / ${line}${line.includes(' - ') ? '' : ' shared:1 - ext4'} none rw`).join('\n');
  const find = (...lines: readonly string[]) => findOpenMounts(mounts(...lines), places);
  expect(find('/ ro,nodev', '/usr rw', '/usr/lib rw', '/proc rw', '/dev rw', '/tmp rw', '/root rw')).toEqual([]);
  expect(find('/opt rw - overlay')).toEqual([]);
  expect(find('/opt rw')).toEqual(['/opt']);
  expect(find('/ rw,relatime', '/etc ro')).toEqual(['/']);
  expect(find('/ ro', '/etc ro', '/etc rw', '/bin rw', '/bin ro', '/no/such/place rw')).toEqual(['/etc']);
});
