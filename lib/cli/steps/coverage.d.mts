type Row = { folder: string; files: number; percent: number; floor: number | null };

/** Least share of lines, in percent, by folder; null where it is printed only. */
export const floors: Readonly<Record<string, number | null>>;

/** Lines of each folder from the summary that the tests write, by absolute path. */
export function coverageByFolder(
  summary: Record<string, { lines: { total: number; covered: number } }>,
  root?: string,
): Row[];

/** The table that is printed, and the folders below their floor. */
export function coverageTable(rows: readonly Row[]): { lines: string[]; below: string[] };
