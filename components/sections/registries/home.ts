import { Cta } from '../cta/cta';
import { Faq } from '../faq/faq';
import { Hero } from '../hero/hero';
import { Ledger } from '../ledger/ledger';
import { Online } from '../online/online';
import { Situations } from '../situations/situations';
import { Stats } from '../stats/stats';
import type { Registry } from './registry';

/** The sections of the home page: what product pages alone show is no burden of it. */
export const homeRegistry: Registry = {
  hero: Hero,
  situations: Situations,
  online: Online,
  ledger: Ledger,
  stats: Stats,
  faq: Faq,
  cta: Cta,
};
