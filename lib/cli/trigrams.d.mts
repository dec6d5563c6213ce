export function trigramTable(text: string, standIns?: string): string;
