import { Cards } from '../cards/cards';
import { Contact } from '../contact/contact';
import { Cta } from '../cta/cta';
import { Faq } from '../faq/faq';
import { PageHead } from '../pagehead/pagehead';
import { Promises } from '../promises/promises';
import { Prose } from '../prose/prose';
import { Stats } from '../stats/stats';
import type { Registry } from './registry';

/** The sections of text pages: company, support, guides, articles, legal. */
export const textsRegistry: Registry = {
  pagehead: PageHead,
  prose: Prose,
  cards: Cards,
  contact: Contact,
  faq: Faq,
  stats: Stats,
  promises: Promises,
  cta: Cta,
};
