import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * What of the page violates WCAG 2.2 AA or good practice, one line each; with `rules` those are asked alone.
 *
 * The tests' pages hold no frame of another origin, so axe runs in the page itself: its other way opens a blank page each time and takes
 * three times as long.
 */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(true);
  const asked = rules ? axe.withRules(rules) : axe.withTags(tags);
  const found = await asked.analyze();
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target).join(' ')}`);
}
