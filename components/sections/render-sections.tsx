import { type ComponentType, createElement, Fragment } from 'react';
import type { Section, SectionOf } from '@/lib/content/sections';
import { Banner } from './banner/banner';
import { Cards } from './cards/cards';
import { Codes } from './codes/codes';
import { Compare } from './compare/compare';
import { Consent } from './consent/consent';
import { Contact } from './contact/contact';
import { Cta } from './cta/cta';
import { Downloads } from './downloads/downloads';
import { Facts } from './facts/facts';
import { Faq } from './faq/faq';
import { Faqs } from './faqs/faqs';
import { Features } from './features/features';
import { Gallery } from './gallery/gallery';
import { Hero } from './hero/hero';
import { Ledger } from './ledger/ledger';
import { Lists } from './lists/lists';
import { Moves } from './moves/moves';
import { Online } from './online/online';
import { PageHead } from './pagehead/pagehead';
import { Plans } from './plans/plans';
import { Promises } from './promises/promises';
import { Prose } from './prose/prose';
import { Questions } from './questions/questions';
import { Situations } from './situations/situations';
import { Stats } from './stats/stats';
import { Steps } from './steps/steps';

const components: { [Kind in Section['kind']]: ComponentType<{ section: SectionOf<Kind> }> } = {
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
  situations: Situations,
  online: Online,
  ledger: Ledger,
  stats: Stats,
  pagehead: PageHead,
  plans: Plans,
  promises: Promises,
  moves: Moves,
  codes: Codes,
  cards: Cards,
  prose: Prose,
  consent: Consent,
  faqs: Faqs,
  contact: Contact,
  downloads: Downloads,
};

/** Draws a page's sections in order; a kind without a component fails the type check. */
export function RenderSections({ sections }: { sections: readonly Section[] }) {
  const drawn = sections.map((section) => {
    // The map ties each kind to its own component, which the compiler can't follow through a lookup.
    const Component = components[section.kind] as ComponentType<{ section: Section }>;
    return createElement(Component, { section });
  });
  return createElement(Fragment, null, ...drawn);
}
