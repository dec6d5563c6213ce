export function paragraphsOf(html: string): string[];
export function usualWords(paragraphs: Iterable<string>, least?: number, longest?: number): string[];
