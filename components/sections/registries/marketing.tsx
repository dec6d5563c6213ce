import { Banner } from '../banner/banner';
import { Cards } from '../cards/cards';
import { Codes } from '../codes/codes';
import { Compare } from '../compare/compare';
import { Cta } from '../cta/cta';
import { Facts } from '../facts/facts';
import { Faq } from '../faq/faq';
import { Features } from '../features/features';
import { Gallery } from '../gallery/gallery';
import { Hero } from '../hero/hero';
import { Lists } from '../lists/lists';
import { Moves } from '../moves/moves';
import { Online } from '../online/online';
import { PageHead } from '../pagehead/pagehead';
import { Plans } from '../plans/plans';
import { Promises } from '../promises/promises';
import { Questions } from '../questions/questions';
import { Steps } from '../steps/steps';
import type { Registry } from './registry';

/** The sections of product, store and tool pages. */
export const marketingRegistry: Registry = {
  hero: Hero,
  banner: Banner,
  facts: Facts,
  steps: Steps,
  features: Features,
  lists: Lists,
  gallery: Gallery,
  compare: Compare,
  questions: Questions,
  faq: Faq,
  cta: Cta,
  codes: Codes,
  cards: Cards,
  online: Online,
  moves: Moves,
  pagehead: PageHead,
  plans: Plans,
  promises: Promises,
};
