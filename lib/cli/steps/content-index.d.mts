export const GENERATED: string;
export function contentIndex(root?: string): Record<string, string>;
export function writeContentIndex(root?: string): void;
