/** Every file below a folder, in the same order on every machine. */
export function filesBelow(folder: string): Generator<string>;
