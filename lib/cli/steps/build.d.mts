/** Bundles the code outside Next into a folder; `more` names further programs, of tests, by their files. */
export function bundleServerCode(outdir: string, more?: Record<string, string>): Promise<void>;
