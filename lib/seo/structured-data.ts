import { brandSentences, brands, productLines } from '../catalog/brands';
import { guaranteeDays, requirements } from '../catalog/facts';
import { currency, decimal, planProductName, plansFor } from '../catalog/plans';
import { type Platform, platforms, type Website } from '../catalog/types';
import type { PageContent, TextFacts } from '../content/page';
import { type Path, route } from '../content/routes';
import type { Question, Section } from '../content/sections';
import { sharePicture } from './metadata';
import { plainText } from './plain-text';
import { absolute, UNKNOWN_ORIGIN } from './site';

/** One node of a page's JSON-LD graph (https://json-ld.org, https://schema.org). */
export type Node = { '@type': string } & Record<string, unknown>;

/** The graph of a page. It states what the page shows and nothing else: no ratings, no reference prices. */
export function pageGraph(content: PageContent): Node[] {
  const { path, product, text, sections } = content;
  return [
    ...(product ? productNodes(product, path) : []),
    ...sectionsGraph(path, sections),
    ...(text ? [article(content, text)] : []),
  ];
}

/** A guide or an article. */
function article({ path, seo, sections: [head] }: PageContent, { published }: TextFacts): Node {
  const publisher = { '@type': 'Organization', name: brands.mendara.name, url: UNKNOWN_ORIGIN };
  return {
    '@type': 'Article',
    headline: head?.kind === 'pagehead' ? head.title : seo.title,
    description: seo.description,
    datePublished: published,
    dateModified: route(path).changed,
    author: publisher,
    publisher,
    image: absolute(sharePicture(path)),
    mainEntityOfPage: absolute(path),
    inLanguage: 'en-US',
  };
}

/** Where a page stands, and the questions of its sections. */
export function sectionsGraph(path: Path, sections: readonly Section[]): Node[] {
  // An accordion may hold advice too, which nobody asks for: only a question has an accepted answer (schema.org, "Question").
  const questions = sections.flatMap(questionsOf).filter(({ question }) => question.endsWith('?'));
  return [
    ...(path === '/' ? [organization(), website()] : [breadcrumbs(path)]),
    ...(questions.length ? [faqPage(questions)] : []),
  ];
}

function questionsOf(section: Section): readonly Question[] {
  if (section.kind === 'faqs') return section.groups.flatMap((group) => group.questions);
  return 'questions' in section ? section.questions : [];
}

function organization(): Node {
  const { name, legalName } = brands.mendara;
  return {
    '@type': 'Organization',
    '@id': `${UNKNOWN_ORIGIN}/#organization`,
    name,
    legalName,
    description: brandSentences.mendara,
    url: UNKNOWN_ORIGIN,
    logo: absolute('/icons/icon-512.png'),
  };
}

function website(): Node {
  return {
    '@type': 'WebSite',
    '@id': `${UNKNOWN_ORIGIN}/#website`,
    name: brands.mendara.name,
    url: UNKNOWN_ORIGIN,
    inLanguage: 'en-US',
    publisher: { '@id': `${UNKNOWN_ORIGIN}/#organization` },
  };
}

function breadcrumbs(path: PageContent['path']): Node {
  const parent = path.slice(0, path.lastIndexOf('/'));
  const items = [
    { name: 'Home', path: '/' },
    ...(parent ? [{ name: route(parent as Path).name, path: parent }] : []),
    { name: route(path).name, path },
  ];
  return {
    '@type': 'BreadcrumbList',
    itemListElement: items.map(({ name, path: item }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: absolute(item),
    })),
  };
}

function faqPage(questions: readonly Question[]): Node {
  return {
    '@type': 'FAQPage',
    mainEntity: questions.map(({ question, answer }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: plainText(answer) },
    })),
  };
}

function productNodes({ website: line, os, name }: NonNullable<PageContent['product']>, path: string): Node[] {
  const isStore = path === productLines[line].store;
  const systems: readonly Platform[] = os === 'both' ? platforms : [os];
  if (!isStore) {
    return [
      {
        '@type': 'SoftwareApplication',
        name,
        applicationCategory: 'UtilitiesApplication',
        operatingSystem: systems.map((system) => systemOf(line, system)).join(', '),
        url: absolute(path),
        offers: systems.flatMap((system) => offersOf(line, system)),
      },
    ];
  }
  return systems.map((system) => {
    const [plan] = plansFor(line, system);
    return {
      '@type': 'Product',
      name: plan ? planProductName(plan) : name,
      brand: { '@type': 'Brand', name: brands[productLines[line].skin].name },
      url: absolute(path),
      offers: offersOf(line, system),
    };
  });
}

function offersOf(line: Website, system: Platform): Node[] {
  return plansFor(line, system).map((plan) => ({
    '@type': 'Offer',
    name: `${planProductName(plan)}, ${plan.name}`,
    price: decimal(plan.cents),
    priceCurrency: currency,
    availability: 'https://schema.org/InStock',
    url: absolute(`${productLines[line].store}?ufrom=${system}`),
    hasMerchantReturnPolicy: {
      '@type': 'MerchantReturnPolicy',
      returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
      merchantReturnDays:
        line === 'recovery' && system === 'win' ? guaranteeDays.recoveryWindows : guaranteeDays.everythingElse,
    },
  }));
}

function systemOf(line: Website, system: Platform): string {
  if (line === 'duplicate') return system === 'mac' ? requirements.duplicateMac : requirements.duplicateWindows;
  return system === 'mac' ? requirements.mac : requirements.windows;
}
