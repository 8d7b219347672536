import { BaeError, ResourceError } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { toStoreError, convertErrors } from './store-error.ts';

const reported = (errcode: number) => Object.assign(new Error('native'), { code: 'ERR_SQLITE_ERROR', errcode });
const refused = (code: string) => Object.assign(new Error(`${code}: native`), { code });

describe('toStoreError', () => {
  it.each([
    [5, 'another process has kept it locked for too long.'],
    [517, 'another process has kept it locked for too long.'],
    [7, 'there is not enough memory.'],
    [8, 'it is read-only.'],
    [778, 'the disk reports an error, or is full.'],
    [11, 'it is damaged.'],
    [13, 'the disk is full.'],
    [18, 'a text is too long.'],
    [26, 'it is not a database, and was left unchanged.'],
    [1, 'native.'],
  ])('words result %i', (errcode, sentence) => {
    const error = toStoreError(reported(errcode), '/tmp/bae.db');
    expect(error.message).toBe(`/tmp/bae.db: ${sentence}`);
    expect(error).toMatchObject({ name: 'StoreError', code: 'BAE_STORE', cause: { message: 'native' } });
    expect(BaeError.is(error) && error.hints.at(-1)).toBe('use another file: --db FILE');
  });

  it.each([
    ['EACCES', 'permission denied.'],
    ['EPERM', 'permission denied.'],
    ['EROFS', 'it is read-only.'],
    ['ENOSPC', 'the disk is full.'],
    ['EDQUOT', 'the disk is full.'],
    ['EIO', 'the disk reports an error, or is full.'],
    ['ENAMETOOLONG', 'ENAMETOOLONG: native.'],
  ])('words %s', (code, sentence) => {
    expect(toStoreError(refused(code), '/tmp/bae.db').message).toBe(`/tmp/bae.db: ${sentence}`);
  });

  it('distinguishes a folder that cannot be written from other causes', () => {
    expect(toStoreError(reported(14), '/tmp/bae.db').message).toBe('/tmp/bae.db: it cannot be opened.');
    expect(toStoreError(reported(14), '/nowhere/bae.db').message).toBe('/nowhere/bae.db: its folder is read-only.');
  });

  it('leaves other errors as they are', () => {
    for (const error of [new ResourceError('gone.'), new TypeError('x')]) {
      expect(toStoreError(error, '/tmp/bae.db')).toBe(error);
      expect(() =>
        convertErrors('/tmp/bae.db', () => {
          throw error;
        }),
      ).toThrow(error);
    }
  });
});
