import { onlineTools } from '../catalog/tools';

/** Tool pages, whose header and footer the address may hide. */
const toolPages = ['/tools', '/repair-tool', ...Object.values(onlineTools).map(({ route }) => route)];

/** Which bars a page shows: on tool pages `hideHeader=1` and `hideFooter=1` take them away. */
export function barsOf(pathname: string, search: string): { showNavBar: boolean; showFooterBar: boolean } {
  const isTool = (toolPages as string[]).includes(pathname.replace(/(.)\/$/, '$1'));
  const query = new URLSearchParams(isTool ? search : '');
  return { showNavBar: query.get('hideHeader') !== '1', showFooterBar: query.get('hideFooter') !== '1' };
}

/** Shows and hides the bars; the style sheet reads the attributes. */
export function paintBars({ showNavBar, showFooterBar }: ReturnType<typeof barsOf>): void {
  document.documentElement.toggleAttribute('data-hide-header', !showNavBar);
  document.documentElement.toggleAttribute('data-hide-footer', !showFooterBar);
}
