import { Consent } from '../consent/consent';
import type { Registry } from './registry';
import { textsRegistry } from './texts';

/** The text sections, and the one that this page alone has: its script is nobody else's burden. */
export const consentRegistry: Registry = { ...textsRegistry, consent: Consent };
