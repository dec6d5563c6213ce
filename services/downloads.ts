import type { Website } from '../lib/catalog/types';
import { installerAddressSchema, installerRowsSchema } from '../lib/contract/downloads';
import { header } from '../lib/contract/headers';
import { get } from './http';

/** GET /recovery/downloader: the installer's address for a brand and a `phone_os`, both sent as headers. */
export const installerAddress = (website: Website, phoneOs: string) =>
  get('/recovery/downloader', installerAddressSchema, undefined, {
    headers: { [header.website]: website, [header.phoneOs]: phoneOs },
  });

/** GET /recovery/installers: version, size and SHA-256 of each installer. */
export const installers = () => get('/recovery/installers', installerRowsSchema);
