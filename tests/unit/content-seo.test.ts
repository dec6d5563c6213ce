// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { allPages, page } from '@/lib/content';
import { routes } from '@/lib/content/routes';
import { jsonLd } from '@/lib/seo/json-ld';
import { sharePicture } from '@/lib/seo/metadata';
import { plainText } from '@/lib/seo/plain-text';
import { pageGraph } from '@/lib/seo/structured-data';
import { price } from '../support/prices';

describe('structured data', () => {
  it('closes no script element, whatever a text holds', () => {
    const text = jsonLd([{ '@type': 'Thing', name: '</script><script>alert(1)</script>' }]);
    expect(text).not.toContain('<');
    expect(JSON.parse(text)['@graph'][0].name).toBe('</script><script>alert(1)</script>');
  });

  it('states offers without ratings or reference prices', () => {
    const text = jsonLd(allPages.flatMap(pageGraph));
    expect(text).not.toMatch(/aggregateRating|"review"|89\.95/);
    expect(text).toContain(`"price":"${price.monthly}"`);
  });

  it('gives each store its own return days', () => {
    const nodes = pageGraph(page('/data-recovery-store')).filter((node) => node['@type'] === 'Product');
    const days = nodes.map((node) => JSON.stringify(node).match(/"merchantReturnDays":(\d+)/)?.[1]);
    expect(days).toEqual(['30', '7']);
  });

  it('leads from home over the parent to the page', () => {
    const [crumbs] = pageGraph(page('/how-to/open-a-corrupt-document'));
    expect(JSON.stringify(crumbs)).toMatch(/"name":"Home".*"name":"How-to".*"name":"Open a corrupt document"/);
  });

  it('calls a question only what is one', () => {
    const asked = allPages
      .flatMap(pageGraph)
      .flatMap((node) => JSON.stringify(node).match(/"name":"[^"]*","accepted/g) ?? []);
    expect(asked.length).toBeGreaterThan(100);
    expect(asked.filter((name) => !name.includes('?","'))).toEqual([]);
    expect(pageGraph(page('/tools')).map((node) => node['@type'])).toEqual(['BreadcrumbList']);
  });

  it('turns the marks of content into words', () => {
    expect(plainText('Ask **us** in [your account](/account).')).toBe('Ask us in your account.');
  });
});

it('begins no sentence of a description in small letters', () => {
  const descriptions = allPages.map(({ seo }) => seo.description);
  expect(descriptions.filter((text) => /(^|[.!?] )[a-z]/.test(text))).toEqual([]);
});

it('names a picture of its own for every page that is shared', () => {
  const addresses = routes.filter(({ indexed }) => indexed).map(({ path: address }) => sharePicture(address));
  expect(new Set(addresses).size).toBe(addresses.length);
});
