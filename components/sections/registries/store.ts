import { Compare } from '../compare/compare';
import { Faq } from '../faq/faq';
import { Moves } from '../moves/moves';
import { PageHead } from '../pagehead/pagehead';
import { Plans } from '../plans/plans';
import { Promises } from '../promises/promises';
import type { Registry } from './registry';

/** The sections of a store that has a route of its own: without the script of those that it does not show. */
export const storeRegistry: Registry = {
  pagehead: PageHead,
  plans: Plans,
  promises: Promises,
  compare: Compare,
  moves: Moves,
  faq: Faq,
};
