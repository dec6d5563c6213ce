import { avi } from './avi';
import { flv } from './flv';
import type { Format } from './format';

/** The formats that go through the one pipeline. */
const formats: readonly Format<unknown>[] = [avi, flv];

/** The format of that name; null for those that have not moved here yet. */
export const formatOf = (id: string): Format<unknown> | null =>
  formats.find(({ ids }) => ids.some((own) => own === id)) ?? null;

/** The format by how a file begins; null where it is none of these. */
export const recognise = (head: Uint8Array): Format<unknown> | null =>
  formats.find((format) => format.recognise(head)) ?? null;
