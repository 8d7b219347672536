// Opens stores, and tells what was wrong with each.
import { BaeError } from '@bae/core';
import { Store } from '@bae/store';

const errors = process.argv.slice(2).map((file) => {
  try {
    Store.open(file).close();
    return 'opened';
  } catch (error) {
    return BaeError.is(error) ? [error.name, error.message, ...error.hints] : String(error);
  }
});
process.stdout.write(JSON.stringify(errors));
