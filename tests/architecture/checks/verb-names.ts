import { exportsOf } from '../source/exports.ts';
import { isProduct } from '../source/file-kind.ts';
import { modulesOf } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';

/** Least share of the exported functions whose names begin with a verb. */
export const VERB_SHARE = 0.8;

const VERBS = new Set(
  `abort accept acquire add align allow analyse apply approve ask assert await begin bind bound break build call cancel
  change check choose claim clamp clear clip close coerce collect color colour combine command compare compile complete
  compose compress compute connect consume contain contains convert copy count cover create cut decide declare decode
  dedent define delete deny describe detect diff discard dispatch display dispose divide drop edit emit encode end ends
  enter equals escape estimate evaluate execute exists exit expand expect explain export extend extract fail fence fetch
  fill filter find finish fit fits fix flatten fold follow format freeze gather generate get glob grep group guard guess
  handle has hash hide highlight hold identify ignore import indent infer inspect install instantiate interpret invoke
  is join keep kill label leave limit link list load locate lock log look make mark mask match may measure merge migrate
  mount move must name narrow navigate needs normalise normalize notify number observe offer omit open order pack pad
  page parse pass pause permit pick place plan prepare preview print produce prompt propose provide prune put qualify
  query quote raise rank read record redact refuse register release reload remember remove rename render repair repeat
  replace report request require reset resolve respond restore resume retry return reverse rewrite round route run save
  scaffold scan schedule score search seem select send separate serialise serialize serve set shift shorten should show
  sign skip sleep sort spawn split start starts stat step stop store stream strip style subscribe suggest sum summarise
  swap switch take tell test throw to toggle tokenise track transform translate trim truncate try turn undo unescape
  unlock update upgrade use uses validate verify visit wait wake walk warn was watch widen will with wrap write`.split(
    /\s+/,
  ),
);

/** Functions are called by what they do. */
export function checkVerbNames(repository: Repository): readonly Violation[] {
  const functions = modulesOf(repository)
    .filter(({ path }) => isProduct(path))
    .flatMap((module) =>
      exportsOf(module).flatMap(({ name, kind, from }) =>
        kind === 'function' && from === undefined ? [{ path: module.path, name }] : [],
      ),
    );
  const others = functions.filter(({ name }) => !VERBS.has(/^[a-z]+/.exec(name)?.[0] ?? ''));
  if (others.length <= functions.length * (1 - VERB_SHARE)) return [];
  const share = Math.round((1 - others.length / functions.length) * 100);
  return [
    { path: '.', message: `${share} % of the exported functions begin with a verb, least ${VERB_SHARE * 100} %` },
    ...others.map(({ path, name }) => ({ path, message: `exports ${name}, which begins with no known verb` })),
  ];
}
