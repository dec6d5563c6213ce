export function heavyModules(text: string): (number | string)[];
export function prepareChunks(folder: string): Record<string, (number | string)[]>;
