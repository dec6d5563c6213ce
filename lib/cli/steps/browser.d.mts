/** Path of a Chromium, installed if need be; null when none can be had. */
export function findBrowser(): Promise<string | null>;
