import { Results } from '../results/results';
import type { Registry } from './registry';
import { textsRegistry } from './texts';

/** The sections of text pages, and tables of measured values. */
export const resultsRegistry: Registry = { ...textsRegistry, results: Results };
