import type { Section } from '@/lib/content/sections';
import { DrawSections } from './draw-sections';
import { marketingRegistry } from './registries/marketing';

/** Sections below an interactive screen: comparison, promises, questions, steps. */
export function RenderSections({ sections }: { sections: readonly Section[] }) {
  return <DrawSections sections={sections} registry={marketingRegistry} />;
}
