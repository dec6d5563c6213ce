import type { Platform, Website } from '../catalog/types';
import type { ContentIcon, DrawingName, ProductTile } from './pictures';

/**
 * The kinds of sections that pages are made of, discriminated by `kind`. Texts may hold `**strong**` words and
 * `[links](/path)`; a link to a page that does not exist shows its words only.
 */

/** A button: a download, or a link. The first of a row is the primary one. */
export type Action =
  | { act: 'download'; label: string; website: Website; os?: Platform }
  | { act: 'link'; label: string; href: string };

export type LinkText = { label: string; href: string };

/** A drawing with the words for those who can't see it; without words it is decoration. */
export type Picture = { drawing: DrawingName; label?: string };

export type Question = { question: string; answer: string };

type Titled = { title: string; lead?: string };
/** `mist` is the quiet band; `tight` drops the room above, where the band before is plain too. */
type Banded = { id?: string; tone?: 'plain' | 'mist'; tight?: boolean };

export type HeroSection = Titled & {
  kind: 'hero';
  actions: readonly Action[];
  picture: Picture;
  /** A drawing of its own for phones; otherwise the picture is a window cropped to its left part. */
  small?: Picture;
};

export type BannerSection = Titled & {
  kind: 'banner';
  product: { name: string; tile: ProductTile };
  actions: readonly Action[];
  note?: string;
  picture: Picture;
};

export type FactsSection = { kind: 'facts'; facts: readonly { value: string; label: string }[] };

export type StepsSection = Titled &
  Banded & { kind: 'steps'; steps: readonly { title: string; text: string; picture: Picture }[] };

export type Feature = {
  id?: string;
  title: string;
  text: string;
  picture: Picture;
  /** A picture that fills its place, such as a photo, instead of standing in a tray. */
  bare?: boolean;
  ticks?: readonly string[];
};

export type FeaturesSection = Banded & {
  kind: 'features';
  title?: string;
  lead?: string;
  features: readonly Feature[];
};

export type ListsSection = Banded & {
  kind: 'lists';
  title: string;
  lead?: string;
  devices: { title: string; items: readonly { icon: ContentIcon; label: string }[] };
  types: { title: string; groups: readonly { name: string; list: string }[] };
};

export type GallerySection = Titled &
  Banded & { kind: 'gallery'; name: string; screens: readonly { picture: Required<Picture>; caption: string }[] };

/** `true` and `false` show as Yes and No in words. */
export type CompareValue = boolean | string;

export type CompareSection = Titled &
  Banded & {
    kind: 'compare';
    caption: string;
    columns: readonly [string, string, string];
    rows: readonly { name: string; values: readonly [CompareValue, CompareValue] }[];
    more?: LinkText;
  };

export type Specification = { name: string; value: string };

export type QuestionsSection = Titled &
  Banded & { kind: 'questions'; questions: readonly Question[]; specifications: readonly Specification[] };

export type FaqSection = Titled & Banded & { kind: 'faq'; questions: readonly Question[]; more?: LinkText };

export type CtaSection = Titled & {
  kind: 'cta';
  id?: string;
  tight?: boolean;
  actions: readonly Action[];
  /** The brand's mark in the field; the main brand's unless told. */
  mark?: 'mark' | 'mark-ferry';
};

export type Situation = {
  title: string;
  text: string;
  links: readonly LinkText[];
  picture: Picture;
  /** Columns of twelve. */
  span: 5 | 7 | 12;
  look: 'window' | 'bare' | 'ferry';
};

export type SituationsSection = Titled & Banded & { kind: 'situations'; situations: readonly Situation[] };

export type LinkRow = { href: string; title: string; text: string; tile: ProductTile };

export type OnlineSection = Titled &
  Banded & { kind: 'online'; picture: Required<Picture>; rows: readonly LinkRow[]; note?: string };

export type LedgerSection = Titled &
  Banded & {
    kind: 'ledger';
    sides: readonly [LedgerSide, LedgerSide];
    more?: LinkText;
  };
