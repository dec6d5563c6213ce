import type { Website } from '../lib/catalog/types';
import { header } from '../lib/contract/headers';
import { get } from './http';

/** GET /recovery/downloader: the installer's address for a brand and a `phone_os`, both sent as headers. */
export const installerAddress = (website: Website, phoneOs: string) =>
  get<string>('/recovery/downloader', undefined, { headers: { [header.website]: website, [header.phoneOs]: phoneOs } });
