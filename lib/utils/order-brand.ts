import { type Website, websites } from '../catalog/types';
import { storedWebsite } from './client-values';

/** Pages of the vendor's that belong to no product: the stored brand stays what it is there. */
const neutralPage =
  /^\/(packge-loading|pay-success|pending|account|login|register|reset-password|order-lookup|outbox)\/?$/;

/** The brand that a page stands for: its own, or on a neutral page the address's and else the stored one. */
export function websiteOfPage(own: Website, pathname: string, search: string): Website {
  if (!neutralPage.test(pathname)) return own;
  const asked = new URLSearchParams(search).get('website');
  return websites.find((website) => website === asked) ?? storedWebsite();
}