export type LedgerSide = { title: string; price: string; items: readonly string[] };

export type StatsSection = Banded & {
  kind: 'stats';
  title: string;
  /** Shows the heading; otherwise it is there for assistive technology only. */
  visible?: boolean;
  stats: readonly { value: string; label: string }[];
};

export type PageHeadSection = Titled & {
  kind: 'pagehead';
  product?: { name: string; tile: ProductTile };
  picture?: Picture;
  note?: string;
};

export type PlansSection = Banded & { kind: 'plans'; website: Website; feature: string };

export type PromisesSection = Banded & {
  kind: 'promises';
  title: string;
  visible?: boolean;
  promises: readonly { title: string; text: string }[];
};

export type MovesSection = Titled &
  Banded & {
    kind: 'moves';
    rows: readonly { icon: ContentIcon; title: string; text: string; id?: string }[];
    more?: LinkText;
  };

export type CodesSection = Titled & Banded & { kind: 'codes'; codes: readonly { code: string; meaning: string }[] };

export type Card = {
  title: string;
  text: string;
  tile?: ProductTile;
  icon?: ContentIcon;
  /** The first is a button, the others are text links. */
  actions: readonly Action[];
};

export type CardsSection = Titled & Banded & { kind: 'cards'; columns?: 2 | 3; cards: readonly Card[] };

/** Running text under headings: legal pages, guides, articles. */
export type ProseBlock =
  | { title: string; id?: string; level?: 2 | 3 }
  | { text: string }
  | { list: readonly string[]; ordered?: boolean }
  | { table: { caption: string; columns: readonly string[]; rows: readonly (readonly string[])[] } }
  | { note: string; tone?: 'info' | 'warn' }
  | { picture: Required<Picture> };

export type ProseSection = Banded & {
  kind: 'prose';
  /** Lists the headings beside the text. */
  contents?: boolean;
  blocks: readonly ProseBlock[];
};

/** Mean values of some damaged files, in percent of what the original holds. */
export type ResultRow = {
  name: string;
  href?: string;
  files: number;
  /** What can be read of them as they are. */
  damaged: number;
  tool: { name: string; value: number } | null;
  repaired: number;
  withSample: number | null;
};

/** `first` is the head of the first column; `failures` are what hardly comes back, by name. */
export type ResultTable = {
  title?: string;
  note?: string;
  caption: string;
  first: string;
  rows: readonly ResultRow[];
  failures?: readonly string[];
};

export type ResultsSection = Titled & Banded & { kind: 'results'; tables: readonly ResultTable[] };

/** The control that gives and takes back the agreement to cookies. */
export type ConsentSection = { kind: 'consent'; title: string };

/** All questions by topic, with a search in the page. */
export type FaqsSection = {
  kind: 'faqs';
  title: string;
  groups: readonly { title: string; questions: readonly Question[] }[];
};

/** The contact form, with advice beside it. */
export type ContactSection = {
  kind: 'contact';
  title: string;
  asides: readonly { title: string; text: string }[];
};

/** Programs to download, by product and system. */
export type DownloadsSection = {
  kind: 'downloads';
  title: string;
  programs: readonly {
    website: Website;
    name: string;
    tile: ProductTile;
    text: string;
    systems: readonly { os: Platform; label: string; requirement: string }[];
  }[];
};

export type Section =
  | HeroSection
  | BannerSection
  | FactsSection
  | StepsSection
  | FeaturesSection
  | ListsSection
  | GallerySection
  | CompareSection
  | QuestionsSection
  | FaqSection
  | CtaSection
  | SituationsSection
  | OnlineSection
  | LedgerSection
  | StatsSection
  | PageHeadSection
  | PlansSection
  | PromisesSection
  | MovesSection
  | CodesSection
  | CardsSection
  | ProseSection
  | ResultsSection
  | ConsentSection
  | FaqsSection
  | ContactSection
  | DownloadsSection;

export type SectionOf<Kind extends Section['kind']> = Extract<Section, { kind: Kind }>;
