import { productLines } from '../catalog/brands';
import { type Website, websites } from '../catalog/types';
import { writeStored } from './browser-storage';
import { storedWebsite } from './client-values';

/** Pages that belong to one order: their skin is the product's, whichever it is. */
const orderPages = ['/packge-loading', '/pay-success', '/pending'];

/** Pages of the vendor's that belong to no product: the stored brand stays what it is there. */
const neutralPages = [...orderPages, '/account', '/login', '/register', '/reset-password', '/order-lookup', '/outbox'];

function isOneOf(pages: readonly string[], pathname: string): boolean {
  return pages.includes(pathname.replace(/(.)\/$/, '$1'));
}

/** The brand that a page stands for: its own, or on a neutral page the address's and else the stored one. */
export function websiteOfPage(own: Website, pathname: string, search: string): Website {
  if (!isOneOf(neutralPages, pathname)) return own;
  const asked = new URLSearchParams(search).get('website');
  return websites.find((website) => website === asked) ?? storedWebsite();
}

/** Paints an order page in its product's skin before it is seen; elsewhere the page's own wrapper decides. */
export function paintBrand(pathname: string, website: Website): void {
  const root = document.documentElement;
  if (isOneOf(orderPages, pathname)) root.dataset.brand = productLines[website].skin;
  else delete root.dataset.brand;
}

/** The order is known now, and with it the brand, whatever the address said. */
export function keepBrandOfOrder(website: Website): void {
  writeStored('website', website);
  paintBrand(window.location.pathname, website);
}
