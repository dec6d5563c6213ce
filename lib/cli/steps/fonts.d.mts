/** Writes the two faces, cut to the letters that they are needed for, where the root layout of a tree finds them. */
export function writeFonts(base?: string): Promise<void>;
