import { Cards } from '../cards/cards';
import { Consent } from '../consent/consent';
import { Contact } from '../contact/contact';
import { Cta } from '../cta/cta';
import { Downloads } from '../downloads/downloads';
import { Faq } from '../faq/faq';
import { Faqs } from '../faqs/faqs';
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
  faq: Faq,
  faqs: Faqs,
  contact: Contact,
  consent: Consent,
  downloads: Downloads,
  stats: Stats,
  promises: Promises,
  cta: Cta,
};
