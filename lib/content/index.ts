import { articles, howTo } from './articles';
import { guides, userGuide } from './guides';
import { accessibility } from './legal/accessibility';
import { cookies } from './legal/cookies';
import { privacy } from './legal/privacy';
import { terms } from './legal/terms';
import type { PageContent } from './page';
import { aboutUs } from './pages/about-us';
import { allTools } from './pages/all-tools';
import { contactUs } from './pages/contact-us';
import { dataRecoveryStore } from './pages/data-recovery-store';
import { download } from './pages/download';
import { duplicateFilesStore } from './pages/duplicate-files-store';
import { faq } from './pages/faq';
import { home } from './pages/home';
import { productCenter } from './pages/product-center';
import { supportCenter } from './pages/support-center';
import { whatsappStore } from './pages/whatsapp-store';
import { dataRecoveryMac } from './products/data-recovery-mac';
import { fileDuplicateFinder } from './products/file-duplicate-finder';
import { fileFixer } from './products/file-fixer';
import { pdfEditor } from './products/pdf-editor';
import { photoRestoration } from './products/photo-restoration';
import { repairTool } from './products/repair-tool';
import { videoFixer } from './products/video-fixer';
import { whatsappTransfer } from './products/whatsapp-transfer';
import { winDataRecovery } from './products/win-data-recovery';
import { type Path, route } from './routes';

/** Product pages and the main brand's store. A new one is its content file and its line here. */
const products: readonly PageContent[] = [
  winDataRecovery,
  dataRecoveryMac,
  whatsappTransfer,
  fileDuplicateFinder,
  videoFixer,
  photoRestoration,
  fileFixer,
  repairTool,
  pdfEditor,
  dataRecoveryStore,
  duplicateFilesStore,
  whatsappStore,
];

const pages: readonly PageContent[] = [
  home,
  ...products,
  productCenter,
  allTools,
  download,
  userGuide,
  ...guides,
  howTo,
  ...articles,
  faq,
  supportCenter,
  aboutUs,
  contactUs,
  terms,
  privacy,
  cookies,
  accessibility,
];

/** The content of a page. Throws when there is none: the route that asks for it is ours. */
export function page(path: Path): PageContent {
  const found = pages.find((content) => content.path === path);
  if (!found) throw new Error(`No content for ${path}`);
  return found;
}

/** All pages made of sections, for routes with static parameters and for tests. */
export const allPages: readonly PageContent[] = pages;

/** Slugs of the main brand's product pages, which share one route file: a new one needs no route of its own. */
export const productSlugs: readonly string[] = products
  .filter(({ path, product }) => route(path).skin === 'mendara' && product?.website !== 'duplicate')
  .map(({ path }) => path.slice(1));

/** The last part of the addresses below a page, such as the guides below `/user-guide`. */
export function slugsBelow(parent: '/user-guide' | '/how-to'): readonly string[] {
  return pages.filter(({ path }) => path.startsWith(`${parent}/`)).map(({ path }) => path.slice(parent.length + 1));
}
