import * as z from 'zod/mini';
import { platforms, websites } from '../catalog/types';
import { webAddressSchema } from './fields';

/** `obj` of `GET /recovery/downloader`: the installer's address. */
export const installerAddressSchema = webAddressSchema;

const place = { website: z.enum(websites), os: z.enum(platforms), fileName: z.string(), url: webAddressSchema };
const facts = {
  size: z.number(),
  sha256: z.string(),
  version: z.nullable(z.string()),
  demonstration: z.boolean(),
};

/** What is read from an installer's file. `version` is null where the file does not say it. */
const installerFactsSchema = z.object(facts);
export type InstallerFacts = z.infer<typeof installerFactsSchema>;

/** One row of `GET /recovery/installers`; the facts are null for installers that lie elsewhere or are missing. */
export const installerRowSchema = z.union([
  z.object({ ...place, ...facts }),
  z.object({ ...place, size: z.null(), sha256: z.null(), version: z.null(), demonstration: z.null() }),
]);
export type InstallerRow = z.infer<typeof installerRowSchema>;
export const installerRowsSchema = z.array(installerRowSchema);
