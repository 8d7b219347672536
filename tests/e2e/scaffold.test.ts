import { describeMade } from './describe-made.ts';

describeMade({ title: 'a space', what: ['space', 'snow-report'] });
describeMade({ title: 'an agent', what: ['agent', 'reporter'] });
