import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Programs that this one starts, and the variable that says where each is if not beside this bundle. */
const children = { 'pdf-child': 'MENDARA_PDF_CHILD', 'media-child': 'MENDARA_MEDIA_CHILD' } as const;

/** A program of our own; null where it is not built. */
export function childProgram(name: keyof typeof children): string | null {
  const script = process.env[children[name]] ?? fileURLToPath(new URL(`./${name}.mjs`, import.meta.url));
  return existsSync(script) ? script : null;
}

/** The runtime that runs them. */
export const runtime = (): string => process.execPath;

/** A decoder that the owner of this machine wants to be used; undefined for the one that comes with the program. */
export const ownDecoder = (): string | undefined => process.env.REPAIR_FFMPEG;
