import type { ComponentType } from 'react';
import type { Section, SectionOf } from '@/lib/content/sections';

/**
 * Which component draws which kind. Each family of pages has a registry of the kinds it uses, so that a page loads the
 * styles of its own family only.
 */
export type Registry = { readonly [Kind in Section['kind']]?: ComponentType<{ section: SectionOf<Kind> }> };
