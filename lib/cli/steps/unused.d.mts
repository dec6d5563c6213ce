/** Exports that nobody imports, files that nobody reaches and packages that nobody uses, each in words. */
export function unusedIn(
  root: string,
  files: readonly string[],
  packages: readonly string[],
  elsewhere?: Readonly<Record<string, string>>,
): Promise<string[]>;
