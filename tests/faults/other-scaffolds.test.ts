import { describeMade } from '../e2e/describe-made.ts';

describeMade({ title: 'a space without decorators', what: ['space', 'snow', '--no-decorators'] });
describeMade({ title: 'a space of plain JavaScript', what: ['space', 'ice', '--javascript'] });
