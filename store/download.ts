import { productLines } from '../lib/catalog/brands';
import { DEMONSTRATION } from '../lib/catalog/demonstration';
import { phoneOs } from '../lib/catalog/limits';
import type { Platform, Website } from '../lib/catalog/types';
import { devicePhoneOs, storedUuid } from '../lib/utils/client-values';
import { leaveFor } from '../lib/utils/going';
import { randomId } from '../lib/utils/random-id';
import { openAddress, saveBlob } from '../lib/utils/save-file';
import { logEvent } from './event-log';
import { showToast } from './toasts';

/**
 * Downloads an installer (lib/contract/README.md, 80). From our own origin it comes by a plain link, straight
 * to the disk, and the server names it: the brand and the uuid, a random one that is not kept where none is stored. A
 * .dmg address is opened as it is; a binary of another origin is fetched, to give it that name here.
 */
export async function downloadInstaller(website: Website, os?: Platform): Promise<void> {
  const platform = os === undefined ? devicePhoneOs() : os === 'mac' ? phoneOs.mac : phoneOs.windowsAndOther;
  const { installerAddress, installers } = await import('../services/downloads');
  const answer = await installerAddress(website, platform);
  if (!answer.ok) {
    showToast(answer.error.msg, 'error');
    return;
  }
  logEvent('download', { website, phoneOs: platform });
  const facts = await installers();
  const file = facts.ok ? facts.value.find(({ url }) => url === answer.value) : undefined;
  if (file?.demonstration) {
    showToast(DEMONSTRATION, 'status', { action: { label: 'All downloads', run: () => leaveFor('/download') } });
  }
  const address = new URL(answer.value, window.location.origin);
  const uuid = storedUuid() ?? randomId();
  if (answer.value.includes('.dmg')) openAddress(address.href);
  else if (address.origin === window.location.origin) {
    address.searchParams.set('uuid', uuid);
    openAddress(address.href);
  } else await saveForeign(address.href, `${productLines[website].installer}_${uuid}.exe`);
}

/** Where another origin does not let itself be read, the browser downloads the file under the name it has. */
async function saveForeign(address: string, name: string): Promise<void> {
  try {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`status ${response.status}`);
    saveBlob(await response.blob(), name);
  } catch {
    openAddress(address);
  }
}
