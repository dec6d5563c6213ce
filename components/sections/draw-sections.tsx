import { type ComponentType, createElement, Fragment } from 'react';
import type { Section } from '@/lib/content/sections';
import type { Registry } from './registries/registry';

type DrawSectionsProps = { sections: readonly Section[]; registry: Registry };

/** Draws a page's sections in order. A kind that the page's family does not know stops the build. */
export function DrawSections({ sections, registry }: DrawSectionsProps) {
  const drawn = sections.map((section) => {
    // The registry ties each kind to its own component, which the compiler can't follow through a lookup.
    const Component = registry[section.kind] as ComponentType<{ section: Section }> | undefined;
    if (!Component) throw new Error(`This family of pages has no section "${section.kind}"`);
    return createElement(Component, { section });
  });
  return createElement(Fragment, null, ...drawn);
}
