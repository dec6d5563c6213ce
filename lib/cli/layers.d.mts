/** An import: paths below the project's folder, or a package's name. */
export type Edge = { from: string; to: string; isPackage: boolean };

export const layers: readonly { area: string; what: string; may: readonly string[] }[];

/** The folders of lib/server, each above those before it. */
export const serverFloors: readonly string[];

/** The area of a file; undefined outside all of them. */
export function areaOf(file: string): string | undefined;

/** What the tables forbid, each in words. */
export function forbiddenImports(edges: readonly Edge[]): string[];
